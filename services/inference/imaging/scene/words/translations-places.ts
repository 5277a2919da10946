/**
 * Places, seasons and things behind the product in six languages: a word of the English lexicon, then German | French |
 * Spanish | Italian | Dutch | Polish. Words of a cell are separated by spaces, and `_` joins the words of a phrase. Endings of
 * a language's inflections are stripped (`languages.ts`), so that a form is listed only where its stem changes.
 */
export const placeTranslations = `
studio: studio fotostudio aufnahmestudio | studio | estudio | studio | studio fotostudio | studio studyjny
backdrop: hintergrund | fond arriere_plan arriereplan | fondo | sfondo | achtergrond | tlo tle
wall: wand waende mauer mauern | mur murs paroi cloison | pared paredes muro | muro parete pareti mura | muur muren wand | sciana sciany scianie mur murek
room: zimmer raum wohnung | piece appartement maison | habitacion piso casa hogar | stanza casa appartamento | kamer ruimte appartement huis | pokoj pokoju mieszkanie dom domu
livingroom: wohnzimmer stube | salon sejour | salon sala | soggiorno salotto sala | woonkamer | salon salonie
kitchen: kueche kuechen | cuisine cuisines | cocina cocinas | cucina cucine | keuken keukens | kuchnia kuchni kuchenny kuchenna
counter: theke arbeitsplatte tresen kuechentheke | comptoir plan_de_travail | encimera mostrador barra | bancone banco piano_di_lavoro | aanrecht toonbank werkblad | blat blacie lada ladzie
restaurantkitchen: grosskueche profikueche gastrokueche gastronomiekueche | cuisine_professionnelle | cocina_profesional cocina_industrial | cucina_professionale | horecakeuken grootkeuken | kuchnia_restauracyjna kuchnia_gastronomiczna
stairwell: treppenhaus | cage_d_escalier | hueco_de_escalera caja_de_escalera | tromba_delle_scale vano_scale | trappenhuis | klatka_schodowa klatce_schodowej
businessdistrict: geschaeftsviertel bankenviertel | quartier_d_affaires quartier_des_affaires | distrito_financiero | quartiere_finanziario quartiere_degli_affari | zakenwijk zakendistrict | dzielnica_biznesowa dzielnicy_biznesowej
restaurant: restaurant gaststaette | restaurant | restaurante | ristorante trattoria | restaurant | restauracja restauracji
cafe: cafe kaffeehaus | cafe | cafe cafeteria | caffe caffetteria | cafe koffiehuis | kawiarnia kawiarni
bar: bar kneipe | bar | bar taberna | bar | bar kroeg | bar barze
bakery: baeckerei backstube konditorei | boulangerie patisserie | panaderia pasteleria | panetteria pasticceria forno | bakkerij | piekarnia piekarni cukiernia
library: bibliothek buecherei buecherregal | bibliotheque | biblioteca | biblioteca libreria | bibliotheek boekenkast | biblioteka bibliotece
shop: laden geschaeft kaufladen | magasin boutique_de_quartier | tienda | negozio bottega | winkel | sklep sklepie
boutique: boutique | boutique | boutique | boutique | boetiek | butik butiku
showroom: ausstellungsraum schauraum | salle_d_exposition | sala_de_exposicion exposicion | sala_espositiva esposizione | toonzaal tentoonstelling | salon_wystawowy wystawa
shelves: regal regale regalwand | etageres | estanteria estanterias | scaffale scaffali | stelling boekenplanken | regal regale polki
bathroom: bad badezimmer | salle_de_bain salle_de_bains | bano cuarto_de_bano | bagno vasca | badkamer | lazienka lazience lazienki
spa: spa wellness therme hammam | spa thermes hammam | spa balneario hammam | spa terme hammam | spa wellness hamam | spa hammam laznia
sauna: sauna | sauna | sauna | sauna | sauna | sauna saunie
bedroom: schlafzimmer | chambre chambre_a_coucher | dormitorio alcoba recamara | camera_da_letto | slaapkamer | sypialnia sypialni
bed: bett | lit | cama | letto | bed | lozko lozku
nightstand: nachttisch nachtkaestchen | table_de_nuit table_de_chevet chevet | mesita_de_noche mesilla velador | comodino | nachtkastje | stolik_nocny szafka_nocna
nursery: babyzimmer wickeltisch | chambre_de_bebe bebe | cuarto_del_bebe bebe | cameretta neonato | babykamer | pokoj_niemowlecy niemowle
playroom: kinderzimmer spielzimmer kind kinder | salle_de_jeux enfants enfant | sala_de_juegos ninos infantil | sala_giochi bambini | speelkamer kinderkamer kinderen | pokoj_dzieciecy pokoju_dzieciecym dzieci bawialnia
vanity: schminktisch frisiertisch | coiffeuse | tocador | toeletta | kaptafel | toaletka toaletce
dining: esszimmer speisezimmer esstisch abendessen mittagstisch | salle_a_manger table_a_manger diner | comedor mesa_de_comedor cena | sala_da_pranzo tavolo_da_pranzo pranzo cena | eetkamer eethoek eettafel diner avondeten | jadalnia jadalni stol_jadalny obiad kolacja
hallway: flur diele eingang | couloir entree vestibule | pasillo recibidor | corridoio ingresso | gang hal inkomhal | korytarz przedpokoj
lobby: lobby hotel hotelhalle empfangshalle foyer | hall hotel hall_d_hotel reception | vestibulo hotel recepcion | atrio hotel | lobby hotel foyer | hol holu hotel hotelowy recepcja
office: buero | bureau | oficina despacho | ufficio | kantoor | biuro biurze
desk: schreibtisch homeoffice | table_de_travail | escritorio | scrivania | schrijftafel thuiswerkplek | biurko biurku domowe_biuro domowym_biurze biuro_domowe biurze_domowym
classroom: klassenzimmer schule | salle_de_classe ecole | aula escuela | aula scuola | klaslokaal school | klasa szkola szkole
loft: loft | loft | loft | loft | loft | loft lofcie
attic: dachboden | grenier cabane | buhardilla | soffitta mansarda | hut | poddasze strych
warehouse: lagerhalle fabrik industriehalle industrie | entrepot usine industriel | almacen fabrica industrial | magazzino fabbrica industriale | loods fabriek industrieel | magazyn fabryka industrialny
garage: garage | garage | garaje | garage autorimessa | garage | garaz garazu
workshop: werkstatt | atelier | taller | officina laboratorio | werkplaats atelier | warsztat warsztacie
laboratory: labor apotheke klinik | laboratoire pharmacie clinique | laboratorio farmacia clinica | farmacia clinica | laboratorium apotheek kliniek | laboratorium apteka klinika
gym: fitnessstudio | salle_de_sport | gimnasio | palestra | sportschool | silownia silowni
yoga: yoga meditation | yoga meditation | yoga meditacion | yoga meditazione | yoga meditatie | joga jogi medytacja
gallery: galerie museum | galerie musee | galeria museo | galleria museo | galerij galerie museum | galeria galerii muzeum
runway: laufsteg buehne | podium_de_mode defile scene_de_theatre | pasarela escenario | passerella palcoscenico | catwalk podium_show | wybieg scena
theater: theater kino | theatre cinema | teatro cine | teatro cinema | theater bioscoop | teatr kino
market: markt wochenmarkt marktstand | marche | mercado mercadillo | mercato | markt kraam | targ rynek bazar
wardrobe: kleiderschrank garderobe | penderie dressing | armario vestidor | armadio guardaroba | kledingkast garderobe | szafa garderoba
cellar: keller weinkeller | cave cave_a_vin | bodega sotano | cantina | kelder wijnkelder | piwnica winiarnia
castle: schloss burg hoehle | chateau grotte | castillo cueva | castello grotta | kasteel grot | zamek zamku jaskinia
sofa: sofa couch | canape sofa | sofa | divano | bank zetel sofa | kanapa sofa
fireplace: kamin kaminfeuer | cheminee | chimenea | camino caminetto | open_haard haard schouw | kominek kominku
beach: strand | plage | playa | spiaggia | strand | plaza plazy
sea: meer | mer | mar | mare | zee | morze morza morzu
ocean: ozean | ocean | oceano | oceano | oceaan | ocean oceanu
coast: kueste | cote littoral | costa | costa scogliera | kust | wybrzeze
shore: ufer | rivage bord_de_mer | orilla | riva lungomare | oever | brzeg brzegu
island: insel | ile | isla | isola | eiland | wyspa wyspie
mediterranean: mediterran griechenland | mediterranee mediterraneen | mediterraneo | mediterraneo | mediterraan | srodziemnomorski
tropical: tropisch tropen | tropical tropiques | tropical tropico | tropicale tropici | tropisch tropen | tropikalny tropiki
pier: steg hafen bootssteg | ponton jetee port quai | muelle puerto | molo porto pontile | steiger haven | molo pomost port
poolside: schwimmbad poolrand | piscine | piscina alberca | piscina | zwembad | basen basenie
forest: wald waelder | foret sous_bois | bosque | bosco foresta | bos bossen woud | las lesie lasu lesny las_sosnowy sosnowy_las
jungle: dschungel urwald | jungle | selva jungla | giungla | oerwoud jungle | dzungla dzungli
tree: baum baeume | arbre | arbol | albero | boom bomen | drzewo drzewa
garden: garten gaerten | jardin | jardin | giardino | tuin | ogrod ogrodzie ogrodu
park: park | parc | parque | parco | park | park parku
meadow: wiese wiesen | prairie pre | pradera prado | prato | weide weiland | laka lace lakach polana polanie
field: feld felder acker | champ champs | campo | campo | veld akker | pole polu pola
nature: natur | nature | naturaleza | natura | natuur | natura przyroda
outdoor: draussen freien im_freien | exterieur plein_air | exterior aire_libre | aperto esterno all_aperto | buiten openlucht | zewnatrz plener plenerze
greenhouse: gewaechshaus wintergarten | serre jardin_d_hiver | invernadero jardin_de_invierno | serra giardino_d_inverno | kas broeikas wintertuin | szklarnia ogrod_zimowy
terrace: terrasse | terrasse | terraza | terrazza | terras | taras tarasie
balcony: balkon | balcon | balcon | balcone | balkon | balkon balkonie
townhouse: stadthaus reihenhaus | maison_de_ville hotel_particulier | casa_adosada | casa_a_schiera | herenhuis rijtjeshuis | kamienica kamienicy
havana: havanna | la_havane havane | la_habana habana | l_avana avana | | hawana hawanie
cloister: kreuzgang | cloitre | claustro | chiostro | kloostergang | kruzganek kruzganki
pantry:  | garde_manger | | | provisiekast | spizarni
cemetery:  | | | | | cmentarzu
tunnel: unterfuehrung | passage_souterrain | tunel | galleria_stradale | | tunelu przejscie_podziemne
escalator: rolltreppe rolltreppen | escalier_mecanique escalator | escalera_mecanica escaleras_mecanicas | scala_mobile scale_mobili | roltrap roltrappen | schody_ruchome
elevator: aufzug | ascenseur | ascensor | ascensore | | winda windzie
quarry: steinbruch | carriere_de_pierre | cantera | cava_di_pietra | steengroeve | kamieniolom kamieniolomie
zoo: tierpark | | zoologico | | dierentuin | ogrod_zoologiczny
houseboat: hausboot | peniche | casa_flotante | casa_galleggiante | woonboot | barka_mieszkalna
chinatown: chinesenviertel | quartier_chinois | barrio_chino | quartiere_cinese | | chinska_dzielnica
courtyard: innenhof hof | cour patio | patio | cortile patio | binnenplaats | dziedziniec patio podworko podworku podworze
picnic: picknick | pique_nique piquenique | picnic | picnic | picknick | piknik pikniku
underwater: unterwasser korallenriff riff | sous_marin sous_l_eau recif | submarino arrecife | subacqueo barriera_corallina | onderwater koraalrif | podwodny rafa
towel: handtuch badetuch | serviette drap_de_bain | toalla | asciugamano | handdoek | recznik
towels: handtuecher badetuecher | serviettes draps_de_bain | toallas | asciugamani | handdoeken | reczniki
porch: veranda | veranda perron | porche | veranda portico | veranda | weranda ganek
river: fluss | riviere | rio | fiume | rivier | rzeka rzece
stream: bach bachlauf gebirgsbach waldbach | ruisseau | arroyo riachuelo | ruscello torrente | beek beekje | strumien strumyk potok
barndoor: scheunentor scheunentuer | porte_de_grange | puerta_de_granero | porta_del_fienile porta_da_fienile | schuurdeur | drzwi_stodoly wrota_stodoly
vegetablegarden: gemuesegarten schrebergarten | potager jardin_potager | huerta | orto | moestuin | warzywnik
waterfall: wasserfall wasserfaelle | cascade cascades chute_d_eau | cascada cascadas catarata | cascata cascate | waterval watervallen | wodospad wodospadzie
olivegrove: olivenhain olivenbaum olivenbaeume | oliveraie olivier oliviers | olivar olivo olivos | uliveto oliveto ulivo ulivi | olijfgaard olijfboom olijfbomen | gaj_oliwny drzewo_oliwne drzewa_oliwne
lavenderfield: lavendelfeld lavendelfelder | champ_de_lavande champs_de_lavande | campo_de_lavanda campos_de_lavanda | campo_di_lavanda campi_di_lavanda | lavendelveld lavendelvelden | pole_lawendy pola_lawendy lawendowe_pole
orchard: obstgarten obstwiese | verger | huerto | frutteto | boomgaard | sad sadzie
vineyard: weinberg weingut | vignoble vigne | vinedo | vigneto | wijngaard | winnica winnicy
farm: bauernhof land landhaus | ferme campagne | granja campestre | fattoria campagna | boerderij platteland | gospodarstwo wsi farma
mountain: berg berge gebirge alpen | montagne montagnes | montana sierra | montagna montagne monti alpi | berg bergen alpen | gora gory gorach gorski
hill: huegel | colline collines | colina | collina | heuvel | wzgorze
valley: tal | vallee | valle | valle | vallei | dolina dolinie
desert: wueste | desert | desierto | deserto | woestijn | pustynia pustyni
dune: duene duenen | dune dunes | duna dunas | duna dune | duin duinen | wydma wydmy wydmach
sky: himmel | ciel | cielo | cielo | hemel lucht | niebo niebie
cloud: wolke wolken | nuage nuages | nube nubes | nuvola nuvole | wolk wolken | chmura chmury
space: weltraum weltall | espace cosmos | espacio cosmos | spazio cosmo | ruimtevaart heelal | kosmos kosmosie
star: stern sterne sternenhimmel | etoile etoiles | estrella estrellas | stella stelle | ster sterren | gwiazda gwiazdy
moon: mond | lune | luna | luna | maan | ksiezyc
galaxy: galaxie | galaxie | galaxia | galassia | melkweg | galaktyka
city: stadt innenstadt | ville | ciudad | citta | stad | miasto miescie miejski
street: strasse | rue | calle | strada via | straat | ulica ulicy
skyline: skyline | gratte_ciel panorama | rascacielos | grattacieli | wolkenkrabbers | wiezowce panorama
rooftop: dachterrasse | toit rooftop | azotea | tetto attico | dakterras | dach dachu
road: landstrasse autobahn | route autoroute | carretera | autostrada | weg snelweg | droga drodze
spring: fruehling fruehjahr fruehlingshaft | printemps printanier | primavera primaveral | primavera primaverile | lente voorjaar lenteachtig | wiosna wiosenny
summer: sommer sommerlich | ete estival | verano estival veraniego | estate estivo | zomer zomerse | lato latem letni
autumn: herbst herbstlich herbstlicher herbstliche herbstlichem herbstlaub herbstblaetter | automne feuilles_mortes feuilles_d_automne automnal | otono hojas_secas hojas_de_otono otonal | autunno foglie_secche foglie_d_autunno autunnale | herfst najaar herfstbladeren herfstig | jesien jesienny jesienne_liscie suche_liscie jesienia jesienna
winter: winter winterlich | hiver hivernal | invierno invernal | inverno invernale | winter winterse | zima zimowy zimowa
christmasmarket: weihnachtsmarkt christkindlmarkt adventsmarkt | marche_de_noel | mercado_navideno mercado_de_navidad | mercatino_di_natale mercatini_di_natale | kerstmarkt | jarmark_bozonarodzeniowy
christmas: weihnachten weihnachts weihnachtlich advent | noel | navidad navideno | natale natalizio | kerst kerstmis | swieta boze_narodzenie bozonarodzeniowy gwiazdka wigilia wigilijny swiateczny
easter: ostern oster osterfest oesterlich | paques | pascua pascual | pasqua pasquale | pasen paasfeest | wielkanoc wielkanocny wielkanocna wielkanocne swieta_wielkanocne
wedding: hochzeit | mariage | boda | matrimonio nozze | bruiloft huwelijk | wesele slub
birthday: geburtstag | anniversaire | cumpleanos | compleanno | verjaardag | urodziny
party: party feier | fete | fiesta | festa | feest | impreza przyjecie
flower: blume blumen blueten | fleur fleurs | flor flores | fiore fiori | bloem bloemen | kwiat kwiaty kwiatami
blossom: kirschbluete bluete | fleurs_de_cerisier cerisier | flor_de_cerezo cerezo | ciliegio fiori_di_ciliegio | bloesem kersenbloesem | kwiat_wisni
eucalyptus: eukalyptus | eucalyptus | eucalipto | eucalipto | eucalyptus | eukaliptus eukaliptusem
fern: farn farne | fougere fougeres | helecho helechos | felce felci | varen varens | paproc paprocie
pottery: toepferei keramikwerkstatt toepferwerkstatt | poterie atelier_de_poterie atelier_de_ceramique | alfareria taller_de_ceramica | laboratorio_di_ceramica | pottenbakkerij | garncarnia pracownia_ceramiczna
pool: pool schwimmbecken | | | | |
plant: pflanze pflanzen | plante plantes | planta plantas | pianta piante | plant planten | roslina rosliny roslinami
lemon: zitrone zitronen zitronenbaum | citron citrons citronnier | limon limones limonero | limone limoni | citroen citroenen citroenboom | cytryna cytryny cytrynami
palm: palme palmen palmenallee | palmier palmiers | palmera palmeras | palma palme | palmboom palmbomen palmenlaan | palma palmy
podium: podest podium sockel | podium socle estrade | podio pedestal | podio piedistallo plinto | podium sokkel voetstuk | podium podest cokol
cube: wuerfel block quader | cube bloc plinthe | cubo bloque plinto | cubo blocco | kubus blok plint | szescian kostka blok
shelf: wandregal regalbrett bord | etagere tablette | balda estante repisa | mensola ripiano | plank schap wandplank | polka polce
tray: tablett | plateau | bandeja | vassoio | dienblad | taca tacy
plate: teller | assiette | plato | piatto | bord | talerz talerzu
stairs: treppe stufen treppen | escalier marches | escalera escalones | scala scale gradini | trap treden | schody schodach
geometric: geometrisch formen koerper | geometrique formes | geometrico formas | geometrico forme | geometrisch vormen | geometryczny ksztalty bryly
sphere: kugel kugeln | sphere boule | esfera bola | sfera | bol bollen | kula kule
arch: bogen boegen rundbogen | arche arc arcade arches voute | arco arcos | arco archi | boog bogen | luk luki luku
curtain: vorhang vorhaenge gardine | rideau rideaux voilage | cortina cortinas | tenda tende tendaggio | gordijn gordijnen | zaslona zaslony kurtyna firana
candles: kerze kerzen | bougie bougies | vela velas | candela candele | kaars kaarsen | swieca swiece
petal: bluetenblatt bluetenblaetter rosenblaetter | petale petales | petalo petalos | petalo petali | bloemblad bloemblaadjes | platek platki
snowfall: schneefall schneeflocke schneeflocken | chute_de_neige flocon flocons | nevada copo copos | nevicata fiocco fiocchi | sneeuwval sneeuwvlok sneeuwvlokken | opad_sniegu sniezynka platki_sniegu
balloon: ballon ballons luftballon luftballons | ballon ballons | globo globos | palloncino palloncini | ballon ballonnen | balon balony balonami
bunting: girlande wimpel | guirlande fanions | guirnalda | ghirlanda | slinger | girlanda girlandy
paintedegg: osterei ostereier bunte_eier bemalte_eier gefaerbte_eier | oeufs_de_paques oeuf_de_paques oeufs_peints | huevos_de_pascua huevo_de_pascua huevos_pintados huevos_de_colores | uova_di_pasqua uovo_di_pasqua uova_dipinte | paasei paaseieren gekleurde_eieren beschilderde_eieren | pisanka pisanki pisankami malowane_jajka
egg: ei eier | oeuf oeufs | huevo huevos | uovo uova | eieren | jajko jajka
gift: geschenk geschenke paeckchen | cadeau cadeaux | regalo regalos | regalo regali | cadeau cadeaus pakje pakjes cadeautjes cadeautje | prezent prezenty prezentami
heart: herz herzen | coeur coeurs | corazon corazones | cuore cuori | hart harten hartjes | serce serca sercami
valentine: valentinstag | saint_valentin | san_valentin | san_valentino | valentijnsdag | walentynki
pampas: pampasgras trockenblumen trockenblume | herbe_de_la_pampa herbes_de_la_pampa herbes_de_pampa fleurs_sechees | hierba_de_la_pampa hierba_de_pampa flores_secas | erba_della_pampa fiori_secchi | pampagras pampasgras gedroogde_bloemen droogbloemen | trawa_pampasowa suszone_kwiaty
parasol: sonnenschirm sonnenschirme | parasol parasols | sombrilla sombrillas | ombrellone ombrelloni | parasol parasols | parasol parasolem parasole
pumpkin: kuerbis kuerbisse | citrouille citrouilles potiron | calabaza calabazas | zucca zucche | pompoen pompoenen | dynia dynie dyniami
halloween: halloween | halloween | halloween | halloween | halloween | halloween
rain: regen regnerisch | pluie pluvieux | lluvia lluvioso | pioggia piovoso | regen regenachtig | deszcz deszczu deszczowy
tent: zelt zelte camping | tente tentes camping | tienda_de_campana acampada | tenda_da_campeggio campeggio | tent tenten kampeer | namiot namiotu kemping
tulip: tulpe tulpen | tulipe tulipes | tulipan tulipanes | tulipano tulipani | tulp tulpen | tulipan tulipany tulipanami
flowerpot: blumentopf blumentoepfe terrakottatopf | pot_de_fleurs pots_en_terre_cuite | maceta macetas | vaso_di_fiori vasi_di_terracotta | bloempot bloempotten | doniczka doniczki doniczkami
sidewalk: gehweg gehsteig buergersteig trottoir | trottoir | acera vereda | marciapiede | stoep trottoir | chodnik chodniku
cafe: espressobar | bar_a_espresso | bar_de_cafe | bar_espresso | espressobar | 
juicebar: | bar_a_jus | bar_de_zumos bar_de_jugos | bar_di_succhi | sapbar | bar_sokowy
herb: kraeuter kraut kraeutern | herbes herbes_aromatiques | hierbas hierbas_aromaticas | erbe erbe_aromatiche | kruiden | ziola ziolami
leafshade: blattschatten blaetterschatten | ombres_de_palmier | sombras_de_palmera | ombre_di_palme | bladschaduw bladschaduwen | cienie_lisci
drop: tropfen tautropfen | goutte gouttes | gota gotas | goccia gocce | druppel druppels | kropla krople kroplami kropelki
oldtown: altstadt marktplatz rathausplatz | vieille_ville place_du_village place_du_marche | casco_antiguo plaza_mayor plaza casco_historico | centro_storico piazza | oude_stad stadsplein grachtenhuis grachtenhuizen | stare_miasto starego_miasta starowka
cafeterrace: strassencafe terrassencafe | terrasse_de_cafe terrasse_parisienne | terraza_de_cafe terraza_de_un_cafe | tavolini_all_aperto | cafeterras | ogrodek_kawiarniany
beergarden: biergarten wirtsgarten | guinguette | merendero | birreria_all_aperto | biertuin | ogrodek_piwny
supermarket: supermarkt drogerie | supermarche | supermercado | supermercato | supermarkt | supermarket supermarkecie sklep_spozywczy
sweetshop: suesswarenladen bonbonladen | confiserie | confiteria tienda_de_dulces | pasticceria_di_dolci | snoepwinkel | cukierki sklep_ze_slodyczami
frozenlake: zugefrorener_see eissee | lac_gele | lago_helado lago_congelado | lago_ghiacciato | bevroren_meer | zamarzniete_jezioro
icerink: eisbahn eislaufbahn | patinoire | pista_de_hielo | pista_di_ghiaccio | ijsbaan schaatsbaan | lodowisko
bamboogrove: bambuswald bambushain | foret_de_bambous bambouseraie | bosque_de_bambu | bosco_di_bambu foresta_di_bambu | bamboebos | bambusowy_las las_bambusowy
zengarden: zengarten steingarten | jardin_zen jardin_japonais | jardin_japones jardin_zen | giardino_zen giardino_giapponese | zentuin japanse_tuin | ogrod_zen ogrod_japonski
forestpath: waldweg wanderweg waldboden allee | sentier chemin_forestier sentier_forestier allee | sendero camino_del_bosque alameda | sentiero sentiero_nel_bosco viale_alberato viale | bospad wandelpad bosgrond laan | lesna_sciezka sciezka sciezce aleja alei
riceterrace: reisterrasse reisterrassen teeplantage | rizieres riziere plantation_de_the | arrozales terrazas_de_arroz | risaie risaia piantagione_di_te | rijstvelden rijstterrassen theeplantage | pole_ryzowe plantacja_herbaty
lemongrove: zitronenhain zitronengarten | citronniers verger_de_citronniers | limonar limoneros | limonaia limoneto | citroenboomgaard | gaj_cytrynowy
saltflat: salzsee salzwueste | desert_de_sel | salar salina | distesa_di_sale | zoutvlakte | solnisko
aurora: nordlicht nordlichter polarlicht | aurore_boreale | aurora_boreal | aurora_boreale | noorderlicht poollicht | zorza_polarna
constructionsite: baustelle | chantier | obra_en_construccion | cantiere | bouwplaats | plac_budowy budowa
lodge:  | chalet_de_ski | | rifugio_alpino rifugio | skihut | schronisku gorskie_schronisko schronisko_gorskie
amalfi: amalfikueste | cote_amalfitaine | costa_amalfitana | costiera_amalfitana | amalfikust | wybrzeze_amalfi
lane: gasse gaesschen | ruelle ruelles | callejon callejuela | vicolo vicoli | steeg steegje | uliczka uliczce zaulek
mountaintrail: bergpfad bergweg gebirgspfad | sentier_de_montagne chemin_de_montagne | sendero_de_montana | sentiero_di_montagna | bergpad | gorski_szlak gorska_sciezka szlak szlaku
parkbench: parkbank gartenbank | banc_de_parc banc_public banc_de_jardin | banco_de_parque banco_del_parque | panchina panchina_del_parco | parkbank tuinbank | lawka_w_parku lawka_parkowa
atelier: atelier maleratelier kuenstleratelier malerwerkstatt | atelier_d_artiste atelier_de_peintre | estudio_de_artista estudio_de_pintura | studio_d_artista atelier | kunstenaarsatelier schildersatelier | pracownia pracownia_malarska pracowni
puddle: pfuetze pfuetzen nass nasser nasses nassem | flaque flaques mouille mouillee | charco charcos mojado mojada | pozzanghera pozzanghere bagnato bagnata | plas plassen nat natte | kaluza kaluze mokry mokra mokre
railwaystation: bahnhof bahnsteig | gare quai_de_gare | estacion_de_tren anden | stazione binario | station perron | dworzec dworcu peron
medieval: mittelalter mittelalterlich rittersaal | medieval medievale moyen_age | medieval | medievale | middeleeuws ridderzaal | sredniowieczny sredniowieczna
cathedral: kathedrale kirche kloster | cathedrale eglise | catedral iglesia | cattedrale chiesa | kathedraal kerk | katedra kosciol
stable: stall pferdestall | ecurie etable | establo caballeriza | stalla scuderia | stal paardenstal | stajnia stajni
treehouse: baumhaus | cabane_dans_les_arbres | casa_del_arbol | casa_sull_albero | boomhut | domek_na_drzewie
chinesenewyear: chinesisches_neujahr | nouvel_an_chinois | ano_nuevo_chino | capodanno_cinese | chinees_nieuwjaar | chinski_nowy_rok
dayofthedead: tag_der_toten | jour_des_morts fete_des_morts | dia_de_muertos dia_de_los_muertos | giorno_dei_morti | dag_van_de_doden | dzien_zmarlych
hanukkah: chanukka | hanoucca | januca | | chanoeka | chanuka
thanksgiving: erntedank erntedankfest | action_de_grace | accion_de_gracias | ringraziamento | | swieto_dziekczynienia
sinterklaas: nikolaus nikolausabend | saint_nicolas | san_nicolas | san_nicola | sinterklaas pakjesavond | mikolajki
mardigras: karneval fasching fastnacht | carnaval | carnaval | carnevale | carnaval | karnawal
graduation: abschlussfeier | remise_de_diplome | graduacion | festa_di_laurea | diploma_uitreiking | absolutorium
playground: spielplatz | aire_de_jeux | parque_infantil | parco_giochi | speeltuin | plac_zabaw
barbecue: grillfest grillen grillabend | barbecue grillades | barbacoa asado parrillada | grigliata | barbecueen | grillowanie
gasstation: tankstelle | station_service | gasolinera | benzinaio stazione_di_servizio | tankstation benzinestation | stacja_benzynowa
basketballcourt: basketballplatz | | | | |
tenniscourt: tennisplatz tennisfeld | court_de_tennis terrain_de_tennis | pista_de_tenis cancha_de_tenis | campo_da_tennis campo_tennis | tennisbaan tennisveld | kort_tenisowy korcie_tenisowym
gymfloor: gummiboden gummimatte gummimatten | sol_en_caoutchouc | suelo_de_goma | pavimento_in_gomma | rubberen_vloer | gumowa_podloga
runninglane: laufbahn tartanbahn aschenbahn | piste_d_athletisme | pista_de_atletismo | pista_di_atletica | atletiekbaan | bieznia
watersurface: wasseroberflaeche | surface_de_l_eau | superficie_del_agua | superficie_dell_acqua | wateroppervlak | powierzchnia_wody tafla_wody
hammam: hamam tuerkisches_bad | bain_turc | bano_turco | bagno_turco | turks_bad | laznia_turecka
barbershop: barbier barbershop friseursalon | barbier salon_de_coiffure | barberia peluqueria | barbiere parrucchiere | barbier kapper | barber fryzjer
lisbon: lissabon | lisbonne | lisboa | lisbona | lissabon | lizbona lizbonie
rome: rom | rome romaine | roma romana | roma romana | | rzym rzymie
milan: mailand | | | milano | milaan | mediolan
vienna: wien wiener | vienne viennois | viena | | wenen weens | wieden wiedniu
prague: prag | | praga | praga | praag | praga pradze
munich: muenchen muenchner | | | monaco_di_baviera | | monachium
florence: florenz | | florencia | firenze | | florencja
riverside: | quais quai_de_seine quais_de_seine bord_de_seine | | | |
newyork: | | nueva_york | nuova_york | | nowy_jork nowym_jorku
koeln: koeln | | colonia_alemania | colonia_germania | keulen | kolonia
antwerp: antwerpen | anvers | | anversa | antwerpen | antwerpia
bruges: bruegge | | brujas_belgica | | brugge | brugia
ghent: | gand | | | | gandawa
naples: neapel | | napoles | napoli | napels | neapol
turin: | | | torino | turijn | turyn
bologna: | bologne | bolonia | | | bolonia
geneva: genf | geneve | | ginevra | geneve | genewa
edinburgh: | edimbourg | edimburgo | edimburgo | | edynburg
strasbourg: strassburg | | estrasburgo | strasburgo | straatsburg | strasburg
zurich: | | | zurigo | | zurych
gdansk: danzig | | | danzica | |
wroclaw: breslau | | | breslavia | |
helsinki: | | | | | helsinkach
warsaw: warschau | varsovie | varsovia | varsavia | warschau | warszawa warszawie
mallorca: | majorque | | maiorca | | majorka
andalusia: andalusien andalusisch | andalousie andalou | andalucia andaluz andaluza | andaluso | andalusie andalusisch | andaluzja
japanese: japanisch | japonais japonaise | japones japonesa | giapponese | japanse | japonski japonskim
mexican: mexikanisch | mexicain mexicaine | mexicano mexicana | messicano messicana | mexicaans | meksykanski
bougainvillea: bougainvilleen | bougainvillier bougainvilliers | buganvilla buganvillas buganvilias bugambilia bugambilias | buganvillea | | bugenwilla
seaside: ostsee nordsee ostseestrand nordseestrand | | | | noordzee | baltyk baltyku
flatlay: draufsicht vogelperspektive von_oben | vue_de_dessus vue_du_dessus a_plat | vista_cenital desde_arriba | dall_alto vista_dall_alto | bovenaanzicht van_bovenaf | widok_z_gory z_gory
rainywindow: regen_am_fenster regenfenster regentropfen_am_fenster | pluie_a_la_fenetre pluie_sur_la_vitre | lluvia_en_la_ventana ventana_con_lluvia | pioggia_alla_finestra pioggia_sulla_finestra | regen_op_het_raam regen_tegen_het_raam | deszcz_za_oknem deszcz_na_szybie
tropicalleaf: tropische_blaetter tropenblaetter | feuilles_tropicales | hojas_tropicales | foglie_tropicali | tropische_bladeren | tropikalne_liscie
stadium: stadion fussballstadion | stade | estadio | stadio | stadion voetbalstadion | stadion stadionie
pond: teich teiche weiher gartenteich | etang etangs | estanque estanques charca | stagno laghetto | vijver | staw stawem stawie
cliff: klippe klippen | falaise falaises | acantilado acantilados | | klif klippen | klify klifie
valley: schlucht schluchten | gorge gorges | | | kloof | wawoz wawozu
forest: lichtung waldlichtung | clairiere | | radura | |
alpinemeadow: alm almwiese almwiesen bergwiese bergwiesen | alpage alpages | prado_alpino | alpeggio | alpenweide bergweide | gorska_laka
peak: | sommet sommets | cumbre cumbres | vetta vette | bergtop | szczyt szczyty szczycie
oasis: oase | | | oasi | oase | oaza
prairie: heide heidelandschaft steppe | lande landes steppe | paramo estepa | brughiera steppa | heide steppe | wrzosowisko step pastwisko
chalet: | refuge | refugio | | |
shelves: speisekammer vorratskammer | cellier | despensa | dispensa | voorraadkast | spizarnia
lobby: empfangsbereich rezeption | accueil | | | receptie |
florist: blumenladen blumengeschaeft blumenmarkt | fleuriste marche_aux_fleurs | floristeria floreria | fioraio fiorista | bloemenwinkel bloemist bloemenmarkt | kwiaciarnia kwiaciarni
icecreamparlor: eisdiele eisdielen eiscafe eissalon | marchand_de_glaces | heladeria | gelateria | ijssalon | lodziarnia
meetingroom: besprechungsraum konferenzraum | salle_de_reunion | sala_de_reuniones | sala_riunioni | vergaderruimte vergaderzaal | sala_konferencyjna
shop: kaufhaus | grand_magasin | grandes_almacenes | | warenhuis | dom_towarowy
doctor: arztpraxis praxis | cabinet_medical | | studio_medico | | gabinet_lekarski
salon: | institut_de_beaute salon_de_beaute | | centro_estetico | schoonheidssalon | salon_kosmetyczny salon_urody
bistro: | brasserie | | osteria | eetcafe | karczma
pub: | | cerveceria | birreria | | piwiarnia
brewery: | | | birrificio | brouwerij | browar
teahouse: | | salon_de_te | sala_da_te | | herbaciarnia
spa: wellness_bereich wellnessbereich | espace_bien_etre | termas zona_de_bienestar | area_benessere | | termy
locker: spind spinde umkleide | casiers vestiaire | taquillas vestuario | armadietti spogliatoio | kluisjes kleedkamer | szafki szatnia
laundry: | | lavadero | | |
oldtown: | | | | marktplein |
fireplace: | poele_a_bois coin_du_feu au_coin_du_feu | estufa estufa_de_lena | stufa stufa_a_legna | houtkachel | piec piecyk
logcabin: gartenhaus gartenhaeuschen | | cabana_del_bosque | baita_di_legno | | domek_w_lesie
christmas: | | | | | choinka choinki choinke choinka_bozonarodzeniowa
city: | | | | | wiezowiec
rustic: | de_campagne style_campagne | estilo_rustico | stile_rustico | landelijke_stijl | styl_rustykalny
`;
