/**
 * Phrases of six languages whose meaning is not that of their words, and words whose English twin is a phrase: a word of the English
 * lexicon, then German | French | Spanish | Italian | Dutch | Polish, as in `translations-places.ts`.
 */
export const phraseTranslations = `
stop: natuerliches_licht natuerlichem_licht | lumiere_naturelle naturelle naturelles | luz_natural | luce_naturale | natuurlijk_licht | naturalne_swiatlo swiatlo_naturalne naturalne
stop: landschaft landschaften | paysage paysages | paisaje paisajes | paesaggio paesaggi | landschap landschappen | krajobraz krajobrazie
stop: im_hintergrund | en_arriere_plan a_l_arriere_plan | al_fondo en_el_fondo de_fondo | sullo_sfondo in_sottofondo | op_de_achtergrond in_de_achtergrond | w_tle
backdrop: grund | | | | |
diffuse: weiche_schatten weicher_schatten weichem_schatten weichen_schatten sanfte_schatten | ombre_douce ombres_douces | sombra_suave sombras_suaves | ombra_morbida ombre_morbide | zachte_schaduw zachte_schaduwen | miekki_cien miekkie_cienie miekkim_cieniem
leafshade: palmenschatten palmblattschatten schatten_von_palmblaettern schatten_von_palmen schatten_von_blaettern mediterranes_licht mediterranem_licht mediterranen_licht | ombre_de_palmier ombre_de_feuilles ombres_de_feuilles ombre_de_feuilles_de_palmier ombres_de_feuilles_de_palmier lumiere_mediterraneenne | sombra_de_palmera sombra_de_hojas sombras_de_hojas sombra_de_hojas_de_palmera luz_mediterranea | ombra_di_palma ombra_di_foglie ombre_di_foglie ombra_di_foglie_di_palma luce_mediterranea | schaduw_van_palmbladeren schaduw_van_bladeren mediterraan_licht mediterrane_licht | cien_lisci cien_palmy cien_lisci_palmowych cieniem_lisci cieniami_lisci cienie_palm cieniami_palm srodziemnomorskie_swiatlo swiatlo_srodziemnomorskie
blind: sonnenstreifen lichtstreifen jalousienschatten schatten_von_jalousien schatten_von_lamellen | rayures_de_soleil rais_de_soleil ombre_de_store ombre_de_stores ombres_de_stores ombre_de_persiennes | rayas_de_sol franjas_de_luz sombra_de_persiana sombra_de_persianas | strisce_di_sole strisce_di_luce ombra_di_persiane ombra_di_veneziane ombra_di_tapparelle | strepen_zon strepen_zonlicht schaduw_van_jaloezieen jaloezieschaduw | smugi_slonca smugi_swiatla cien_zaluzji cien_rolet cienie_zaluzji
sunlit: seitenlicht seitliches_licht licht_von_der_seite schatten_des_fensters schatten_eines_fensters | lumiere_laterale ombre_de_fenetre ombres_de_fenetre ombre_d_une_fenetre | luz_lateral sombra_de_ventana sombra_de_una_ventana | luce_laterale ombra_di_finestra ombra_della_finestra | zijlicht schaduw_van_een_raam raamschaduw | swiatlo_boczne boczne_swiatlo cien_okna cien_z_okna
lamp: | lumiere_tamisee | luz_tenue luces_tenues | luce_soffusa luci_soffuse | gedimd_licht | przyciemnione_swiatlo
vase: blumenstrauss rosenstrauss strauss muttertag | bouquet_de_fleurs fete_des_meres | ramo_de_flores dia_de_la_madre | mazzo_di_fiori festa_della_mamma | bos_bloemen boeket moederdag | bukiet bukietem bukiet_kwiatow dzien_matki
chalet: berghuette almhuette skihuette | chalet_de_montagne refuge_de_montagne | refugio_de_montana cabana_de_montana | baita rifugio_di_montagna | berghut | gorska_chata chata_w_gorach schronisko
mountain: alpenpanorama bergpanorama | | | | | tatrach tatry panorama_gor
dawn: | | | | | swit swicie switem
windowsill: fensterbank fensterbrett fenstersims | rebord_de_fenetre appui_de_fenetre | alfeizar repisa_de_la_ventana | davanzale | vensterbank | parapet parapecie
gradient: farbverlauf verlauf | degrade | degradado | gradiente sfumatura | kleurverloop verloop | gradient gradientowe
waterlight: wasserreflexe wasserspiegelungen lichtreflexe_im_wasser | reflets_d_eau reflets_de_l_eau | reflejos_de_agua reflejos_del_agua | riflessi_d_acqua riflessi_dell_acqua | waterreflecties | refleksy_wody odbicia_wody
crushedice: crushed_eis zerstossenes_eis gestossenes_eis | glace_pilee | hielo_picado | ghiaccio_tritato | gemalen_ijs | kruszony_lod kruszonym_lodzie
cobblestone: kopfsteinpflaster pflastersteine | paves rue_pavee ruelle_pavee | calle_empedrada empedrado adoquines calle_adoquinada | acciottolato selciato | kasseien kinderkopjes | bruk brukowana_ulica kocie_lby
gingham: karierte_tischdecke kariertes_tischtuch | nappe_a_carreaux nappe_vichy | mantel_a_cuadros | tovaglia_a_quadri tovaglia_a_quadretti | geruit_tafelkleed | obrus_w_krate
picnicblanket: picknickdecke | couverture_de_pique_nique nappe_de_pique_nique | manta_de_picnic | coperta_da_picnic plaid_da_picnic | picknickkleed | koc_piknikowy kocu_piknikowym
basalt: vulkanisches_gestein vulkanischem_gestein vulkangestein lavastein lavagestein vulkanstein | roche_volcanique pierre_volcanique pierre_de_lave | roca_volcanica piedra_volcanica | roccia_vulcanica pietra_lavica | vulkanisch_gesteente lavasteen | skala_wulkaniczna wulkaniczna_skala
azulejo: azulejos delfter_kacheln | azulejos carreaux_de_faience faience | azulejos | maiolica maioliche azulejos piastrelle_di_maiolica | delfts_blauw delftse_tegels azulejos | azulejos majolika
mossy: moosbewachsen moosbewachsener moosbewachsene moosbewachsenen moosig | moussu moussue moussus | cubierto_de_musgo musgoso | muschioso coperto_di_muschio | bemost mossig | omszaly omszale porosniete_mchem
citrusslice: zitrusscheiben orangenscheiben | tranches_d_agrumes rondelles_d_agrumes | rodajas_de_citricos | fette_di_agrumi | citrusschijfjes | plasterki_cytrusow
drop: wassertropfen | gouttes_d_eau goutte_d_eau gouttelettes | gotas_de_agua | gocce_d_acqua | waterdruppels | krople_wody kroplami_wody
puddle: nach_dem_regen | apres_la_pluie | despues_de_la_lluvia tras_la_lluvia | dopo_la_pioggia | na_de_regen | po_deszczu
vanity: | loge_d_artiste | | camerino | | garderoba_aktorska
jewelrystore: juweliergeschaeft | bijouterie joaillerie | joyeria | gioielleria | juwelierszaak | salon_jubilerski
jeweler: juwelier schaufenster_eines_juweliers | | | | juwelier | jubiler jubilera
gift: geschenkpaket | paquet_cadeau paquets_cadeaux | paquete_de_regalo paquetes_de_regalo | pacco_regalo pacchi_regalo | cadeaupakje | paczka_prezentowa
bunting: wimpelkette wimpelgirlande | guirlande_de_fanions | banderines | festone bandierine | slingers vlaggetjes vlaggenlijn koningsdag | girlanda_z_flag
gamenight: spieleabend filmabend kinoabend fernsehabend | soiree_jeux soiree_jeu soiree_film soiree_cinema soiree_cine soiree_pizza soiree_cocooning soiree_entre_amis soiree_a_la_maison | noche_de_juegos noche_de_cine noche_de_peliculas | serata_giochi serata_film serata_cinema serata_in_casa | spelletjesavond filmavond | wieczor_gier wieczor_filmowy
coastdune: strandhafer | herbes_de_plage oyat oyats | hierba_de_playa | erba_di_spiaggia | helmgras duingras | trawa_wydmowa
classroom: schulanfang schulbeginn einschulung | rentree rentree_scolaire | vuelta_al_cole | ritorno_a_scuola | terug_naar_school | powrot_do_szkoly
cheese: kaesebrett kaeseplatte | plateau_de_fromages | tabla_de_quesos | tagliere_di_formaggi | kaasplank kaasplankje | deska_serow
tree: kastanienbaeume kastanienbaum | marronniers marronnier | castanos | castagni castagno | kastanjebomen | kasztanowce
onsen: heisse_quelle thermalquelle | source_chaude sources_chaudes | aguas_termales | sorgente_termale | warmwaterbron | gorace_zrodlo
serverroom: rechenzentrum serverraum | salle_de_serveurs | sala_de_servidores centro_de_datos | sala_server centro_dati | serverruimte datacenter | serwerownia serwerowni
parkinggarage: parkhaus tiefgarage | parking_souterrain | aparcamiento_subterraneo | parcheggio_sotterraneo | parkeergarage | parking_podziemny garaz_podziemny
hauntedhouse: geisterhaus spukhaus | maison_hantee | casa_encantada casa_embrujada | casa_stregata casa_infestata | spookhuis | nawiedzony_dom
tuscankitchen: toskanische_kueche mediterrane_kueche italienische_kueche | cuisine_toscane cuisine_mediterraneenne cuisine_provencale cuisine_italienne | cocina_toscana cocina_mediterranea cocina_italiana | cucina_toscana cucina_mediterranea cucina_italiana | toscaanse_keuken mediterrane_keuken italiaanse_keuken | toskanska_kuchnia kuchnia_toskanska kuchnia_srodziemnomorska
farmhousekitchen: bauernkueche bauernkuche | cuisine_de_ferme cuisine_campagnarde | cocina_de_campo | cucina_di_campagna | boerenkeuken | wiejska_kuchnia kuchnia_wiejska
milksplash: milchspritzer milchsplash | eclaboussure_de_lait eclaboussures_de_lait | salpicadura_de_leche salpicaduras_de_leche | spruzzo_di_latte spruzzi_di_latte | melkspatten melkplons | plusk_mleka rozprysk_mleka
watersplash: wassersplash spritzer wasserspritzer | eclaboussure eclaboussures | salpicadura salpicaduras chapoteo | spruzzo spruzzi schizzi | spatten plons waterspatten | plusk rozprysk
deck: | | | | | poklad pokladzie jachtu
fog: nebel morgennebel nebelwald | brume brouillard | niebla bruma | nebbia bruma | nevel | mgla mgle mglisty
sportshall: turnhalle sporthalle schulturnhalle | gymnase | gimnasio_escolar polideportivo | palestra_scolastica | gymzaal sportzaal | sala_gimnastyczna hala_sportowa
streetball: strassenbasketball | terrain_de_basket_urbain terrain_de_basket_exterieur | cancha_de_baloncesto_urbana cancha_urbana | campetto_da_basket campo_da_basket_urbano | basketbalpleintje | boisko_uliczne
basketballcourt: basketballhalle basketballfeld | terrain_de_basket | gimnasio_de_baloncesto cancha_de_baloncesto | campo_da_basket palestra_di_basket | basketbalveld sporthal | boisko_do_koszykowki
attic: | | | | zolder |
stop: | coin | | | |
blush: | rose_poudre rose_poudree | rosa_empolvado | rosa_cipria | | pudrowy_roz
silver: perlgrau | gris_perle | gris_perla | grigio_perla | parelgrijs | perlowoszary
offwhite: perlweiss | blanc_perle | blanco_perla | bianco_perla | parelwit | perlowa_biel
red: feuerrot feuerroter feuerrotem feuerroten | rouge_feu | rojo_fuego | rosso_fuoco | vuurrood | ognista_czerwien
paper: reispapier | papier_de_riz | papel_de_arroz | carta_di_riso | rijstpapier | papier_ryzowy
stop: matt matter mattes mattem blick blicke produktfoto produktfotos produktfotografie produktbild studiofotografie studiofoto fotografie fotorealistisch fotorealistische fotorealistisches hochaufloesend hochaufgeloest detailliert professionell professionelle professionelles scharf tiefenschaerfe geringe_tiefenschaerfe schaerfentiefe unschaerfe realistisch realistische realistisches qualitaet hochwertig hochwertige kommerziell werbefoto aufnahme zweigen ast aeste aesten sehr viel viele vielen voll voller natuerlich natuerliche natuerlicher natuerliches natuerlichem kleine kleiner kleines kleinen kleinem grosse grosser grosses grossen grossem einige etwas zwei drei farbene farbener farbenes farbenem farbenen farbige farbiger farbiges farbigem farbigen toene toenen | bord au_bord_de au_bord_du brut brute ni tres beaucoup plusieurs quelques petite petits petites grande grands grandes plein pleine a_cote_de a_cote_du cote_a_cote beaux belles branche branches photographie photorealiste haute_resolution haute_qualite qualite professionnel professionnelle realiste profondeur_de_champ faible_profondeur_de_champ flou detaille nette moulures pres | junto ni muy mucho muchos muchas grandes pequena pequenos pequenas bonita lleno llena varios varias rama ramas fotografia fotorrealista alta_resolucion alta_calidad calidad profesional realista profundidad_de_campo poca_profundidad_de_campo desenfoque desenfocado detallado lado | ne molto molti piccola piccoli piccole grandi bella pieno piena ramo rami ramoscelli fotografia fotorealistico fotorealistica alta_risoluzione alta_qualita qualita professionale realistica realistico profondita_di_campo sfocato dettagliato vicino accanto color | noch heel veel kleine grote mooie vol tak takken fotografie productfotografie productfoto fotorealistisch hoge_resolutie hoge_kwaliteit kwaliteit professioneel professionele realistisch scherptediepte wazig gedetailleerd kleurige kleuren | ani widok widokiem pelna pelny pelne pelen bardzo duzo male mala duza duze piekna piekne galazkami galaz fotografia fotografie produktowa produktowe produktowy produktu fotorealistyczne fotorealistyczny wysoka_rozdzielczosc wysoka_jakosc jakosc profesjonalna profesjonalne profesjonalny realistyczne realistyczny glebia_ostrosci rozmyte rozmyty obok blisko
sheet: bettlaken laken | drap draps draps_de_lit | sabanas | lenzuolo lenzuola | laken lakens | przescieradlo
stringlights:  | | luces_de_navidad luces_navidenas | luci_di_natale | lichtjes kerstlichtjes | swiatelka lampki lampkami
cup: kaffee | | | | koffie | kawa kawe kawy
wine: wein weine weinen | vin vins | vino vinos | vino vini | wijn wijnen | wino wina winem
ivy: efeu | lierre | hiedra yedra | edera | klimop | bluszcz bluszczem
hardlight: starke_sonne starkes_sonnenlicht grelles_licht grelles_sonnenlicht hartes_sonnenlicht hartes_seitenlicht | soleil_fort lumiere_dure lumiere_crue soleil_dur | sol_fuerte luz_dura | sole_forte luce_dura | felle_zon hard_licht fel_licht | mocne_slonce ostre_swiatlo ostre_slonce twarde_swiatlo
harsh: hart grell | dur dure | duro | duro | hard harde | ostry twardy
snow: | | | | | osniezony zasniezony
flower: bluehend | fleuri fleurie | florido floreado | fiorito | bloeiend bloemrijk | kwitnacy ukwiecony
bohemian: | boheme bohemien | bohemio | bohemien | boheems |
rustic: laendlich landhausstil | champetre campagne_chic | | | landelijk | sielski wiejski
elegant: | haussmannien haussmannienne haussmanniens | | | |
pinecone: tannenzweige tannenzweigen kiefernzweige | branches_de_sapin branche_de_sapin branches_de_pin | ramas_de_pino ramas_de_abeto | rami_di_pino rami_di_abete rametti_di_pino | dennentakken dennentak sparrentakken | galazki_sosny galazki_swierku galazki_jodly
crushedice: auf_eiswuerfeln | sur_des_glacons sur_glacons | sobre_cubitos_de_hielo sobre_hielo | su_cubetti_di_ghiaccio sul_ghiaccio | op_ijsblokjes | na_kostkach_lodu
birthday: | fete_d_anniversaire | fiesta_de_cumpleanos | festa_di_compleanno | verjaardagsfeest | przyjecie_urodzinowe
lake: bergsee lake | au_bord_du_lac | | | lake aan_het_meer aan_een_meer bij_het_meer bij_een_meer bergmeer |
loft: industrieloft | loft_industriel | loft_industrial | loft_industriale | industriele_loft | loft_industrialny industrialny_loft
industrial: | | | | industriele |
offwhite: wollweiss naturweiss altweiss cremeweiss | blanc_casse ecru | blanco_roto crudo | bianco_sporco bianco_panna | gebroken_wit | zlamana_biel
beige: sandfarben sandfarbig naturfarben | | color_arena | color_sabbia | zandkleurig zandkleur | kolor_piaskowy
taupe: schlammfarben greige | greige | greige | greige tortora_chiaro | greige | szarobezowy
blush: puderrosa pudrig puder puderfarben | vieux_rose | rosa_palo | rosa_antico | poederroze oudroze | brudny_roz pudrowy
rosegold: rosegold | or_rose | oro_rosa | oro_rosa | rosegoud | rozowe_zloto
rust: rostrot rost ziegelrot rostbraun | rouge_brique rouille | rojo_ladrillo oxido | rosso_mattone ruggine | roestbruin roestkleurig roest steenrood | ceglasty rdzawy
ochre: ocker ockergelb | ocre | ocre | ocra | oker okergeel | ochra ochrowy
salmon: lachs lachsfarben lachsrosa | saumon | salmon | salmone | zalm zalmroze | lososiowy
forestgreen: tannengruen flaschengruen waldgruen | vert_sapin vert_bouteille vert_foret | verde_botella verde_bosque | verde_bottiglia verde_bosco | flessengroen bosgroen dennengroen | butelkowa_zielen butelkowy
mint: | vert_d_eau | verde_agua | verde_acqua | zeegroen | morska_zielen
teal: petrolblau | bleu_petrole vert_canard | azul_petroleo verde_petroleo | blu_petrolio verde_petrolio petrolio | petrolblauw |
olive: moosgruen armeegruen | vert_mousse vert_kaki | verde_musgo | verde_muschio verde_militare | mosgroen legergroen | zgnilozielony
babyblue: eisblau babyblau puderblau | bleu_glacier bleu_poudre | azul_bebe azul_hielo | azzurro_polvere | ijsblauw babyblauw |
azure: taubenblau | | | | |
royalblue: koenigsblau | bleu_roi | azul_rey azul_real | blu_reale | koningsblauw | chabrowy
cobalt: kobaltblau kobalt | bleu_cobalt cobalt | azul_cobalto cobalto | blu_cobalto cobalto | kobaltblauw kobalt | kobaltowy
plum: pflaumenfarben | | | | pruimkleurig | sliwkowy
lilac: fliederfarben | | malva | lilla_chiaro | | wrzosowy
fuchsia: fuchsia beerenfarben | fuchsia framboise_couleur | fucsia frambuesa_color | fucsia | fuchsia | fuksja malinowy
silver:  | gris_souris | gris_piedra | | | popielaty
amber: bernstein bernsteinfarben | ambre | ambar | ambra | amber barnsteen | bursztyn bursztynowy miodowy
wallpaper: tapete tapeten | papier_peint | papel_pintado | carta_da_parati | behang | tapeta
steamertrunk: truhe truhen holztruhe | coffre coffres | cofre | | |
stump: holzscheibe holzscheiben baumscheibe baumscheiben | rondin_de_bois rondelle_de_bois | rodaja_de_madera rodajas_de_madera | fetta_di_legno | boomschijf boomschijven | plaster_drewna plastrach_drewna pniu_drzewa pien_drzewa
log: | tronc troncs tronc_d_arbre | | | |
hay: | bottes_de_foin botte_de_paille bottes_de_paille | | | hooibalen strobaal strobalen |
pallet: | palettes_en_bois palettes | palets | | |
rock: | | | rocce | |
suitcase: | | | | | walizce
cuttingboard: | | | | | desce_do_krojenia
stop: brennend brennender brennendes brennende brennendem gestapelt gestapelte gestapelten gestapeltes knisternd knisterndes frueh frueher spaet zu | allume allumee allumes empile empiles empilees vers | encendida encendido encendidas encendidos apilado apilados apiladas | acceso accesa accese accesi impilati impilate sui sugli sulle negli nelle nei dal | brandende brandend gestapelde knapperend knapperende naar | rozpalony rozpalona plonacy plonace zapalone palace ulozone od
navy: mitternachtsblau | | | | middernachtblauw nachtblauw |
blanket: plaid | plaid | | plaid | plaid | pled
autumn: trockenes_laub trockene_blaetter welke_blaetter laubhaufen auf_laub | feuilles_seches tas_de_feuilles | monton_de_hojas | mucchio_di_foglie | droge_bladeren hoop_bladeren | suchych_lisciach stos_lisci
redrock: roter_fels rotem_fels roten_felsen rote_felsen | roche_rouge roches_rouges | roca_roja rocas_rojas | roccia_rossa rocce_rosse | rode_rots rode_rotsen | czerwona_skala czerwonej_skale czerwone_skaly
redsand: roter_sand rotem_sand | sable_rouge | arena_roja | sabbia_rossa | rood_zand | czerwony_piasek czerwonym_piasku
frontdoor: vor_einem_haus vor_dem_haus | devant_une_maison devant_la_maison | delante_de_una_casa frente_a_una_casa | davanti_a_una_casa davanti_alla_casa | voor_een_huis voor_het_huis | przed_domem
camping: campingkocher gaskocher | rechaud_de_camping | hornillo_de_camping | fornello_da_campeggio | campingkooker | kuchenka_turystyczna
teddy: | | | | | mis misie misiami misia
garden: | | | | | ogrodowy ogrodowa
workshop: | | | | | stolarski
playroom: | chambre_d_enfant chambre_d_enfants chambre_enfant | habitacion_infantil cuarto_infantil dormitorio_infantil | camera_dei_bambini | |
evening: | soiree soirees | | | |
vivid: leuchtende_farben kraeftige_farben bunte_farben | couleurs_vives | colores_vivos colores_vivaces | colori_vivaci colori_vivi | felle_kleuren | zywe_kolory zywych_kolorach
bluehour: blaue_stunde blauen_stunde blauer_stunde | heure_bleue | hora_azul | ora_blu | blauwe_uur blauw_uur | niebieska_godzina blekitna_godzina niebieskiej_godziny
sunset: | tombee_de_la_nuit | anochecer | imbrunire | |
rooftop: | | | | | na_dachu dach_taras
fog: | brumeux brumeuse | brumoso neblinoso | nebbioso | nevelig | zamglony
vegetable: | | | | | warzywny
barrel: | | barrica barricas | | |
tomato: | | | pomodorino pomodorini | |
gradient: | | | sfumato sfumata | |
champagneglass: sekt | | | spumante | |
beer: masskrug masskruege masskruegen bierkrug bierkruege | chope chopes | jarra_de_cerveza | boccale boccali | bierpul | kufel kufle
school: schultuete schultueten | | | | |
christmas: dreikoenigstag | epiphanie | reyes_magos dia_de_reyes | epifania befana | driekoningen | choince
pie: | galette_des_rois | | | |
cake: | | roscon roscon_de_reyes | | |
wool: | | punto de_punto | | |
concert: | fete_de_la_musique lumieres_de_scene | | | |
desk: | | | | werkplek werkplekken |
terrace: terasse | | | | |
cozy: stimmungsvoll stimmungsvolles stimmungsvolle | | | | |
stop: stelle stell stellt setze setz lege platziere positioniere zeige zeig meine meinen meinem meiner einen | mets mettez mettre place placer placez pose poser posez montre montrez mon ma mes baskets basket uni unie fin fine | pon ponga poner coloca colocar coloque muestra mi mis liso lisa colgante colgantes | metti mettere posiziona posizionare colloca mostra mio mia miei mie | zet plaats leg toon mijn ons onze uitzicht | postaw umiesc poloz pokaz moj moja moje mojego
forest: schwarzwald | foret_noire | selva_negra | foresta_nera | zwarte_woud | czarny_las
harbor: hamburger_hafen | | | | |
honey: honigglas honigglaeser honigtopf | pot_de_miel | tarro_de_miel | vasetto_di_miele | honingpot | sloik_miodu
cup: | tasse_de_cafe tasses_de_cafe tasse_a_cafe | taza_de_cafe tazas_de_cafe | tazza_di_caffe tazze_di_caffe tazzina_di_caffe | koffiekop koffiekopje koffiekopjes koffiemok | kubek_kawy filizanka_kawy
haybale: | | balas_de_paja bala_de_paja balas_de_heno | | | balami_siana bele_siana
valentine: | | | | valentijn |
newyear: | | | | oud_en_nieuw oudejaarsavond |
donut: | | | | oliebol oliebollen |
petal: | | | | rozenblaadje rozenblaadjes |
laundry: | | | | wasruimte washok |
lantern: | | | | lampion lampionnen |
basket: | | | | wasmand wasmanden |
nightstand: | | | | | szafce_nocnej szafki_nocnej stoliku_nocnym
leaf: | | | | | liscmi lisciach
linen: | | | | | lnie
cake: | | | panettone pandoro | |
prosecco: | | cava | | |
morning: | | | all_alba | |
`;
