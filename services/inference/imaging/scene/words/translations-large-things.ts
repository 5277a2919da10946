/** Drawn things of `lexicon-large-things.ts` in six languages, in the form of `translations-places.ts`. */
export const largeThingTranslations = `
stump: baumstumpf baumstuempfe | souche souche_d_arbre souches | tocon tocones | ceppo_d_albero ceppi | boomstronk boomstronken | pniak pien pniu pniakach
hay: heu heuballen strohballen | botte_de_foin meule_de_foin | heno fardo | balla_di_fieno balle_di_fieno | hooi hooibaal | siano bela_siana
barrel: fass faesser weinfass holzfass | tonneau tonneaux fut | barril barriles | botte botti barile | vat ton wijnvat | beczka beczki beczce beczkach
bird: vogel moewe moewen voegel | mouette mouettes oiseau oiseaux | gaviota gaviotas pajaro pajaros | gabbiano gabbiani uccello | meeuw meeuwen vogel vogels | ptak ptaki mewa mewy
butterfly: schmetterling schmetterlinge schmetterlingen | papillon papillons | mariposa mariposas | farfalla farfalle | vlinder vlinders | motyl motyle motylami
snowman: schneemann | bonhomme_de_neige | muneco_de_nieve | pupazzo_di_neve | sneeuwpop | balwan
wallmirror: wandspiegel | miroir_mural | espejo_de_pared | specchio_da_parete | wandspiegel | lustro_scienne
tablelamp: tischlampe nachtlampe lampenschirm | lampe_de_table abat_jour lampe_de_chevet | lampara_de_mesa | lampada_da_tavolo abat_jour | tafellamp schemerlamp | lampka lampka_nocna lampa_nocna lampa_stolowa
pendantlamp: pendelleuchte haengelampe | suspension | lampara_colgante | lampada_a_sospensione | hanglamp | lampa_wiszaca
chandelier: kronleuchter luester | lustre lustres | arana_de_cristal | lampadario | kroonluchter | zyrandol
painting: gemaelde bilderrahmen wandbild wandbilder plakat plakate | tableau tableaux cadre affiche affiches | cuadro cartel carteles | quadro quadri cornice dipinto dipinti | schilderij schilderijen wanddecoratie | obrazy plakat plakaty
window: fensters | fenetres | ventanas ventanal | finestre | ramen | oknem
chair: stuhl stuehle holzstuhl holzstuehle | chaise chaises chaise_en_bois | silla sillas silla_de_madera | sedia sedie sedia_di_legno | stoel stoelen houten_stoel | krzeslo krzesla krzesle krzeslach
armchair: sessel | fauteuil fauteuils | sillon sillones butaca | poltrona poltrone | leunstoel fauteuil | fotel fotele fotelem
bench: sitzbank baenke holzbank einer_bank der_bank eine_bank | banc bancs banc_en_bois | banca banco_de_madera | panca panca_di_legno panchine | bankje houten_bank | lawka lawce lawkach
ladder: leiter | echelle | escalera_de_mano | scala_a_pioli | ladder | drabina
clock: uhr wanduhr | horloge pendule | reloj_de_pared | orologio_da_parete | klok | zegar
piano: klavier | piano | piano | pianoforte | piano vleugel | pianino
guitar: gitarre gitarren | guitare | guitarra guitarras | chitarra | gitaar | gitara
bicycle: fahrrad fahrraeder | velo bicyclette | bicicleta | bicicletta | fiets fietsen | rower rowery
easel: staffelei leinwand | chevalet | caballete | cavalletto | schildersezel | sztaluga sztalugi
blackboard: tafel_schule schultafel kreidetafel wandtafel | tableau_noir | | lavagna_scolastica | schoolbord krijtbord | tablica_szkolna
tub: badewanne | baignoire | banera | vasca_da_bagno | badkuip ligbad | wanna
sink: waschbecken waschtisch | lavabo evier | lavabo lavamanos fregadero | lavandino lavabo | wastafel wasbak | umywalka zlew
rockinghorse: schaukelpferd | cheval_a_bascule | caballito_balancin | cavallo_a_dondolo | hobbelpaard | kon_na_biegunach
surfboard: surfbrett surfen | planche_de_surf surf | tabla_de_surf surf | tavola_da_surf surf | surfplank surfen | deska_surfingowa surfing
skateboard: skateboard skatepark | planche_a_roulettes | monopatin | skateboard | skateboard | deskorolka skatepark
microphone: mikrofon konzert | microphone micro concert | microfono concierto | microfono concerto | microfoon concert | mikrofon koncert
barn: scheune | grange | granero | fienile granaio | schuur | stodola
lighthouse: leuchtturm | phare | faro | faro | vuurtoren | latarnia_morska
sailboat: segelboot segelschiff jacht boot boote | voilier bateau bateaux | velero barco barcos yate | barca_a_vela barca barche veliero | zeilboot boot | zaglowka jacht lodka
windmill: windmuehle muehle | moulin moulin_a_vent | molino molino_de_viento | mulino mulino_a_vento | windmolen molen molens | wiatrak
church: kapelle | chapelle | capilla | cappella | kapel | kaplica
eiffel: eiffelturm | tour_eiffel | torre_eiffel | torre_eiffel | eiffeltoren | wieza_eiffla
pyramid: pyramide pyramiden | pyramide pyramides | piramide piramides | piramide piramidi | piramide piramides | piramida piramidy
pagoda: pagode | pagode | pagoda | pagoda | pagode | pagoda
village: dorf | village | pueblo aldea | villaggio borgo paese | dorp | wies wioska
car: auto oldtimer | voiture | coche automovil auto | macchina_d_epoca automobile | auto oldtimer | samochod auto
camper: wohnmobil wohnwagen campingbus | camping_car fourgon | autocaravana furgoneta | furgone camper | kampeerbus camper | kamper przyczepa
fence: zaun gartenzaun | cloture palissade | valla cerca | recinto staccionata steccato | hek schutting | plot_ogrodowy plotek
beachchair: liegestuhl strandliege strandkorb | transat chaise_longue | tumbona | sdraio lettino | ligstoel strandstoel | lezak lezaki
hotairballoon: heissluftballon heissluftballons | montgolfiere montgolfieres | globo_aerostatico | mongolfiera mongolfiere | luchtballon luchtballonnen | balon_na_ogrzane_powietrze
disco: disko diskokugel | boule_a_facettes | bola_de_discoteca discoteca | discoteca | discobal | dyskoteka
firework: feuerwerk silvester | feu_d_artifice feux_d_artifice nouvel_an | fuegos_artificiales nochevieja | fuochi_d_artificio capodanno | vuurwerk | fajerwerki sylwester
wreath: kranz tuerkranz | couronne_de_noel | corona_de_navidad | | krans | wieniec
workshop: tischlerei tischlerwerkstatt schreinerei holzwerkstatt werkzeug hammer | outils | herramientas | attrezzi | gereedschap | narzedzia
copperpan: kupferpfanne kupferpfannen kupfertopf kupfertoepfe pfanne pfannen | casserole casseroles_en_cuivre poeles_en_cuivre | sartenes ollas_de_cobre cacerolas | pentole pentole_di_rame padelle | koperen_pannen pannen | garnki patelnie
bamboo:  | bambous | canas_de_bambu | canne_di_bambu | bamboestengels | bambusy
cypress: zypresse zypressen | cypres | cipres cipreses | cipresso cipressi | cipres cipressen | cyprys cyprysy
firtree: tanne tannen tannenbaum tannenbaeume nadelbaeume | sapins | abetos pinos | abeti pini | dennenbomen sparren | jodly swierki sosny
vine: weinrebe weinreben rebstoecke | vignes_en_rang ceps | vides | viti | wijnranken | winorosl
sofa:  | canapes | | divani | bank_sofa zitbank |
bistro: bistrotisch bistro | table_de_bistrot bistrot | mesa_de_bistro bistro | tavolino_da_bistrot bistrot | bistrotafel | stolik_kawiarniany bistro
awning: markise | store_banne auvent | toldo | tenda_da_sole | luifel markies | markiza
fireplace:  | feu_de_cheminee | | | |
oven: herd backofen ofen | four cuisiniere | horno | forno_da_cucina fornelli | oven fornuis | piekarnik kuchenka
kitchensink: spuele kuechenspuele wasserhahn | evier_de_cuisine robinet | fregadero_de_cocina grifo | lavello rubinetto | gootsteen kraan | kran_kuchenny
skis: ski skier | skis ski | esquis esqui | sci | ski skis | narty
sled: schlitten | luge traineau | trineo | slitta | slee | sanki
mannequin: schneiderpuppe | mannequin_de_couture | maniqui | manichino | paspop | manekin
clothesrack: kleiderstange kleiderstaender | portant | perchero | appendiabiti | kledingrek | wieszak
paris: paris pariser | paris parisien parisienne | paris parisino | parigi parigino | parijs parijse | paryz paryski
greece: santorini griechisch | grece grec grecque santorin | grecia griego | grecia greco | griekenland grieks | grecja grecki
tuscany: toskana toskanisch | toscane toscan | toscana toscano | toscana toscano | toscane toscaans | toskania toskanski
skyscraper: wolkenkratzer hochhaeuser | | | grattacielo | |
shopfront: ladenfront schaufenster | devanture vitrine | escaparate | vetrina | winkelpui etalage | witryna
stall:  | etal stand_de_marche | puesto_de_mercado | bancarella | marktkraam | stragan
bridge: bruecke | pont | puente | ponte | brug | most
venice: venedig gondel | venise gondole | venecia gondola | venezia | venetie | wenecja
london: london | londres | londres | londra | londen | londyn
tractor: traktor trecker | tracteur | tractor | trattore | tractor | traktor
provence: provence | provence | provenza | provenza | provence | prowansja
logcabin: blockhuette holzhuette huette | cabane_en_rondins chalet | cabana_de_madera cabana | capanna_di_legno | blokhut | chata_z_bali chata
igloo: iglu | igloo | iglu | iglu | iglo | iglo
jetty: holzsteg | embarcadere | embarcadero | | |
rowingboat: ruderboot kanu | barque canoe | barca_de_remos canoa | barca_a_remi canoa | roeiboot kano | lodz_wioslowa kajak
lifebuoy: rettungsring rettungsringe | bouee_de_sauvetage bouees_de_sauvetage | salvavidas flotador_salvavidas | salvagente salvagenti | reddingsboei reddingsboeien | kolo_ratunkowe kola_ratunkowe
sewing: naehmaschine | machine_a_coudre | maquina_de_coser | macchina_da_cucire | naaimachine | maszyna_do_szycia
dollhouse: puppenhaus | maison_de_poupee | casa_de_munecas | casa_delle_bambole | poppenhuis | domek_dla_lalek
birdcage: vogelkaefig | cage_a_oiseaux | jaula_de_pajaros | gabbia_per_uccelli | vogelkooi | klatka_dla_ptakow
tire: reifen autoreifen | pneu pneus | neumatico neumaticos | pneumatico pneumatici gomme | autoband | opona opony
streetlamp: strassenlaterne strassenlampe | reverbere | farola farolas | lampione lampioni | straatlantaarn | latarnia_uliczna
neonsign: leuchtreklame neonschild neonschrift | enseigne_neon enseigne_au_neon | letrero_de_neon | insegna_al_neon | neonreclame | szyld_neonowy
scooter: motorroller roller vespa | scooter vespa | moto_vespa escuter | motorino vespa | scooter | skuter
desklamp: schreibtischlampe | lampe_de_bureau | lampara_de_escritorio | lampada_da_scrivania | bureaulamp | lampka_biurkowa
monitor: bildschirm monitor | ecran | pantalla monitor | schermo monitor | beeldscherm | monitor ekran
boxing: boxhandschuhe boxen | gants_de_boxe boxe | guantes_de_boxeo boxeo | guantoni boxe | bokshandschoenen | rekawice_bokserskie
iceberg: eisberg eisberge | iceberg | iceberg | iceberg | ijsberg | gora_lodowa
volcano: vulkan | volcan | volcan | vulcano | vulkaan | wulkan
bush: busch buesche strauch | buisson buissons | arbusto arbustos | cespuglio cespugli | struik struiken | krzew krzewy krzak
hedge: hecke hecken | haies_vertes | seto setos | siepe siepi | heg haag | zywoplot
topiary: buchsbaum buchs | buis | boj | bosso | buxus | bukszpan
fountain: brunnen springbrunnen | fontaine | fuente | fontana | fontein | fontanna
gazebo: pavillon gartenpavillon | gloriette kiosque | cenador glorieta | gazebo padiglione | tuinhuisje prieel | altana
swing: schaukel | balancoire | columpio | altalena | schommel | hustawka
hammock: haengematte | hamac | hamaca | amaca | hangmat | hamak
campfire: lagerfeuer | feu_de_camp | fogata hoguera | fuoco_da_campo falo | kampvuur | ognisko
tipi: tipi kinderzelt | tipi | tipi | tepee tenda_indiana | tipi | tipi
bat: fledermaus fledermaeuse | chauve_souris | murcielago murcielagos | pipistrello pipistrelli | vleermuis vleermuizen | nietoperz nietoperze
stockings: nikolausstiefel weihnachtsstruempfe | chaussettes_de_noel | calcetines_de_navidad | calze_di_natale | kerstsokken | skarpety_swiateczne
ornament: weihnachtskugel weihnachtskugeln christbaumkugeln | boules_de_noel | bolas_de_navidad | palline_di_natale | kerstballen | bombki bombkami
rainbow: regenbogen | arc_en_ciel | arcoiris arco_iris | arcobaleno | regenboog | tecza
paperlantern: lampions papierlaterne papierlaternen | lanternes_en_papier | farolillos_de_papel | lanterne_di_carta | papieren_lantaarns | papierowe_lampiony
balloon:  | ballon_de_baudruche | | | |
garland:  | | | | | choragiewki
sausage: wurst wuerste salami metzgerei metzger | saucisse saucisses saucisson charcuterie boucherie | salchicha salchichas chorizo carniceria | salsiccia salsicce salame macelleria | worst worsten worstjes slager slagerij | kielbasa kielbasy rzeznik
winerack: weinregal | casier_a_vin | botellero | portabottiglie | wijnrek | stojak_na_wino piwnica_z_winem
espressomachine: espressomaschine kaffeemaschine siebtraeger espresso | machine_a_expresso machine_a_cafe expresso | maquina_de_cafe espresso | macchina_del_caffe espresso | espressomachine koffiemachine espresso | ekspres_do_kawy espresso
crescent: halbmond mondsichel halbmonde ramadan zuckerfest | croissant_de_lune ramadan aid | media_luna creciente ramadan | mezzaluna luna_crescente ramadan | halve_maan maansikkel ramadan suikerfeest | polksiezyc polksiezyce ramadan
papelpicado: papel_picado fiesta | papel_picado fiesta guirlande_mexicaine | papel_picado | papel_picado fiesta | papel_picado fiesta | papel_picado fiesta
giftsack: geschenkesack geschenksack nikolaussack weihnachtssack | sac_de_cadeaux hotte_du_pere_noel | saco_de_regalos saco_de_papa_noel | sacco_di_regali sacco_di_babbo_natale | cadeauzak zak_met_cadeaus zak_van_sinterklaas | worek_z_prezentami worek_mikolaja
pinata: pinata | pinata | pinata | pignatta pinata pignatte | pinata | piniata piniaty
arcadegame: spielautomat spielautomaten arcade spielhalle | borne_d_arcade salle_d_arcade bornes_d_arcade | maquina_recreativa maquinas_recreativas salon_recreativo | cabinato_arcade videogioco_arcade | speelautomaat arcadekast speelhal | automat_do_gier automaty_do_gier salon_gier
playgroundslide: rutsche rutschbahn rutschen | toboggan toboggans | tobogan toboganes | scivolo scivoli | glijbaan glijbanen speelplaats | zjezdzalnia zjezdzalnie
seesaw: wippe wippen | balancoire_a_bascule tape_cul | balancin subibaja balancines | altalena_a_bilico dondolo_a_bilico | wip wipwap | hustawka_wagowa hustawki_wagowe
crib: babybett gitterbett kinderbett babybetten | lit_de_bebe lit_a_barreaux berceau | cuna cunas | culla | babybed ledikant babybedje wieg | lozeczko lozeczka kolyska pokoj_dziecka
babymobile: mobile babymobile kindermobile | mobile_de_bebe mobile_pour_bebe | movil_de_cuna movil_para_bebe | giostrina giostrina_per_culla | babymobiel boxmobiel mobieltje | karuzela_nad_lozeczko karuzela_dla_niemowlat
stroller: kinderwagen buggy | poussette landau poussettes | cochecito_de_bebe carrito_de_bebe cochecito | passeggino carrozzina passeggini | kinderwagen wandelwagen buggy | wozek_dzieciecy wozki_dzieciece
ferriswheel: riesenrad riesenraeder jahrmarkt rummelplatz kirmes | grande_roue fete_foraine parc_d_attractions | noria noria_gigante feria parque_de_atracciones | ruota_panoramica luna_park | reuzenrad kermis pretpark | diabelski_mlyn wesole_miasteczko
carouselhorse: karussellpferd karussell karusselle karussellpferde | cheval_de_manege manege carrousel chevaux_de_bois | caballito_de_carrusel carrusel tiovivo | cavallo_da_giostra giostra carosello | draaimolen carrousel draaimolenpaard carrouselpaard | karuzela kon_z_karuzeli konik_na_karuzeli
circustent: zirkuszelt zirkus zirkuszelte | chapiteau cirque chapiteaux | carpa_de_circo circo | tendone_da_circo circo tendone | circustent circus | namiot_cyrkowy cyrk
treasurechest: schatztruhe schatzkiste schatztruhen pirat piraten | coffre_au_tresor tresor pirate | cofre_del_tesoro tesoro pirata piratas | forziere scrigno_del_tesoro tesoro pirata pirati | schatkist schat piraat piraten | skrzynia_skarbow skarb pirat piraci
cauldron: hexenkessel zauberkessel | chaudron chaudrons | caldero calderos | calderone calderoni | heksenketel toverketel | kociol kotly kociol_czarownicy
dreamcatcher: traumfaenger | attrape_reves attrape_reve capteur_de_reves | atrapasuenos cazasuenos | acchiappasogni | dromenvanger dromenvangers | lapacz_snow lapacze_snow
gramophone: grammophon grammofon grammophone | gramophone phonographe | gramofono gramofonos fonografo | grammofono grammofoni fonografo | grammofoon grammofoons platenspeler_met_hoorn | gramofon gramofony
steamertrunk: reisetruhe ueberseekoffer schrankkoffer reisetruhen | malle malle_de_voyage | baul baules baul_de_viaje | baule bauli baule_da_viaggio | hutkoffer scheepskist reiskist | kufer kufry kufer_podrozny
telescope: teleskop fernrohr teleskope sternwarte | telescope longue_vue observatoire | telescopio catalejo telescopios observatorio | telescopio cannocchiale telescopi osservatorio | telescoop sterrenkijker telescopen sterrenwacht | teleskop luneta teleskopy obserwatorium
shipwheel: steuerrad schiffssteuerrad | barre_de_bateau roue_de_gouvernail gouvernail | timon timon_de_barco | timone timone_della_nave | scheepsroer stuurwiel stuurrad | ster kolo_sterowe
kite: drachen flugdrachen papierdrachen | cerf_volant cerfs_volants | cometa cometas papalote | aquilone aquiloni | vlieger vliegers | latawiec latawce
paperplane: papierflieger papierflugzeug papierflugzeuge | avion_en_papier avions_en_papier | avion_de_papel aviones_de_papel | aeroplanino_di_carta aeroplanini_di_carta aereo_di_carta | papieren_vliegtuigje papieren_vliegtuigjes | papierowy_samolot papierowe_samoloty papierowy_samolocik
soapbubble: seifenblase seifenblasen | bulle_de_savon bulles_de_savon bulles | pompa_de_jabon pompas_de_jabon burbujas | bolla_di_sapone bolle_di_sapone | zeepbel zeepbellen bellenblaas | banka_mydlana banki_mydlane
heartballoon: herzballon herzballons herzluftballons | ballon_coeur ballons_coeur | globo_corazon globos_de_corazon | palloncino_a_cuore palloncini_a_cuore | hartballon hartballonnen hartjesballonnen | balon_serce balony_serca
fabricroll: stoffrolle stoffrollen stoffballen | rouleau_de_tissu rouleaux_de_tissu | rollo_de_tela rollos_de_tela | rotolo_di_stoffa rotoli_di_stoffa | stofrol rollen_stof | belka_materialu bele_tkanin
wickerlamp: rattanlampe korblampe rattanlampen bambuslampe | lampe_en_rotin suspension_en_rotin suspension_en_osier | lampara_de_mimbre lampara_de_ratan | lampada_in_vimini lampada_di_rattan lampadario_di_vimini | rieten_lamp rotan_lamp rieten_hanglamp | lampa_wiklinowa lampa_rattanowa lampy_wiklinowe
stringlights: lichterkette lichterketten | guirlande_lumineuse guirlandes_lumineuses | guirnalda_de_luces luces_de_hadas guirnaldas_de_luces | catena_luminosa lucine filo_di_luci catene_luminose | lichtsnoer lichtslinger lampjesslinger | lancuch_swietlny girlanda_swietlna lampki_choinkowe
foldingfan: faltfaecher faecher chinesischer_faecher | eventail eventails eventail_chinois | abanico abanicos abanico_chino | ventaglio ventagli ventaglio_cinese | vouwwaaier waaier waaiers chinese_waaier | wachlarz wachlarze chinski_wachlarz
christmasbell: weihnachtsglocken weihnachtsglocke gloeckchen schellen | cloches_de_noel grelots clochettes_de_noel | campanas_de_navidad campanas_navidenas cascabeles | campane_di_natale campanelle_di_natale | kerstklokken kerstklok kerstbel kerstbellen | dzwonki_swiateczne dzwoneczki_swiateczne
starlantern: papierstern papiersterne leuchtstern herrnhuter_stern | etoile_lumineuse etoile_en_papier etoiles_en_papier | estrella_de_papel estrella_luminosa | stella_di_carta stella_luminosa | papieren_ster sterlamp papieren_sterren | papierowa_gwiazda swietlna_gwiazda
tricycle: dreirad dreiraeder | tricycle | triciclo triciclos | triciclo tricicli | driewieler driewielers | rowerek_trojkolowy trojkolowiec
tombstone: grabstein grabsteine friedhof | pierre_tombale pierres_tombales cimetiere | lapida lapidas cementerio tumba | lapide lapidi cimitero | grafsteen grafstenen kerkhof begraafplaats | nagrobek nagrobki cmentarz
saxophone: saxophon saxofon saxophone jazz | saxophone jazz | saxofon saxofono saxofones jazz | sassofono sassofoni jazz | saxofoon saxofoons jazz | saksofon saksofony jazz
gnome: wichtel zwerg weihnachtswichtel zwerge | gnome nains_de_jardin lutin | gnomo gnomos duende | gnomo gnomi nano_da_giardino | kabouter kabouters | krasnal krasnale skrzat
scarecrow: vogelscheuche vogelscheuchen | epouvantail epouvantails | espantapajaros | spaventapasseri | vogelverschrikker vogelverschrikkers | strach_na_wroble strachy_na_wroble
broom: besen hexenbesen reisigbesen | balai balais balai_de_sorciere | escoba escobas escoba_de_bruja | scopa_di_saggina scopa_della_strega scope | bezem bezems heksenbezem | miotla miotly
horseshoe: hufeisen | fer_a_cheval fers_a_cheval | herradura herraduras | ferro_di_cavallo ferri_di_cavallo | hoefijzer hoefijzers | podkowa podkowy
macrame: makramee makrame wandbehang | macrame tenture_en_macrame | macrame tapiz_de_macrame | macrame arazzo_in_macrame | macrame wandkleed | makrama makramy
windchime: windspiel windspiele klangspiel | carillon_a_vent carillons_a_vent | carillon_de_viento campanas_de_viento movil_de_viento | campana_a_vento scacciapensieri campane_a_vento | windgong windorgel windklokken | dzwonki_wietrzne
gong: gong | gong | gong | gong | gong | gong gongi
sleigh: pferdeschlitten weihnachtsschlitten rentierschlitten | traineau_du_pere_noel traineaux | trineo_de_papa_noel trineo_navideno | slitta_di_babbo_natale slitte | arrenslee kerstslee arrensleeen | sanie_mikolaja sanie
dartboard: dartscheibe dartscheiben dartpfeile | cible_de_flechettes jeu_de_flechettes flechettes | diana_de_dardos dardos | freccette bersaglio_per_freccette | dartbord dartborden dartpijlen | tarcza_do_darta rzutki
medal: medaille goldmedaille medaillen | medaille medaille_d_or medailles | medalla medalla_de_oro medallas | medaglia medaglia_d_oro medaglie | medaille gouden_medaille medailles | medal zloty_medal medale
airportseat: flughafen flughaefen wartehalle abflughalle | aeroport aeroports salle_d_attente | aeropuerto aeropuertos sala_de_espera | aeroporto aeroporti sala_d_attesa | luchthaven vliegveld wachtruimte | lotnisko lotniska lotnisku poczekalnia
airplane: flugzeug flugzeuge flieger | avion avions | avion aviones avioneta | aereo aerei aeroplano | vliegtuig vliegtuigen | samolot samoloty
subwaytrain: u_bahn ubahn metro zug | metro train rame_de_metro | metro tren subterraneo estacion_de_metro | metropolitana treno | metro trein ondergrondse treinstation | metro pociag stacja_metra
tram: strassenbahn tram strassenbahnen | tramway | tranvia tranvias | tram tranvai | tram | tramwaj tramwaje tramwaju
gaspump: zapfsaeule tankstellen benzin | pompe_a_essence essence | surtidor gasolina | pompa_di_benzina distributore benzina | benzinepomp benzine | dystrybutor benzyna
motorcycle: motorrad motorraeder | moto motos motocyclette | motocicleta motocicletas | motocicletta motociclette | motorfiets motorfietsen | motocykl motocykle
barberchair: friseurstuhl barbierstuhl | fauteuil_de_barbier salon_de_barbier | silla_de_barbero barbero | poltrona_da_barbiere barberia | kappersstoel barbershop | fotel_fryzjerski fotel_barberski barbershop
hairdryerhood: trockenhaube friseur frisiersalon haarsalon | casque_de_coiffeur coiffeur | secador_de_casco salon_de_belleza | casco_asciugacapelli parrucchiera | droogkap kapsalon | suszarka_salonowa salon_fryzjerski
dentistchair: zahnarztstuhl zahnarzt zahnarztpraxis | fauteuil_dentaire dentiste cabinet_dentaire | sillon_dental dentista clinica_dental | poltrona_dentistica dentista studio_dentistico | tandartsstoel tandarts tandartspraktijk | fotel_dentystyczny dentysta gabinet_stomatologiczny
hospitalbed: krankenhausbett krankenhaus krankenzimmer | lit_d_hopital hopital | cama_de_hospital hospital | letto_d_ospedale ospedale | ziekenhuisbed ziekenhuis | lozko_szpitalne szpital
pharmacyshelf: apotheken arzneimittel | medicament | farmacias | farmacie medicinale | apotheken drogist | apteki aptece drogeria
shoppingcart: einkaufswagen | chariot caddie courses | carrito_de_compra | carrello_della_spesa | winkelwagen winkelwagentje | wozek_sklepowy zakupy
washingmachine: waschmaschine waschmaschinen waschkueche waschsalon waesche | lave_linge machine_a_laver buanderie laverie lessive | lavadora lavadoras lavanderia | lavatrice lavatrici lavanderia bucato | wasmachine wasmachines waskamer wasserette | pralka pralki pralnia pranie
dog: hund hunde welpe hundchen | chien chiens chiot | perro perros cachorro | cani cucciolo | hond honden puppy | psy szczeniak piesek
cat: katze katzen kaetzchen kater | chat chats chaton | gato gatos gatito | gatto gatti gattino | kat katten poes kitten | kot koty kotek kociak
cattree: kratzbaum katzenbaum | arbre_a_chat griffoir | rascador arbol_para_gatos | tiragraffi | krabpaal | drapak
horse: pferd pferde pony reitstall reiten | cheval chevaux poney equitation | caballo caballos poni hipica | cavallo cavalli equitazione | paard paarden paardrijden | kon konie koni jezdziectwo
cow: kuh kuehe rind rinder milchvieh | vache vaches bovin veau | vaca vacas ternera | mucca mucche vacca | koe koeien rund | krowa krowy bydlo
sheep: schaf schafe lamm laemmer schafherde | mouton moutons agneau brebis | oveja ovejas cordero | pecora pecore agnello | schaap schapen lam | owca owce owieczka baranek
hen: huhn huehner henne hahn gefluegel | poule poules poulet coq | gallina gallinas gallo pollo | gallina galline gallo pollo | kip kippen haan hoen | kura kury kurczak kogut
duck: ente enten stockente | canard canards | pato patos | anatra anatre papera | eend eenden | kaczka kaczki
beehive: bienenkorb bienenstock biene bienen imker imkerei | ruche ruches abeille abeilles apiculteur | colmena colmenas abeja abejas apicultor | alveare arnia api apicoltore | bijenkorf bijen imker | ul ule pszczola pszczoly pasieka
birdfeeder: vogelhaus vogelhaeuschen futterhaus nistkasten | mangeoire nichoir | comedero_de_pajaros pajarera | mangiatoia casetta_per_uccelli | vogelhuisje voederhuisje nestkastje | karmnik budka_dla_ptakow
grill: grill kugelgrill | grillade | parrilla | barbecue griglia | barbecue grillen | grill
firepit: feuerschale feuerkorb feuerstelle | brasero foyer_exterieur | brasero | braciere focolare | vuurschaal vuurkorf | palenisko misa_ogniowa
picnictable: picknicktisch biertisch | table_de_pique_nique | mesa_de_picnic | tavolo_da_picnic | picknicktafel | stol_piknikowy lawostol
wheelbarrow: schubkarre schubkarren gartenarbeit | brouette brouettes jardinage | carretilla carretillas jardineria | carriola carriole giardinaggio | kruiwagen kruiwagens tuinieren | taczka taczki ogrodnictwo
raisedbed: hochbeet hochbeete gemuesebeet | bac_potager | bancal | orto_rialzato | moestuinbak | grzadka podniesiona_grzadka
chairlift: sessellift skilift seilbahn skigebiet | telesiege remonte_pente station_de_ski | telesilla telesqui estacion_de_esqui | seggiovia skilift funivia | stoeltjeslift skilift skigebied | wyciag_krzeselkowy wyciag_narciarski wyciag
icehockey: eishockey hockey eisstadion | hockey crosse_de_hockey | hockey hockey_sobre_hielo | hockey | ijshockey hockey | hokej krazek
rainshower: regendusche dusche duschen duschkopf | douche pomme_de_douche | ducha alcachofa_de_ducha | doccia | regendouche douche | prysznic deszczownica prysznicem
wardrobe: kleiderschraenke | armoire | armarios ropero | armadi | kleerkast | szafy szafie
bedding: betten bettwaesche matratze | lits literie | camas ropa_de_cama | letti | bedden beddengoed | lozka posciel
serverrack: serverschrank server | serveur serveurs baie_de_serveurs datacenter | servidor servidores | server armadio_rack | serverkast server | serwer serwery
gamingmonitor: gaming_monitor gaming gamer zocken | ecran_gamer gaming gamer | monitor_gamer | monitor_da_gioco | gamemonitor gaming gamer | monitor_gamingowy gaming gracz gry_wideo
djdeck: dj_pult dj plattenteller mischpult nachtclub diskothek | platine_dj dj platines boite_de_nuit discotheque | mesa_de_dj dj | console_dj dj | dj_set dj draaitafel nachtclub | konsola_dj dj klub_nocny
amplifier: verstaerker gitarrenverstaerker lautsprecher proberaum | amplificateur ampli enceinte | amplificador altavoz | amplificatore cassa_acustica | versterker luidspreker | wzmacniacz glosnik
stagelight: buehnenscheinwerfer filmset | projecteur_de_scene | foco_de_escenario | riflettore_da_palco | toneelschijnwerper | reflektor_sceniczny
directorschair: regiestuhl hollywood | chaise_de_realisateur plateau_de_tournage | silla_de_director rodaje | sedia_da_regista set_cinematografico | regisseursstoel filmset | krzeslo_rezyserskie plan_filmowy
filmcamera: filmkamera dreharbeiten | camera_de_cinema camera tournage | camara_de_cine camara_de_video | cinepresa macchina_da_presa | filmcamera | kamera_filmowa kamera
column: saeule saeulen marmorsaeule | colonne colonnes pilier | columna columnas pilar | colonna colonne pilastro | zuil zuilen | kolumna kolumny filar
ruin: ruine ruinen roemisch | ruine | ruina ruinas romano | rovina rovine antica | ruine rome romeins | ruina ruiny
gothicwindow: kirchenfenster gotisch gotik buntglas | vitrail gothique | vidriera gotico | vetrata gotico | glas_in_lood gotisch | witraz gotyk gotycki sredniowiecze
armor: ruestung ritterruestung ritter | armure chevalier | armadura caballero | armatura cavaliere medioevo | harnas ridder middeleeuwen | zbroja rycerz
throne: thron koenig koenigin koeniglich thronsaal | trone roi reine | trono rey reina | trono regina regale | troon koning koningin koninklijk | tron krol krolowa krolewski
torch: fackel fackeln verlies | torche flambeau | antorcha antorchas | torcia torce fiaccola | toorts fakkel fakkels | pochodnia pochodnie
canalhouse: grachtenhaus grachtenhaeuser gracht amsterdam holland niederlande | amsterdam hollande pays_bas canal maison_hollandaise | amsterdam holanda paises_bajos canal | amsterdam olanda canale casa_olandese | grachtenpand grachtenpanden gracht amsterdam holland nederland | amsterdam holandia kanal kamienice
overwaterhut: wasserbungalow bungalow malediven suedsee | bungalow_sur_pilotis maldives polynesie | bungalow_sobre_el_agua maldivas polinesia | bungalow_sull_acqua maldive polinesia | waterbungalow malediven | domek_na_wodzie malediwy polinezja
palmhut: strohhuette tikibar strandbar strandhuette hawaii | paillote tiki bar_de_plage hawai | chiringuito palapa tiki hawai | capanno chiosco_sulla_spiaggia tiki hawaii | strandbar strandhut tiki hawai | chatka_plazowa bar_plazowy tiki hawaje
temple: tempel akropolis athen | temple acropole athenes | templo acropolis atenas | tempio acropoli atene | tempel acropolis athene | swiatynia akropol ateny
mosque: moschee minarett istanbul tuerkei orient | mosquee minaret istanbul turquie orient | mezquita minarete estambul turquia oriente oriental | moschea minareto istanbul turchia oriente | moskee minaret istanbul turkije orient | meczet minaret stambul turcja orient
bigben: big_ben england britisch | big_ben angleterre britannique | big_ben inglaterra britanico | big_ben inghilterra | big_ben engeland brits | big_ben anglia brytyjski
suspensionbridge: haengebruecke golden_gate san_francisco | pont_suspendu golden_gate san_francisco | puente_colgante golden_gate san_francisco | ponte_sospeso golden_gate san_francisco | hangbrug golden_gate san_francisco | most_wiszacy golden_gate san_francisco
sakura: sakura kirschbaum hanami | sakura cerisiers | sakura cerezos | sakura ciliegi | sakura kersenboom | sakura kwitnaca_wisnia
appletree: apfelbaum apfelbaeume streuobstwiese | pommier pommiers | manzano manzanos huerto_frutal | melo meli | appelboom appelbomen | jablon jablonie
birchforest: birkenwald | bouleaux | abedules | betulle | berkenbos | brzozy
baobab: affenbrotbaum baobab savanne safari afrika | baobab savane safari afrique | baobab sabana safari africa | baobab savana safari africa | baobab apenbroodboom savanne safari afrika | baobab sawanna safari afryka
shippingcontainer: seecontainer frachtcontainer fracht | conteneur conteneurs fret | contenedor_maritimo carga | container_marittimo merci | zeecontainer vracht | kontener kontenery ladunek
constructioncrane: baukran kran kraene | grue grues | grua gruas obra | gru | hijskraan bouwkraan | dzwig zuraw
brickstack: ziegelstapel ziegelsteine ziegelsteinen backsteine backsteinen maurer | tas_de_briques macon maconnerie | pila_de_ladrillos albanil | pila_di_mattoni muratore | stapel_bakstenen metselaar | stos_cegiel murarz
cementmixer: betonmischer betonmischmaschine | betonniere | hormigonera | betoniera | betonmolen | betoniarka
oildrum: oelfass oelfaesser | baril bidon_d_huile futs | bidon_de_petroleo barril_de_petroleo | fusto_di_petrolio bidone | olievat olievaten | beczka_po_ropie beczka_oleju
anvil: amboss schmied schmiede | enclume forgeron forge | yunque herrero herreria fragua | incudine fabbro fucina | aambeeld smid smederij | kowadlo kowal kuznia
workbench: werkbank schraubstock schreiner tischler | etabli etau menuisier menuiserie | banco_de_trabajo carpintero carpinteria | banco_da_lavoro falegname falegnameria | werkbank bankschroef timmerman | stol_warsztatowy imadlo stolarz stolarnia
woodstack: brennholz holzstapel kaminholz | bois_de_chauffage tas_de_bois buches | lena pila_de_lena | legna catasta_di_legna | brandhout houtstapel | drewno_opalowe stos_drewna
cardboardboxes: kartons pappkarton umzugskarton umzug paket | demenagement colis cartons_de_demenagement | cajas_de_carton mudanza paquete | scatoloni cartoni trasloco pacco | kartonnen_dozen verhuisdozen verhuizing pakket magazijn | kartony pudla_kartonowe przeprowadzka paczka
pallet: palette europalette paletten | palette_en_bois | palet pallet | pallet bancale | pallet | paleta_drewniana palety
forklift: gabelstapler stapler lager logistik | chariot_elevateur logistique | carretilla_elevadora montacargas logistica | muletto carrello_elevatore logistica | heftruck vorkheftruck logistiek | wozek_widlowy logistyka
telephonebox: telefonzelle telefonhaeuschen | cabine_telephonique | cabina_telefonica | cabina_telefonica | telefooncel | budka_telefoniczna
mailbox: briefkasten briefkaesten postkasten | boite_aux_lettres | buzon buzones | cassetta_postale cassetta_delle_lettere | brievenbus postbus | skrzynka_pocztowa skrzynka_na_listy
wickerchair: rattanstuhl rattansessel korbsessel korbstuhl | fauteuil_en_rotin | sillon_de_mimbre silla_de_mimbre | poltrona_in_vimini sedia_in_vimini | rieten_stoel rotan_stoel | fotel_rattanowy fotel_wiklinowy
eggchair: haengesessel haengestuhl haengekorb | fauteuil_suspendu fauteuil_oeuf | silla_colgante sillon_colgante | poltrona_sospesa sedia_a_dondolo_sospesa | hangstoel eistoel | fotel_wiszacy kokon
pouf: pouf sitzpouf sitzkissen | pouf | puf pufs | pouf puf | poef poefen | puf pufa pufy
floorlamp: stehlampe stehleuchte stehlampen | lampadaire lampe_sur_pied | lampara_de_pie | lampada_da_terra piantana | staande_lamp vloerlamp | lampa_podlogowa lampa_stojaca
sideboard: sideboard anrichte kommode lowboard | buffet commode enfilade | aparador comoda | credenza madia cassettiera | dressoir ladekast commode | kredens komoda komody
ottoman: polsterhocker polsterbank fussbank | banquette bout_de_lit repose_pieds | otomana banqueta reposapies | ottomana panca_imbottita poggiapiedi | hocker voetenbank | otomana podnozek laweczka_tapicerowana
canopybed: himmelbett himmelbetten | lit_a_baldaquin baldaquin | cama_con_dosel dosel | letto_a_baldacchino baldacchino | hemelbed | lozko_z_baldachimem baldachim
sunlounger: sonnenliege liege sonnenliegen | bain_de_soleil | tumbonas | lettini | ligbed zonnebed | lezak_ogrodowy
foldingscreen: paravent raumteiler wandschirm | paravent | biombo separador | paravento separe | kamerscherm scheidingswand | parawan przepierzenie
barstool: barhocker tresenhocker | tabouret_de_bar tabourets_de_bar | taburete_de_bar taburetes_de_bar taburetes_en_el_bar | sgabello_da_bar sgabelli_da_bar sgabelli_al_bar | barkruk barkrukken | stolek_barowy hoker hokery
recordshelf: plattenregal plattenladen plattensammlung schallplatten | etagere_a_vinyles disquaire | estanteria_de_discos tienda_de_discos vinilos | scaffale_di_dischi negozio_di_dischi vinili | platenkast platenzaak platenwinkel | regal_na_plyty sklep_z_plytami plyty_winylowe
radiator: heizkoerper heizung radiator | radiateur chauffage | radiador calefaccion | radiatore termosifone calorifero | radiator verwarming | kaloryfer grzejnik kaloryfery
officechair: buerostuhl drehstuhl buerostuehle | chaise_de_bureau fauteuil_de_bureau | silla_de_oficina | sedia_da_ufficio | bureaustoel | krzeslo_biurowe fotel_biurowy
filingcabinet: aktenschrank archiv | classeur_a_tiroirs | archivador archivo | schedario archivio | archiefkast dossierkast archief | szafa_na_akta archiwum
grandfatherclock: standuhr pendeluhr | horloge_comtoise horloge_de_parquet | reloj_de_pie reloj_de_pendulo | orologio_a_pendolo pendola | staande_klok | zegar_stojacy
coatrack: garderobenstaender | portemanteau | | attaccapanni | kapstok | stojak_na_ubrania
jukebox: jukebox musikbox diner fuenfziger rockabilly | jukebox | rocola jukebox | jukebox diner | jukebox | szafa_grajaca
pooltable: billardtisch billard snooker poolbillard | table_de_billard billard | mesa_de_billar billar | biliardo tavolo_da_biliardo | pooltafel biljart biljarttafel | stol_bilardowy bilard
basketballhoop: basketballkorb | panier_de_basket | canasta_de_baloncesto | canestro | basketbalring | kosz_do_koszykowki
punchingbag: boxsack boxclub boxstudio | sac_de_frappe | saco_de_boxeo | sacco_da_boxe pugilato | bokszak boksen boksschool | worek_bokserski boks
treadmill: laufband fitness | tapis_de_course fitness | cinta_de_correr | tapis_roulant | loopband fitness | fitness
trafficlight: ampel ampeln verkehrsampel | feu_tricolore feux_de_circulation | semaforo semaforos | semaforo semafori | stoplicht verkeerslicht stoplichten | sygnalizacja_swietlna swiatla_drogowe
elephant: elefant elefanten | elephant | elefante elefantes | elefante elefanti | olifant olifanten | slon slonie
giraffe: giraffe giraffen | girafe girafes | jirafa jirafas | giraffa giraffe | giraf giraffe giraffen | zyrafa zyrafy
penguin: pinguin pinguine antarktis | manchot pingouin pingouins antarctique | pinguino pinguinos antartida | pinguino pinguini antartide | pinguin pinguins antarctica | pingwin pingwiny antarktyda
reindeer: rentier rentiere hirsch reh elch | renne rennes cerf elan | reno renos ciervo alce | renna renne cervo alce | rendier rendieren hert eland | renifer renifery jelen
camels: kamele dromedar karawane | chameau chameaux dromadaire caravane | camellos dromedario caravana | cammello cammelli dromedario carovana | kamelen karavaan | wielblad wielblady karawana
pig: schwein schweine ferkel schweinestall | cochon cochons porcelet | cerdo cerdos cerdito | maiale maiali maialino | varken varkens | swinia swinie prosiatko
rocket: rakete raketen raumschiff astronaut | fusee fusees vaisseau_spatial astronaute | cohete cohetes nave_espacial astronauta | razzo razzi astronave astronauta | raket raketten ruimteschip astronaut | rakieta rakiety statek_kosmiczny
lifeguardtower: rettungsschwimmer rettungsturm strandwache | poste_de_secours sauveteur maitre_nageur | torre_de_socorrista socorrista | torretta_bagnino bagnino | strandwacht reddingspost reddingsbrigade | wieza_ratownika ratownik
fridge: kuehlschrank kuehlschraenke | refrigerateur frigo | nevera frigorifico refrigerador | frigorifero frigo | koelkast koelkasten | lodowka lodowki
ironingboard: buegelbrett buegeleisen buegeln | planche_a_repasser fer_a_repasser repassage | tabla_de_planchar planchado | asse_da_stiro ferro_da_stiro | strijkplank strijkijzer | deska_do_prasowania zelazko prasowanie
vendingmachine: getraenkeautomat snackautomat verkaufsautomat | distributeur_automatique | maquina_expendedora | distributore_automatico | snoepautomaat verkoopautomaat | automat_z_napojami automat_vendingowy
schooldesk: schulbank schultisch | pupitre | pupitre_escolar colegio | banco_di_scuola | schoolbank | lawka_szkolna
stonelantern: steinlaterne japangarten japanischer_garten | lanterne_japonaise | farol_de_piedra | lanterna_giapponese | stenen_lantaarn | kamienna_latarnia
tajmahal: taj_mahal indien | taj_mahal inde indien | taj_mahal india | taj_mahal india | taj_mahal india | tadz_mahal indie
colosseum: kolosseum | colisee | coliseo | colosseo | colosseum | koloseum
cruiseship: kreuzfahrtschiff kreuzfahrt faehre dampfer | paquebot croisiere ferry | crucero cruceros transatlantico | nave_da_crociera crociera traghetto | cruiseschip cruise veerboot | statek_wycieczkowy rejs prom
owl: eule eulen uhu | hibou chouette hiboux | buho lechuza buhos | gufo gufi civetta | uil uilen | sowa sowy
fox: fuchs fuechse | renard renards | zorro zorros | volpe volpi | vossen | lisy lisek
parrot: papagei papageien ara | perroquet perroquets ara | loros guacamayo | pappagallo pappagalli ara | papegaai papegaaien ara | papuga papugi ara
vanitytable: ankleidezimmer | table_de_maquillage | | specchiera | make_up_tafel |
massagetable: massageliege massage | table_de_massage massage | camilla_de_masaje masaje | lettino_da_massaggio massaggio | massagetafel massage | stol_do_masazu masaz
foodtruck: foodtruck imbisswagen streetfood | food_truck camion_restaurant street_food | food_truck comida_callejera | food_truck street_food cibo_di_strada | foodtruck streetfood | food_truck jedzenie_uliczne
glasshouse: treibhaus | | | | tuinkas | oranzeria
lawnmower: rasenmaeher rasen_maehen | tondeuse tondeuse_a_gazon | cortacesped | tosaerba tagliaerba | grasmaaier | kosiarka
gardengnome: gartenzwerg gartenzwerge | nain_de_jardin | gnomo_de_jardin enano_de_jardin | gnomo_da_giardino | tuinkabouter | krasnal_ogrodowy
barberpole: herrenfriseur | enseigne_de_barbier | poste_de_barbero | insegna_da_barbiere | barbierspaal | slupek_barberski
statueofliberty: freiheitsstatue | statue_de_la_liberte | estatua_de_la_libertad | statua_della_liberta | vrijheidsbeeld | statua_wolnosci
catkin: weidenkaetzchen palmkaetzchen weidenzweig weidenzweige kaetzchenzweige | chaton_de_saule chatons_de_saule branche_de_saule | amento amentos rama_de_sauce ramas_de_sauce | amento_di_salice gattici rami_di_salice | wilgenkatjes wilgenkatje wilgentak wilgentakken | bazie bazia galazki_wierzby
nest: nest nester osternester eiernest vogelnest | nid nids nid_de_paques nid_d_oiseau | nido nidos nido_de_pascua | nido nidi nido_di_pasqua nido_con_uova | nest nesten paasnest vogelnest | gniazdo gniazda gniazdko
stationclock: bahnhofsuhr bahnhofsuhren | horloge_de_gare horloges_de_gare | reloj_de_estacion relojes_de_estacion | orologio_da_stazione orologio_della_stazione | stationsklok stationsklokken | zegar_dworcowy zegar_stacyjny
locomotive: dampflok dampflokomotive dampflokomotiven lokomotive lokomotiven dampfzug | locomotive locomotives train_a_vapeur | locomotora locomotoras tren_de_vapor | locomotiva locomotive treno_a_vapore | locomotief locomotieven stoomlocomotief stoomtrein | lokomotywa lokomotywy parowoz
sawhorse: saegebock saegeboecke arbeitsbock | treteau treteaux chevalet_de_sciage | caballete_de_aserrar borriqueta borriquetas | cavalletto_da_falegname cavalletti_da_falegname | zaagbok zaagbokken schraag schragen | koziol_do_ciecia koziolki_stolarskie
barbershelf: barbierregal friseurregal | etagere_de_barbier | estante_de_barbero repisa_de_barbero | mensola_da_barbiere scaffale_da_barbiere | kappersplank barbierplank | polka_fryzjerska polka_barberska
frontdoor: haustuer haustueren eingangstuer tuer tueren tuerschwelle | porte_d_entree porte portes pas_de_la_porte | puerta_principal puerta puertas umbral | porta_d_ingresso portone portoni porta_di_casa | voordeur voordeuren deur deuren drempel | drzwi drzwi_wejsciowe prog_domu
rope: seil seile schiffstau tauwerk seilrolle | corde cordes cordage cordages | cuerda cuerdas soga rollo_de_cuerda | corda corde gomena | touw touwen tros scheepstouw | lina liny sznur zwoj_liny
mast: mast masten segelmast schiffsmast | mat_de_bateau mat_de_voilier | mastil mastiles | albero_maestro albero_della_barca alberatura | mast masten scheepsmast zeilmast | maszt maszty
signpost: wegweiser wanderwegweiser holzwegweiser | poteau_indicateur poteaux_indicateurs panneau_de_randonnee | poste_indicador postes_indicadores senal_de_sendero | cartello_segnavia segnavia palo_indicatore | wegwijzer wegwijzers handwijzer | drogowskaz drogowskazy
apothecarybottle: apothekerflasche apothekerflaschen apothekenflasche braunglasflasche | flacon_d_apothicaire flacons_d_apothicaire bouteille_d_apothicaire | botella_de_botica frasco_de_botica frascos_de_farmacia | bottiglia_da_farmacia bottiglie_da_farmacia flacone_da_speziale | apothekersfles apothekersflessen apothekersflesje | butelka_apteczna butelki_apteczne butelki_aptekarskie
flowerbox: blumenkasten blumenkaesten balkonkasten balkonkaesten balkonblumen | jardiniere jardinieres bac_a_fleurs | jardinera jardineras macetero_de_balcon | fioriera fioriere cassetta_di_fiori | bloembak bloembakken balkonbak | skrzynka_balkonowa skrzynka_na_kwiaty skrzynki_z_kwiatami
stonehouse: steinhaus steinhaeuser natursteinhaus toskanahaus | maison_en_pierre maisons_en_pierre maison_toscane | casa_de_piedra casas_de_piedra casa_toscana | casa_in_pietra case_in_pietra casa_toscana casale | stenen_huis natuurstenen_huis toscaans_huis | kamienny_dom dom_z_kamienia dom_toskanski
orangetree: orangenbaum orangenbaeume orangenbaeumchen | oranger orangers | naranjo naranjos | albero_di_arancio alberi_di_arancio pianta_di_arancio | sinaasappelboom sinaasappelbomen | drzewo_pomaranczowe drzewko_pomaranczowe
hikingboot: wanderschuh wanderschuhe wanderstiefel bergschuhe bergstiefel | chaussure_de_randonnee chaussures_de_randonnee | bota_de_montana botas_de_montana botas_de_senderismo | scarpone scarponi scarponcini scarpe_da_trekking | wandelschoen wandelschoenen bergschoenen | buty_trekkingowe buty_gorskie buty_turystyczne
weightbench: hantelbank hantelbaenke trainingsbank drueckerbank | banc_de_musculation bancs_de_musculation | banco_de_pesas banco_de_musculacion | panca_per_pesi panca_piana panca_da_palestra | halterbank fitnessbank | lawka_treningowa lawka_do_cwiczen
clementine: clementine clementinen mandarine mandarinen | clementine clementines mandarine | clementina clementinas mandarina mandarinas | clementina clementine mandarino mandarini | clementine clementines mandarijn mandarijnen | klementynka klementynki mandarynka mandarynki
passionfruit: passionsfrucht maracuja | fruit_de_la_passion maracuja | maracuya fruta_de_la_pasion | frutto_della_passione maracuja | passievrucht passievruchten | marakuja
cranberry: preiselbeere preiselbeeren cranberries | canneberge canneberges airelles | arandano_rojo arandanos_rojos | mirtillo_rosso mirtilli_rossi | veenbes veenbessen cranberries | zurawina borowka_brusznica
pea: erbse erbsen erbsenschote | petit_pois petits_pois | guisante guisantes | pisello piselli | erwt erwten doperwten | groszek groch
taco: taco tacos | taco tacos | taco tacos | taco tacos | taco taco's tacos | taco tacos
icebucket: eiskuebel sektkuehler weinkuehler | seau_a_glace seau_a_champagne | cubitera cubo_de_hielo | secchiello_del_ghiaccio | ijsemmer wijnkoeler | wiaderko_na_lod kubelek_na_lod
soda: getraenkedose limonadendose | canette canettes | lata_de_refresco refresco | lattina lattine bibita | blikje frisdrank | puszka_napoju napoj_gazowany
twig: zweig zweige trockener_ast trockene_zweige | brindille branche_seche branches_seches | ramita rama_seca ramas_secas | ramoscello ramo_secco rami_secchi | twijg takje dorre_tak | galazka galazki sucha_galaz
shoebox: schuhkarton schuhkartons | boite_a_chaussures boites_a_chaussures | caja_de_zapatos cajas_de_zapatos | scatola_da_scarpe scatole_da_scarpe | schoenendoos | pudelko_na_buty
stool: hocker holzhocker schemel | tabouret tabouret_en_bois tabourets | taburete taburetes | sgabello sgabelli | kruk houten_kruk krukje | stolek taboret stolku stolkach
bulbmirror: spiegel_mit_gluehbirnen | miroir_a_ampoules coiffeuse_lumineuse | espejo_con_bombillas espejo_de_camerino | specchio_con_lampadine | spiegel_met_lampen | lustro_z_zarowkami
lightning: gewitter gewitterblitz | orage foudre | relampago tormenta_electrica | fulmine temporale | bliksem onweer | blyskawica piorun burza
flame: flammen flamme feuer | flamme flammes feu | llama llamas fuego | fiamma fiamme fuoco | vlam vlammen vuur | plomien plomienie ogien
graffiti: graffiti graffitis graffitiwand | graffiti graffitis tag_mural art_urbain | graffiti grafiti grafitis arte_urbano arte_callejero | graffiti murales arte_di_strada | graffiti straatkunst | graffiti
lattice: maschrabiyya gitterfenster | moucharabieh | celosia celosia_arabe | grata_araba | traliewerk | krata_arabska
smoke: rauch dampf rauchschwaden | fumee vapeur | humo vapor | fumo vapore | rook stoom damp | dym dymem para pary
lemontree: zitronenbaeumchen zitronenbaum_im_topf | citronnier_en_pot | limonero_en_maceta | limone_in_vaso pianta_di_limone | citroenboompje | drzewko_cytrynowe
carlift: hebebuehne autowerkstatt kfz_werkstatt | pont_elevateur garage_automobile | elevador_de_coches taller_mecanico | ponte_sollevatore officina_meccanica | hefbrug autogarage | podnosnik_samochodowy warsztat_samochodowy
pegboard: lochwand werkzeugwand | panneau_perfore | panel_perforado | pannello_forato | gereedschapsbord | tablica_narzedziowa
planet: planeten planet | planetes planete | planetas planeta | pianeti pianeta | planeten planeet | planety planeta
corkboard: pinnwand korkwand | tableau_en_liege | tablero_de_corcho | bacheca_di_sughero | prikbord kurkbord | tablica_korkowa
climbingwall: kletterwand boulderhalle | mur_d_escalade | rocodromo pared_de_escalada | parete_da_arrampicata | klimmuur klimwand | scianka_wspinaczkowa
boxingring: boxring | ring_de_boxe | ring_de_boxeo cuadrilatero | ring_di_boxe | boksring | ring_bokserski
spark: funken schweissen funkenflug | etincelles soudure | chispas soldadura | scintille saldatura | vonken lassen | iskry spawanie
equalizer: klangwellen schallwellen | ondes_sonores egaliseur | ondas_sonoras ecualizador | onde_sonore equalizzatore | geluidsgolven | fale_dzwiekowe korektor
grandpiano: fluegel konzertfluegel | piano_a_queue | piano_de_cola | pianoforte_a_coda | vleugelpiano | fortepian
watercolor: aquarell farbkleckse farbspritzer | aquarelle eclaboussures_de_peinture | acuarela salpicaduras_de_pintura | acquerello schizzi_di_vernice | aquarel verfspatten | akwarela plamy_farby
pawprint: pfotenabdruck pfotenabdruecke | empreintes_de_pattes | huellas_de_patas huellas_de_perro | impronte_di_zampe | pootafdrukken | odciski_lap
festivaltent: festzelt bierzelt zelt_auf_dem_volksfest | chapiteau_de_fete | carpa carpa_de_fiesta | tendone_da_festa | feesttent biertent | namiot_festynowy
gallerywall: bilderwand | mur_de_cadres | pared_de_cuadros | parete_di_quadri | fotowand | galeria_obrazow
headlight: autoscheinwerfer | phares phares_de_voiture | faros faros_de_coche | fari fari_d_auto | koplampen | reflektory_samochodu
floodlight: flutlicht flutlichter | projecteurs_de_stade | focos_de_estadio | riflettori_dello_stadio | stadionverlichting | reflektory_stadionu
kitchenisland: kuecheninsel kochinsel | ilot_de_cuisine ilot_central | isla_de_cocina | isola_cucina isola_da_cucina | kookeiland keukeneiland | wyspa_kuchenna
acousticfoam: akustikschaum akustikpaneele | mousse_acoustique | espuma_acustica | pannelli_fonoassorbenti | akoestisch_schuim | pianka_akustyczna
checkeredflag: zielflagge | drapeau_a_damier | bandera_a_cuadros | bandiera_a_scacchi | finishvlag | flaga_w_szachownice
coffeetable: couchtisch sofatisch wohnzimmertisch beistelltisch | table_basse tables_basses table_d_appoint | mesa_de_centro mesita_de_centro mesa_auxiliar | tavolino_da_salotto tavolino_basso tavolino | salontafel bijzettafel | stolik_kawowy stoliku_kawowym
consoletable: konsolentisch wandtisch | table_console | mesa_consola consola_de_entrada | tavolo_consolle | sidetable wandtafel | konsola_stolik
terrarium: terrarium | terrarium | terrario | terrario | terrarium | terrarium
wickerbasket: weidenkoerbe rattankorb | panier_en_osier paniers_en_osier | cesta_de_mimbre cestas_de_mimbre | cesto_di_vimini ceste_di_vimini | rieten_mand rieten_manden | wiklinowy_kosz wiklinowe_kosze
stabledoor: stalltuer | porte_d_ecurie | puerta_de_establo | porta_della_stalla | staldeur | drzwi_stajni
paperlamp: papierlampe reispapierlampe | lampe_en_papier | lampara_de_papel | lampada_di_carta | papieren_lamp | papierowa_lampa
`;
