/** Rooms, shops, streets and landscapes in six languages, in the form of `translations-places.ts`. */
export const roomTranslations = `
restaurant: gasthaus gastraum speiselokal lokal wirtshaus gasthof | auberge resto bouchon | meson asador marisqueria chiringuito_interior | locanda ristorantino tavola_calda | eethuis restaurantje | restauracyjny gospoda jadlodajnia
cafe: kaffeebar stehcafe kantine | coffee_shop | cantina_escolar cafetin | mensa torrefazione_bar | koffiebar koffietent koffiezaak kantine koffieshop | kawiarenka kawiarniany
bar:  |  | cocteleria vinoteca | enoteca | bruin_cafe | bar_koktajlowy lada_barowa
bistro:  |  |  | trattorie | bistrootje | 
diner:  | diner_americain | diner_americano | tavola_americana |  | 
bakery: baecker baeckerladen backwarenregal |  | horno_de_pan |  | broodjeszaak | 
bread: broetchen semmel semmeln brotlaib laugenstange vollkornbrot bauernbrot | miche fougasse brioche | panecillos bollos hogaza pan_recien_horneado | focaccia ciabatta pagnotta | broodjes boterham broodje | bulki bulka bochenek bulki_i_chleb pieczywo pieczywem
cake: kuchenbuffet kuchenstueck napfkuchen guglhupf kaesekuchen | patisseries fraisier millefeuille | bizcocho pastelito tartas_caseras | pasticcini | taartjes gebak taartpunt cakejes | torcik sernik szarlotka
deli: feinkost feinkostladen feinkostgeschaeft | epicerie_fine epicerie traiteur | charcuteria ultramarinos tienda_gourmet | salumeria gastronomia alimentari | delicatessenwinkel delicatessenzaak kruidenier | delikatesy
boutique: modegeschaeft modeladen kleiderladen bekleidungsgeschaeft brautmodengeschaeft konzeptladen | magasin_de_mode boutique_de_mode magasin_de_vetements pret_a_porter concept_store friperie | tienda_de_ropa tienda_de_moda boutique_de_moda tiendas_de_ropa | negozio_di_abbigliamento negozio_di_moda boutique_di_moda negozi_eleganti negozio_elegante | kledingwinkel modewinkel modezaak kledingzaak | sklep_odziezowy butik_z_ubraniami butik_modowy
storefront: ladenfenster auslage | vitrines | escaparates | vetrine vetrina_di_negozio | etalages winkelruit | witryny witryna_sklepowa
shop: verkaufsraum | boutiques |  | bottega_artigiana |  | 
shoestore: schuhgeschaeft schuhladen | magasin_de_chaussures | zapateria tienda_de_zapatos | negozio_di_scarpe calzaturificio | schoenenwinkel schoenenzaak | sklep_obuwniczy
toystore: spielzeugladen spielwarengeschaeft | magasin_de_jouets | jugueteria tienda_de_juguetes | negozio_di_giocattoli | speelgoedwinkel | sklep_z_zabawkami
bookstore: buchhandlung buchladen antiquariat | librairie bouquiniste | libreria_antigua tienda_de_libros | libreria_antica | boekhandel boekwinkel | ksiegarnia ksiegarni antykwariat
perfumery: kosmetikgeschaeft kosmetikladen parfuemladen | magasin_de_parfum parfumeries rayon_parfum | tienda_de_cosmetica | negozio_di_cosmetici | parfumeriewinkel cosmeticawinkel | perfumeria
recordshop: schallplattenladen | magasin_de_disques | tienda_de_vinilos | negozio_di_vinili |  | 
florist: blumenstand floristik blumenatelier | boutique_de_fleurs | puesto_de_flores tienda_de_flores | negozio_di_fiori bancarella_di_fiori | bloemenstal bloemenkraam bloemenzaak | stoisko_z_kwiatami sklep_z_kwiatami
market: marktstaende marktplatz_stand obststand | marche_aux_puces brocante etals |  | mercatino bancarelle mercato_rionale mercatino_delle_pulci | kraampje | pchli_targ bazarek stragany targowisko straganie
workshop: schusterei schlosserei hobbykeller bastelkeller | cordonnerie horlogerie etabli_d_artisan ebenisterie abri_de_jardin cabanon | taller_de_relojeria ferreteria taller_artesanal cobertizo | laboratorio_artigiano bottega_del_falegname oreficeria | meubelmakerij | warsztat_rowerowy
garage: schrauberwerkstatt | atelier_mecanique | taller_de_coches taller_de_motos | officina_auto officina_moto | garagebox autowerkplaats | 
warehouse: fabrikhalle werkhalle produktionshalle hochregallager fabrikgebaeude industriegebaeude lagerraum lagerregal | hangar usine_desaffectee friche_industrielle halle_industrielle | nave_industrial | capannone capannone_industriale ex_fabbrica | industriehal opslagruimte | hala_produkcyjna hala_fabryczna hala_przemyslowa magazynowy
livingroom: wohnbereich leseecke sitzecke couchecke kuschelecke wohnkueche_sitzecke | coin_lecture salle_de_sejour | sala_de_estar cuarto_de_estar rincon_de_lectura | zona_giorno angolo_lettura | leeshoek zithoek woonkamertje zitkamer huiskamer | kacik_czytelniczy pokoj_dzienny salonie_dziennym
dining: gedeckter_tisch gedeckten_tisch gedeckte_tafel festtafel kaffeetafel tafelrunde dinner mittagessen essecke | table_dressee table_mise coin_repas dejeuner brunch table_de_fete table_d_hote | mesa_puesta mesa_servida merienda | tavola_apparecchiata tavola_imbandita tavolo_apparecchiato merenda | gedekte_tafel lunchtafel eetruimte brunch | nakryty_stol stol_nakryty zastawiony_stol kacik_jadalny
breakfast: fruehstueckstisch sonntagsbrunch brunchtisch | table_du_petit_dejeuner | mesa_de_desayuno | tavola_della_colazione brunch_domenicale | ontbijttafel ontbijthoek | stol_sniadaniowy
kitchen: kuechenzeile kochbereich fliesenspiegel | kitchenette cuisine_ouverte credence placards_de_cuisine | cocina_abierta cocineta | cucinino angolo_cottura cucina_abitabile paraschizzi | keukentje | kuchnia_otwarta aneks_kuchenny
hallway: hausflur windfang vorzimmer |  | zaguan hall_de_entrada | disimpegno atrio_di_casa | halletje | przedsionek wiatrolap holl
bedroom: gaestezimmer hotelzimmer hotelsuite schlafgemach jugendzimmer doppelbett himmelbettzimmer | chambre_d_amis suite_parentale chambre_parentale tete_de_lit chambre_mansardee | habitacion_de_hotel habitacion_de_matrimonio dormitorio_principal | camera_d_albergo camera_degli_ospiti camera_matrimoniale | hotelkamer logeerkamer slaapkamertje hotelbed bedhoofd tienerkamer | pokoj_hotelowy pokoj_goscinny sypialniany pokoj_mlodziezowy
bathroom: waschbeckenrand wannenrand badewannenrand duschnische gaestebad badablage | vasque lavabo_salle_de_bain meuble_vasque bord_de_baignoire salle_d_eau plan_vasque rebord_de_baignoire | borde_de_la_banera aseo |  | badrand rand_van_het_bad doucheruimte | umywalce wanny brzeg_wanny lazienkowy lazienkowa pokoj_kapielowy
showerhead: duschkabine begehbare_dusche | douche_a_l_italienne pommeau_de_douche cabine_de_douche | cabina_de_ducha plato_de_ducha | box_doccia soffione_doccia | inloopdouche douchecabine | kabina_prysznicowa
nursery: wickelkommode babyecke | table_a_langer | cambiador cuarto_de_bebe | fasciatoio | commode_baby | pokoj_dla_niemowlaka przewijak pokoik_niemowlaka
playroom: spielecke | coin_jeux creche salle_de_jeu | rincon_de_juegos cuarto_de_juegos guarderia | angolo_giochi stanza_dei_giochi asilo | speelhoek creche peuterspeelzaal speelkleed | kacik_zabaw przedszkole pokoj_zabaw pokoik
office: arbeitszimmer coworking buerogebaeude | open_space coworking espace_de_coworking espace_de_travail cabinet_de_travail | coworking espacio_de_trabajo | spazio_di_lavoro coworking studio_professionale | werkkamer coworking | biurowy przestrzen_biurowa coworking
desk: arbeitsplatz | poste_de_travail bureau_a_domicile bureau_en_bois coin_bureau plan_de_bureau | mesa_de_trabajo mesa_de_oficina rincon_de_trabajo | postazione_di_lavoro tavolo_da_lavoro angolo_studio | werktafel bureaublad thuiskantoor | stanowisko_pracy miejsce_pracy
lobby: hotelempfang eingangshalle |  | palacio | hall_dell_hotel palazzo_storico | ontvangsthal paleis | hotel_hall palac
spa: ruheraum thermalbad kurbad massageraum | bain_thermal centre_de_bien_etre bassin_thermal bain_a_remous | centro_de_bienestar sala_de_masajes bano_termal | bagno_termale centro_benessere idromassaggio bagni_termali sala_massaggi zona_benessere | welnessruimte thermen bubbelbad massageruimte wellnesscentrum | gabinet_masazu gabinet_spa strefa_wellness strefa_relaksu strefa_spa
gym: fitnessraum kraftraum trainingsraum sportstudio homegym trainingshalle muckibude | salle_de_fitness salle_de_musculation salle_de_muscu studio_de_fitness | sala_de_pesas centro_deportivo | sala_pesi centro_fitness | fitnessruimte fitnesszaal krachtruimte fitnesscentrum | silownia_domowa klub_fitness sala_fitness
yoga: pilatesstudio | salle_de_yoga | clase_de_yoga |  | yogales | sala_do_jogi
stadium: fussballarena sportplatz | terrain_de_foot stade_de_foot terrain_de_football terrain_de_rugby | campo_de_futbol cancha_de_futbol | campo_da_calcio campo_di_calcio | sportveld | boisko boisko_pilkarskie boisku murawa
garden: gartenweg blumenbeet | jardin_anglais jardinet massif_de_fleurs roseraie | jardin_ingles jardincito | giardino_all_italiana giardinetto aiuola aiuole roseto | bloemperk tuinpad | ogrodek rabata rabaty rozany_ogrod
vegetablegarden: hochbeet_garten kleingarten nutzgarten | carre_potager jardin_ouvrier | huerto_urbano huerto_ecologico | orticello | groentetuin volkstuin moestuintje | ogrodek_warzywny ogrodek_dzialkowy
lawn: rasenflaeche gartenrasen frisch_gemaehter_rasen | gazon_fraichement_tondu pelouses | cesped_verde cesped_recien_cortado | prato_inglese prato_rasato | grasveld gazonnetje | trawniku murawa_ogrodowa
greenhouse: orangerie glashaus palmenhaus gartencenter | jardinerie orangerie veranda_vitree verriere jardin_botanique palmeraie_sous_serre pepiniere | vivero jardin_botanico | orangerie vivaio orto_botanico | oranjerie tuincentrum kwekerij | palmiarnia ogrod_botaniczny
terrace:  |  |  | terrazzo_esterno | terrasje | tarasowy
courtyard: innenhoefe arkadenhof | cour_interieure cour_pavee cours_interieures | patio_interior | cortiletto chiostro_interno | hofje binnenhof | wewnetrzny_dziedziniec
forest: nadelwald mischwald unterholz waeldchen | pinede sapiniere bois_de_bouleaux lisiere_de_la_foret lisiere bosquet hetraie | pinar hayedo robledal arboleda | pineta faggeta abetaia boschetto | loofbos naaldbos open_plek_in_het_bos bosrand | las_iglasty las_lisciasty zagajnik
tree:  | arbres_fruitiers | arboles_altos | alberi_alti | boompjes | 
meadow: wildblumen feldblumen | champ_fleuri fleurs_des_champs fleurs_sauvages | campo_de_flores flores_silvestres campo_florido | campo_fiorito fiori_di_campo fiori_selvatici | bloemenveld wilde_bloemen veldbloemen wilde_bloemenweide | polne_kwiaty kwietna_laka polnymi_kwiatami lace_kwietnej
field: kornfelder rapsfeld stoppelfeld | champ_de_colza champ_cultive | campos_de_cultivo sembrado | campi_coltivati | koolzaadveld akkerland polder | pole_rzepaku pola_uprawne lan_zboza
beach: badebucht strandpromenade strandurlaub |  |  | spiagge battigia arenile bagnasciuga stabilimento_balneare | strandje | piaszczysta_plaza plazowy
bay: bucht buchten felsbucht | crique criques baie calanque calanques | ensenada bahia | caletta baia insenatura cala | baaien inham | zatoka zatoce zatoczka
coast: kuestenlinie | cote_rocheuse littoral_rocheux cote_sauvage corniche | costa_rocosa litoral rompeolas | costa_rocciosa litorale scogli | kustlijn | skaliste_wybrzeze skalisty_brzeg
sea: meeresrauschen meereswellen brandung seeblick | vue_mer vue_sur_la_mer ecume houle | oleaje vista_al_mar | mareggiata | golven zeezicht | 
winter: schneelandschaft winterwunderland tiefschnee schneefeld verschneite_landschaft | paysage_enneige champ_de_neige plaine_enneigee | paisaje_nevado campo_nevado nevado_paisaje | paesaggio_innevato distesa_di_neve | sneeuwlandschap besneeuwd_landschap | zasniezony_krajobraz zasniezone_pole
mountain: bergkette bergwelt bergkulisse dolomiten | dolomites chaine_de_montagnes vue_sur_les_montagnes | cordillera dolomitas pirineos cumbres_nevadas | dolomiti vette_innevate catena_montuosa appennini | bergketen dolomieten | dolomity pasmo_gorskie beskidy bieszczady
valley:  | vallon | vallecito | vallata | dalen bergdal | 
hill: huegelkette | coteaux coteau vallons |  | collinette | heuvelland heuvelachtig | pagorki pagorkach
river: flusslauf | berge fleuve rives | cauce |  | oevers | 
lake:  | bord_du_lac_calme rive_du_lac | laguna_de_montana | laghetto_alpino lago_di_como lago_di_garda | meertje meeroever | 
desert:  | sahara | sahara | deserto_del_sahara sahara | sahara | sahara pustynny
coastdune: dunen_am_meer |  | dunas_junto_al_mar | dune_sul_mare | duinlandschap duinen_aan_zee duinpad | wydmy_nad_morzem
farm: landgut gutshof heuboden bauernhaus scheunenwand | corps_de_ferme exploitation_agricole basse_cour fermette | finca cortijo rancho hacienda masia | masseria cascina agriturismo casolare | hoeve boerenerf boerenschuur | zagroda wiejski_dom
vineyard: weinlese weinlandschaft | vendanges rangs_de_vigne vendange domaine_viticole | vinas vendimia | vendemmia | wijnoogst wijndomein | winobranie
cellar: weinkeller_gewoelbe kellergewoelbe | caveau fut_de_chene | cava_subterranea barricas_de_vino | cantina_storica barricaia |  | piwniczka beczki_wina
street: fussgaengerzone | rue_commercante rue_pietonne trottoirs_de_ville | calle_comercial calle_peatonal | vie_del_centro via_dello_shopping | straatje | deptak
lane:  | venelle petite_rue rue_etroite | calle_estrecha calleja | viuzza vicoletto stradina calle_veneziana carruggio | straatjes | zaulki waska_uliczka
oldtown: historische_altstadt altstaedte fachwerkhaeuser fachwerk fachwerkhaus dorfplatz | centre_historique vieux_village place_du_bourg vieille_rue village_medieval vieux_quartier | centro_historico barrio_antiguo pueblo_medieval casco_viejo barrio_gotico ciudad_vieja | borgo_medievale borgo_antico piazzetta citta_vecchia | historisch_centrum oude_binnenstad binnenstad oud_centrum | rynek_starego_miasta rynku stara_kamienica
village: doerfchen dorfidylle | hameau bourg | pueblito | paesino | dorpje | wsi_spokojnej miasteczko
skyline: stadtsilhouette stadtblick | immeubles_modernes vue_sur_la_ville panorama_urbain | edificios_altos horizonte_urbano vista_de_la_ciudad | profilo_della_citta vista_sulla_citta | hoogbouw torenflats uitzicht_op_de_stad | drapacze_chmur drapacz_chmur
rooftop: dachgarten ueber_den_daechern |  | tejado tejados | terrazza_panoramica | daktuin rooftopbar | dachowy
bridge:  |  |  |  | bruggen | moscie
canal: gracht_kanal kanaele grachten | canaux | canales | canali canal_grande | grachten amsterdamse_gracht amsterdamse_grachten grachtje | kanaly
harbor: jachthafen fischerhafen hafenbecken werft yachthafen | port_de_plaisance port_de_peche vieux_port | puerto_deportivo puerto_pesquero | porticciolo porto_turistico banchina darsena | jachthaven vissershaven | przystan port_jachtowy nabrzeze
lighthouse: leuchttuerme |  |  |  |  | latarni_morskiej
castle: schloesser festung | chateau_fort forteresse | fortaleza alcazar | fortezza | kastelen burcht | twierdza palacyk
airport: terminal flughafenlounge | salle_d_embarquement aerogare | sala_de_embarque | gate_d_imbarco sala_d_imbarco | vertrekhal | terminal_lotniska
subway: u_bahn_station ubahnstation u_bahnhof s_bahn | station_de_metro quai_de_metro metro_parisien | anden_de_metro | stazione_della_metro | metrostation metroperron | 
`;
