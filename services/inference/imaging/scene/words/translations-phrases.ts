/**
 * Phrases of six languages whose meaning is not that of their words, and words whose English twin is a phrase: a word of the English
 * lexicon, then German | French | Spanish | Italian | Dutch | Polish, as in `translations-places.ts`.
 */
export const phraseTranslations = `
stop: im_hintergrund | en_arriere_plan a_l_arriere_plan | al_fondo en_el_fondo de_fondo | sullo_sfondo in_sottofondo | op_de_achtergrond in_de_achtergrond | w_tle
backdrop: grund | | | | |
diffuse: weiche_schatten weicher_schatten weichem_schatten weichen_schatten sanfte_schatten | ombre_douce ombres_douces | sombra_suave sombras_suaves | ombra_morbida ombre_morbide | zachte_schaduw zachte_schaduwen | miekki_cien miekkie_cienie miekkim_cieniem
leafshade: palmenschatten palmblattschatten schatten_von_palmblaettern schatten_von_palmen schatten_von_blaettern | ombre_de_palmier ombre_de_feuilles ombres_de_feuilles ombre_de_feuilles_de_palmier ombres_de_feuilles_de_palmier | sombra_de_palmera sombra_de_hojas sombras_de_hojas sombra_de_hojas_de_palmera | ombra_di_palma ombra_di_foglie ombre_di_foglie ombra_di_foglie_di_palma | schaduw_van_palmbladeren schaduw_van_bladeren | cien_lisci cien_palmy cien_lisci_palmowych
blind: jalousienschatten schatten_von_jalousien schatten_von_lamellen | ombre_de_store ombre_de_stores ombres_de_stores ombre_de_persiennes | sombra_de_persiana sombra_de_persianas | ombra_di_persiane ombra_di_veneziane ombra_di_tapparelle | schaduw_van_jaloezieen jaloezieschaduw | cien_zaluzji cien_rolet cienie_zaluzji
sunlit: schatten_des_fensters schatten_eines_fensters | ombre_de_fenetre ombres_de_fenetre ombre_d_une_fenetre | sombra_de_ventana sombra_de_una_ventana | ombra_di_finestra ombra_della_finestra | schaduw_van_een_raam raamschaduw | cien_okna cien_z_okna
lamp: | lumiere_tamisee | luz_tenue luces_tenues | luce_soffusa luci_soffuse | gedimd_licht | przyciemnione_swiatlo
vase: blumenstrauss rosenstrauss strauss muttertag | bouquet_de_fleurs fete_des_meres | ramo_de_flores dia_de_la_madre | mazzo_di_fiori festa_della_mamma | bos_bloemen boeket moederdag | bukiet bukietem bukiet_kwiatow dzien_matki
chalet: berghuette almhuette skihuette | chalet_de_montagne refuge_de_montagne | refugio_de_montana cabana_de_montana | baita rifugio_di_montagna | berghut | gorska_chata chata_w_gorach schronisko
mountain: alpenpanorama bergpanorama | | | | | tatrach tatry panorama_gor
dawn: | | | | | swit swicie switem
windowsill: fensterbank fensterbrett fenstersims | rebord_de_fenetre appui_de_fenetre | alfeizar repisa_de_la_ventana | davanzale | vensterbank | parapet parapecie
gradient: farbverlauf verlauf | degrade | degradado | gradiente sfumatura | kleurverloop | gradient gradientowe
waterlight: wasserreflexe wasserspiegelungen lichtreflexe_im_wasser | reflets_d_eau reflets_de_l_eau | reflejos_de_agua reflejos_del_agua | riflessi_d_acqua riflessi_dell_acqua | waterreflecties | refleksy_wody odbicia_wody
crushedice: crushed_eis zerstossenes_eis gestossenes_eis | glace_pilee | hielo_picado | ghiaccio_tritato | gemalen_ijs | kruszony_lod kruszonym_lodzie
cobblestone: kopfsteinpflaster pflastersteine | paves rue_pavee ruelle_pavee | calle_empedrada empedrado adoquines | acciottolato selciato | kasseien kinderkopjes | bruk brukowana_ulica kocie_lby
gingham: karierte_tischdecke kariertes_tischtuch | nappe_a_carreaux nappe_vichy | mantel_a_cuadros | tovaglia_a_quadri tovaglia_a_quadretti | geruit_tafelkleed | obrus_w_krate
picnicblanket: picknickdecke | couverture_de_pique_nique nappe_de_pique_nique | manta_de_picnic | coperta_da_picnic plaid_da_picnic | picknickkleed | koc_piknikowy kocu_piknikowym
basalt: vulkanisches_gestein vulkanischem_gestein vulkangestein lavastein lavagestein vulkanstein | roche_volcanique pierre_volcanique pierre_de_lave | roca_volcanica piedra_volcanica | roccia_vulcanica pietra_lavica | vulkanisch_gesteente lavasteen | skala_wulkaniczna wulkaniczna_skala
azulejo: azulejos delfter_kacheln | azulejos carreaux_de_faience faience | azulejos | maiolica maioliche azulejos piastrelle_di_maiolica | delfts_blauw delftse_tegels azulejos | azulejos majolika
mossy: moosbewachsen moosbewachsener moosbewachsene moosbewachsenen moosig | moussu moussue moussus | cubierto_de_musgo musgoso | muschioso coperto_di_muschio | bemost mossig | omszaly omszale porosniete_mchem
citrusslice: zitrusscheiben orangenscheiben | tranches_d_agrumes rondelles_d_agrumes | rodajas_de_citricos | fette_di_agrumi | citrusschijfjes | plasterki_cytrusow
drop: wassertropfen | gouttes_d_eau goutte_d_eau gouttelettes | gotas_de_agua | gocce_d_acqua | waterdruppels | krople_wody kroplami_wody
puddle: nach_dem_regen | apres_la_pluie | despues_de_la_lluvia tras_la_lluvia | dopo_la_pioggia | na_de_regen | po_deszczu
vanity: | loge_d_artiste | | camerino | | garderoba_aktorska
jeweler: juwelier juweliergeschaeft schaufenster_eines_juweliers | bijouterie joaillerie | joyeria | gioielleria | juwelier juwelierszaak | jubiler jubilera
gift: geschenkpaket | paquet_cadeau paquets_cadeaux | paquete_de_regalo paquetes_de_regalo | pacco_regalo pacchi_regalo | cadeaupakje | paczka_prezentowa
bunting: wimpelkette wimpelgirlande | guirlande_de_fanions | banderines | festone bandierine | slingers vlaggetjes vlaggenlijn koningsdag | girlanda_z_flag
coastdune: strandhafer | herbes_de_plage oyat oyats | hierba_de_playa | erba_di_spiaggia | helmgras duingras | trawa_wydmowa
classroom: schulanfang schulbeginn einschulung | rentree rentree_scolaire | vuelta_al_cole | ritorno_a_scuola | terug_naar_school | powrot_do_szkoly
cheese: kaesebrett kaeseplatte | plateau_de_fromages | tabla_de_quesos | tagliere_di_formaggi | kaasplank kaasplankje | deska_serow
tree: kastanienbaeume kastanienbaum | marronniers marronnier | castanos | castagni castagno | kastanjebomen | kasztanowce
onsen: heisse_quelle thermalquelle | source_chaude sources_chaudes | aguas_termales | sorgente_termale | warmwaterbron | gorace_zrodlo
serverroom: rechenzentrum serverraum | salle_de_serveurs | sala_de_servidores centro_de_datos | sala_server centro_dati | serverruimte datacenter | serwerownia serwerowni
parkinggarage: parkhaus tiefgarage | parking_souterrain | aparcamiento_subterraneo | parcheggio_sotterraneo | parkeergarage | parking_podziemny garaz_podziemny
hauntedhouse: geisterhaus spukhaus | maison_hantee | casa_encantada casa_embrujada | casa_stregata casa_infestata | spookhuis | nawiedzony_dom
tuscankitchen: toskanische_kueche mediterrane_kueche italienische_kueche | cuisine_toscane cuisine_mediterraneenne cuisine_provencale cuisine_italienne | cocina_toscana cocina_mediterranea cocina_italiana | cucina_toscana cucina_mediterranea cucina_italiana | toscaanse_keuken mediterrane_keuken italiaanse_keuken | toskanska_kuchnia kuchnia_toskanska kuchnia_srodziemnomorska
milksplash: milchspritzer milchsplash | eclaboussure_de_lait eclaboussures_de_lait | salpicadura_de_leche salpicaduras_de_leche | spruzzo_di_latte spruzzi_di_latte | melkspatten melkplons | plusk_mleka rozprysk_mleka
watersplash: wassersplash spritzer wasserspritzer | eclaboussure eclaboussures | salpicadura salpicaduras chapoteo | spruzzo spruzzi schizzi | spatten plons waterspatten | plusk rozprysk
deck: | | | | | poklad pokladzie jachtu
fog: nebel morgennebel nebelwald | brume brouillard | niebla bruma | nebbia bruma | nevel | mgla mgle mglisty
basketballcourt: basketballhalle basketballfeld | terrain_de_basket | gimnasio_de_baloncesto cancha_de_baloncesto | campo_da_basket palestra_di_basket | basketbalveld sporthal | boisko_do_koszykowki
attic: | | | | zolder |
stop: | coin | | | |
blush: | rose_poudre rose_poudree | rosa_empolvado | rosa_cipria | | pudrowy_roz
silver: perlgrau | gris_perle | gris_perla | grigio_perla | parelgrijs | perlowoszary
offwhite: perlweiss | blanc_perle | blanco_perla | bianco_perla | parelwit | perlowa_biel
red: feuerrot feuerroter feuerrotem feuerroten | rouge_feu | rojo_fuego | rosso_fuoco | vuurrood | ognista_czerwien
paper: reispapier | papier_de_riz | papel_de_arroz | carta_di_riso | rijstpapier | papier_ryzowy
`;
