/** Drawn things in six languages, in the form of `translations-places.ts`. */
export const drawnTranslations = `
apple: apfel aepfel | pomme pommes | manzana manzanas | mela mele | appel appels | jablko jablka jablkami
daffodil: narzisse narzissen osterglocke osterglocken | jonquille jonquilles narcisse narcisses | narciso narcisos | narciso narcisi | narcis narcissen | zonkil zonkile narcyz narcyzy
oranges: orangen | oranges | naranjas | arance | sinaasappel sinaasappels | pomarancze pomarancza pomaranczami
banana: banane bananen | banane bananes | platano platanos banana | banana banane | banaan bananen | banan banany
strawberry: erdbeere erdbeeren | fraise fraises | fresa fresas frutilla | fragola fragole | aardbei aardbeien | truskawka truskawki truskawkami
grape: traube trauben weintrauben | raisin raisins | uva uvas | uva grappolo | druif druiven | winogrono winogrona
pineapple: ananas | ananas | pina_tropical ananas | ananas | ananas | ananas
watermelon: wassermelone melone | pasteque | sandia | anguria cocomero | watermeloen | arbuz arbuzem
tomato: tomate tomaten | tomate tomates | tomate tomates | pomodoro pomodori | tomaat tomaten | pomidor pomidory
carrot: karotte karotten moehre moehren | carotte carottes | zanahoria zanahorias | carota carote | wortel wortels | marchew marchewka marchewki
chili: chili chilis | piment piments | chile guindilla | peperoncino peperoncini | chilipeper | papryczka papryczki
garlic: knoblauch | ail | ajo ajos | aglio | knoflook | czosnek czosnkiem
avocado: avocado avocados | avocat avocats | aguacate aguacates | avocado | avocado | awokado
coconut: kokosnuss kokosnuesse kokos | noix_de_coco coco | coco cocos | noce_di_cocco cocco | kokosnoot kokos | kokos kokosem
peaches: pfirsiche | peches | melocotones duraznos | pesche | perziken | brzoskwinie brzoskwiniami
pomegranate: granatapfel granataepfel | grenade grenades | granada granadas | melograno melagrana | granaatappel | granat_owoc
bread: brot brote | pain | pan | pane | brood | chleb chlebem
croissant: croissant hoernchen | croissant | croissant medialuna | cornetto croissant | croissant | rogalik
cheese: kaese | fromage fromages | queso quesos | formaggio formaggi | kaas | ser_zolty sery
cake: kuchen torte geburtstagskuchen | gateau gateaux | pastel_de_boda tarta tartas | torta torte | taart cake | ciasto tort tortem
cupcake: cupcake muffin | cupcake | magdalena cupcake | cupcake | cupcake | babeczka babeczki
donut: donut donuts krapfen | beignet donut | rosquilla donut | ciambella donut | donut | paczek paczki
icecream: speiseeis eistuete eiscreme | creme_glacee cornet_de_glace | helado helados | gelato | ijsje softijs | lody
honey: honig | miel | miel | miele | honing | miod miodem
spice: gewuerz gewuerze gewuerzen gewuerzmarkt | epice epices | especia especias | spezia spezie | specerij specerijen kruiden | przyprawa przyprawy
fruit: obst fruechte obstkiste gemuese kiste | fruits legumes cagette | frutas fruta verduras cajas | frutta verdura cassetta | fruit groente groenten kist | owoce owocami warzywa skrzynka
cinnamon: zimt zimtstangen | cannelle | canela | cannella | kaneel | cynamon cynamonem
fruitbowl: obstschale obstkorb | coupe_de_fruits corbeille_de_fruits | frutero | fruttiera | fruitschaal | misa_z_owocami
fern: farn farne farnen | fougere fougeres | helecho helechos | felce felci | varen varens | paproc paprocie paprociami
cactus: kaktus kakteen sukkulente sukkulenten | cactus succulente | cactus suculenta suculentas | cactus succulenta | cactus cactussen vetplant | kaktus kaktusy sukulenty
orchid: orchidee orchideen | orchidee orchidees | orquidea orquideas | orchidea orchidee | orchidee orchideeen | orchidea storczyk storczyki
vase: vase blumenvase | vase | jarron florero | vaso_di_fiori | vaas | wazon wazonie
sunflower: sonnenblume sonnenblumen sonnenblumenfeld | tournesol tournesols | girasol girasoles | girasole girasoli | zonnebloem zonnebloemen | slonecznik sloneczniki slonecznikow
poppy: mohn mohnblume mohnblumen mohnfeld klatschmohn | coquelicot coquelicots | amapola amapolas | papavero papaveri | klaproos klaprozen papaver | mak maki makow
roses: rosen | roses | rosas | rose | rozen | roze_kwiaty
daisy: gaensebluemchen margerite margeriten kamille | marguerite marguerites paquerette paquerettes | margarita margaritas manzanilla | margherita margherite camomilla | madeliefje madeliefjes kamille | stokrotka stokrotki rumianek
peony: pfingstrose pfingstrosen | pivoine pivoines | peonia peonias | peonia peonie | pioenroos pioenrozen | piwonia piwonie
lily: lilie lilien | lys lis | lirio lirios azucena | giglio gigli | lelie lelies | lilia lilie
wheat: weizen weizenfeld getreide kornfeld | ble bles epis | trigo trigal | grano frumento | tarwe graan korenveld | pszenica pszenicy zboze
mushroom: pilz pilze pilzen | champignon champignons | seta setas hongo hongos | fungo funghi | paddenstoel paddenstoelen | grzyb grzyby grzybami
log: baumstamm holzscheit brennholz | buche bois_de_chauffage rondin | tronco leno lena | tronco ceppo legna | boomstam brandhout | kloda drewno_opalowe
stump: baumstumpf | souche souche_d_arbre | tocon | ceppo_d_albero | boomstronk | pniak pien
hay: heu heuballen strohballen | botte_de_foin meule_de_foin | heno fardo | balla_di_fieno balle_di_fieno | hooi hooibaal | siano bela_siana
barrel: fass faesser weinfass holzfass | tonneau tonneaux fut | barril barriles | botte botti barile | vat ton wijnvat | beczka beczki
basket: korb koerbe weidenkorb | panier paniers | cesta cestas canasta | cesto cesti cestino | mand mandje | kosz koszyk koszyki
bird: vogel moewe moewen voegel | mouette mouettes oiseau oiseaux | gaviota gaviotas pajaro pajaros | gabbiano gabbiani uccello | meeuw meeuwen vogel vogels | ptak ptaki mewa mewy
butterfly: schmetterling schmetterlinge schmetterlingen | papillon papillons | mariposa mariposas | farfalla farfalle | vlinder vlinders | motyl motyle motylami
feather: feder federn | plumeau | pluma plumas | piuma piume | veer veren | pioro piora piorami
corals: korallen | coraux | corales_marinos | coralli | koralen | koralowce
shell: muschel muscheln | coquillage coquillages | concha conchas caracola | conchiglia conchiglie | schelp schelpen | muszla muszle muszelki
snowman: schneemann | bonhomme_de_neige | muneco_de_nieve | pupazzo_di_neve | sneeuwpop | balwan
wallmirror: wandspiegel | miroir_mural | espejo_de_pared | specchio_da_parete | wandspiegel | lustro_scienne
candle: kerze kerzen | bougie bougies chandelle | vela velas | candela candele | kaars kaarsen | swieca swiece swiecami
lantern: laterne laternen | lanterne lanternes lampion | farol farolillo linterna | lanterna lanterne | lantaarn lantaarns | latarnia latarenka lampion
tablelamp: tischlampe nachtlampe lampenschirm | lampe_de_table abat_jour lampe_de_chevet | lampara_de_mesa | lampada_da_tavolo abat_jour | tafellamp schemerlamp | lampka lampa_stolowa
pendantlamp: pendelleuchte haengelampe | suspension | lampara_colgante | lampada_a_sospensione | hanglamp | lampa_wiszaca
chandelier: kronleuchter luester | lustre lustres | arana_de_cristal candelabro | lampadario | kroonluchter | zyrandol
painting: gemaelde bilderrahmen | tableau tableaux cadre | cuadro cuadros | quadro quadri cornice | schilderij schilderijen | obraz obrazy
window: fenster fensters | fenetre fenetres | ventana ventanas ventanal | finestra finestre | raam ramen venster | okno okna oknem
chair: stuhl stuehle | chaise chaises | silla sillas | sedia sedie | stoel stoelen | krzeslo krzesla
armchair: sessel | fauteuil fauteuils | sillon sillones butaca | poltrona poltrone | leunstoel fauteuil | fotel fotele fotelem
bench: bank parkbank gartenbank sitzbank | banc bancs | banco_de_parque banca | panchina panca | bankje tuinbank | lawka lawce
ladder: leiter | echelle | escalera_de_mano | scala_a_pioli | ladder | drabina
clock: uhr wanduhr | horloge pendule | reloj_de_pared | orologio_da_parete | klok | zegar
piano: klavier fluegel | piano | piano | pianoforte | piano vleugel | pianino fortepian
guitar: gitarre gitarren | guitare | guitarra guitarras | chitarra | gitaar | gitara
bicycle: fahrrad fahrraeder | velo bicyclette | bicicleta | bicicletta | fiets fietsen | rower rowery
suitcase: koffer gepaeck | valise valises bagages | maleta maletas equipaje | valigia valigie | koffer koffers | walizka walizki
easel: staffelei leinwand | chevalet | caballete | cavalletto | schildersezel | sztaluga sztalugi
blackboard: tafel_schule schultafel kreidetafel wandtafel klassenzimmer | tableau_noir salle_de_classe | pizarra aula | lavagna_scolastica aula | schoolbord krijtbord klaslokaal | tablica_szkolna klasa
tub: badewanne | baignoire | banera | vasca_da_bagno | badkuip ligbad | wanna
sink: waschbecken waschtisch | lavabo evier | lavabo lavamanos fregadero | lavandino lavabo | wastafel wasbak | umywalka zlew
soap: seife seifen seifenspender | savon savons | jabon jabones | sapone saponi | zeep | mydlo
teapot: teekanne tee | theiere the | tetera te_verde | teiera te_verde | theepot thee | czajniczek herbata
cup: tasse tassen kaffeetasse | tasse tasses | taza tazas | tazza tazzina tazze | kopje kopjes | filizanka filizanki kubek
wineglass: wein weinglas weinflasche | vin verre_de_vin bouteille_de_vin | vino copa_de_vino | vino calice bicchiere_di_vino | wijn wijnglas | wino kieliszek
jar: glaeser einmachglas nudeln | bocal bocaux | tarro tarros | barattolo barattoli pasta | pot_glas weckpot | sloik sloiki makaron
books: buecher buchstapel | livres | libros | libri | boeken | ksiazki
globe: globus weltkugel | globe_terrestre | globo_terraqueo | mappamondo | wereldbol | globus
teddy: teddy teddybaer kuscheltier | ours_en_peluche peluche nounours | osito_de_peluche peluche | orsacchiotto peluche | teddybeer knuffel | mis_pluszowy pluszak
rockinghorse: schaukelpferd | cheval_a_bascule | caballito_balancin | cavallo_a_dondolo | hobbelpaard | kon_na_biegunach
football: fussball fussballplatz | ballon_de_foot football | balon_de_futbol futbol | pallone calcio | voetbal voetbalveld | pilka_nozna pilka
basketball: basketball | ballon_de_basket | baloncesto | pallacanestro | basketbal | koszykowka
dumbbell: hantel hanteln | haltere halteres | pesas mancuernas | manubri pesi | halter halters | hantle hantel
surfboard: surfbrett surfen | planche_de_surf surf | tabla_de_surf surf | tavola_da_surf surf | surfplank surfen | deska_surfingowa surfing
skateboard: skateboard skatepark | planche_a_roulettes | monopatin | skateboard | skateboard | deskorolka skatepark
laptop: laptop rechner computer | ordinateur | ordenador computadora portatil | computer portatile | laptop computer | laptop komputer
camera: kamera fotoapparat | appareil_photo | camara_de_fotos | macchina_fotografica fotocamera | fototoestel | aparat_fotograficzny
microphone: mikrofon konzert | microphone micro concert | microfono concierto | microfono concerto | microfoon concert | mikrofon koncert
laboratory: labor laborkolben | laboratoire | laboratorio | laboratorio | laboratorium | laboratorium
microscope: mikroskop | microscope | microscopio | microscopio | microscoop | mikroskop
barn: scheune bauernhof | grange ferme | granero granja | fienile fattoria granaio | schuur boerderij | stodola gospodarstwo
lighthouse: leuchtturm | phare | faro | faro | vuurtoren | latarnia_morska
sailboat: segelboot segelschiff jacht boot boote | voilier bateau bateaux | velero barco barcos yate | barca_a_vela barca barche veliero | zeilboot boot | zaglowka jacht lodka
windmill: windmuehle muehle | moulin moulin_a_vent | molino molino_de_viento | mulino mulino_a_vento | windmolen molen molens | wiatrak
castle: schloss burg | chateau | castillo | castello | kasteel | zamek zamku
church: kirche kapelle | eglise chapelle | iglesia capilla | chiesa cappella | kerk kapel | kosciol kaplica
eiffel: eiffelturm | tour_eiffel | torre_eiffel | torre_eiffel | eiffeltoren | wieza_eiffla
pyramid: pyramide pyramiden | pyramide pyramides | piramide piramides | piramide piramidi | piramide piramides | piramida piramidy
pagoda: pagode | pagode | pagoda | pagoda | pagode | pagoda
village: dorf | village | pueblo aldea | villaggio borgo paese | dorp | wies wioska
car: auto oldtimer | voiture | coche automovil auto | macchina_d_epoca automobile | auto oldtimer | samochod auto
camper: wohnmobil wohnwagen campingbus | camping_car fourgon | autocaravana furgoneta | furgone camper | kampeerbus camper | kamper przyczepa
fence: zaun gartenzaun | cloture palissade | valla cerca | recinto staccionata steccato | hek schutting | plot_ogrodowy plotek
beachchair: liegestuhl strandliege strandkorb | transat chaise_longue | tumbona hamaca | sdraio lettino | ligstoel strandstoel | lezak lezaki
hotairballoon: heissluftballon heissluftballons | montgolfiere montgolfieres | globo_aerostatico | mongolfiera mongolfiere | luchtballon luchtballonnen | balon_na_ogrzane_powietrze
anchor: anker | ancre | ancla | ancora_da_barca | anker | kotwica
disco: disko diskokugel party feier | boule_a_facettes fete | bola_de_discoteca discoteca fiesta | discoteca festa | discobal feest | dyskoteka impreza
firework: feuerwerk silvester | feu_d_artifice feux_d_artifice nouvel_an | fuegos_artificiales nochevieja | fuochi_d_artificio capodanno | vuurwerk | fajerwerki sylwester
wreath: kranz adventskranz tuerkranz | couronne_de_noel | corona_de_navidad | ghirlanda | krans adventskrans | wieniec
drum: trommel trommeln schlagzeug | tambour batterie | tambor bateria | tamburo batteria | trommel drumstel | beben perkusja
crown: krone | couronne | corona | corona | kroon | korona
hourglass: sanduhr | sablier | reloj_de_arena | clessidra | zandloper | klepsydra
workshop: werkstatt werkzeug hammer | atelier outils | taller herramientas | officina attrezzi | werkplaats gereedschap | warsztat narzedzia
wateringcan: giesskanne | arrosoir | regadera | annaffiatoio | gieter | konewka
bean: kaffeebohnen kaffeebohne bohnen | grains_de_cafe grain_de_cafe | granos_de_cafe cafe_en_grano | chicchi_di_caffe grani_di_caffe | koffiebonen koffieboon | ziarna_kawy
herbpot: kraeutertopf kraeutertoepfe kraeutertoepfen kraeuter | herbes_aromatiques pots_d_herbes | hierbas_aromaticas macetas_de_hierbas | erbe_aromatiche vasi_di_erbe | kruidenpotjes | ziola ziolami
copperpan: kupferpfanne kupferpfannen kupfertopf kupfertoepfe pfanne pfannen | casserole casseroles_en_cuivre poeles_en_cuivre | sartenes ollas_de_cobre cacerolas | pentole pentole_di_rame padelle | koperen_pannen pannen | garnki patelnie
pinecone: tannenzapfen kiefernzapfen zapfen | pommes_de_pin pomme_de_pin | pinas_de_pino pinas | pigne pigna | dennenappels dennenappel | szyszki szyszkami szyszka
bamboo: bambus bambuswald | bambous | canas_de_bambu | canne_di_bambu | bamboestengels | bambusy
cypress: zypresse zypressen | cypres | cipres cipreses | cipresso cipressi | cipres cipressen | cyprys cyprysy
firtree: tanne tannen tannenbaum tannenbaeume nadelbaeume | sapins | abetos pinos | abeti pini | dennenbomen sparren | jodly swierki sosny
lemonslice: zitronenscheibe zitronenscheiben | tranches_de_citron rondelles_de_citron | rodajas_de_limon | fette_di_limone | schijfjes_citroen citroenschijfjes | plasterki_cytryny
basil: basilikum | basilic | albahaca | basilico | basilicum | bazylia
oliveoil: olivenoel oel | huile_d_olive huile | aceite_de_oliva aceite | olio_d_oliva olio | olijfolie | oliwa_z_oliwek oliwa
eucalyptus: eukalyptus eukalyptuszweige | eucalyptus | eucalipto | eucalipto | eucalyptus | eukaliptus
blossom: bluetenzweig kirschblueten kirschbluete kirschbluetenzweige | fleurs_de_cerisier branches_de_cerisier | flores_de_cerezo flor_de_cerezo | fiori_di_ciliegio rami_di_ciliegio | kersenbloesem | kwiaty_wisni
vine: weinrebe weinreben rebstoecke | vignes_en_rang ceps | vides | viti | wijnranken | winorosl
tulip: tulpen tulpe tulpenfeld | tulipe tulipes | tulipan tulipanes | tulipano tulipani | tulp tulpen tulpenveld | tulipany tulipan tulipanow
sofa: sofa couch | canape canapes | sofa | divano divani | bank_sofa zitbank | kanapa sofa
rolledtowel: handtuchrollen handtuecher gerollte_handtuecher | serviettes_roulees serviettes_de_bain | toallas toallas_enrolladas | asciugamani asciugamani_arrotolati | handdoeken opgerolde_handdoeken | reczniki
bistro: bistrotisch bistro | table_de_bistrot bistrot | mesa_de_bistro bistro | tavolino_da_bistrot bistrot | bistrotafel | stolik_kawiarniany bistro
awning: markise | store_banne auvent | toldo | tenda_da_sole | luifel markies | markiza
fireplace: kamin kaminfeuer | cheminee feu_de_cheminee | chimenea | camino caminetto | open_haard haard | kominek kominku
oven: herd backofen ofen | four cuisiniere | horno | forno_da_cucina fornelli | oven fornuis | piekarnik kuchenka
kitchensink: spuele kuechenspuele wasserhahn | evier_de_cuisine robinet | fregadero_de_cocina grifo | lavello rubinetto | gootsteen kraan | kran_kuchenny
kettlebell: kettlebell | kettlebell | pesa_rusa | kettlebell | kettlebell | kettlebell
yogamat: yogamatte matte gymnastikmatte yoga | tapis_de_yoga yoga | esterilla yoga colchoneta | tappetino_da_yoga tappetino yoga | yogamat yoga | mata_do_jogi mata joga
tennis: tennis tennisplatz tennisball | tennis | tenis | tennis | tennis tennisbaan | tenis
golf: golf golfplatz | golf | golf | golf | golf golfbaan | golf
skis: ski skier skihuette | skis ski | esquis esqui | sci | ski skis | narty
sled: schlitten | luge traineau | trineo | slitta | slee | sanki
mannequin: schneiderpuppe | mannequin_de_couture | maniqui | manichino | paspop | manekin
clothesrack: kleiderstange kleiderstaender | portant penderie | perchero | appendiabiti | kledingrek | wieszak
shoppingbag: einkaufstasche einkaufstueten | sacs_de_courses | bolsas_de_compras | borse_della_spesa | boodschappentas | torba_na_zakupy
perfume: parfum parfuem parfuemerie | parfum parfumerie | perfume perfumeria | profumo profumeria | parfum | perfumy
lipstick: lippenstift kosmetik pinsel_kosmetik | rouge_a_levres maquillage | pintalabios maquillaje | rossetto trucco | lippenstift make_up | szminka makijaz
jackolantern: halloweenkuerbis | citrouille_d_halloween | calabaza_de_halloween | zucca_di_halloween | halloweenpompoen | dynia_halloweenowa
paris: paris pariser | paris parisien parisienne | paris parisino | parigi parigino | parijs parijse | paryz paryski
greece: santorini griechenland griechisch | grece grec grecque santorin | grecia griego | grecia greco | griekenland grieks | grecja grecki
tuscany: toskana toskanisch | toscane toscan | toscana toscano | toscana toscano | toscane toscaans | toskania toskanski
skyscraper: wolkenkratzer hochhaeuser | gratte_ciel | rascacielos | grattacieli grattacielo | wolkenkrabbers | wiezowce
shopfront: ladenfront schaufenster | devanture vitrine | escaparate | vetrina | winkelpui etalage | witryna
stall: marktstand | etal stand_de_marche | puesto_de_mercado | bancarella | marktkraam | stragan
bridge: bruecke | pont | puente | ponte | brug | most
venice: venedig gondel | venise gondole | venecia gondola | venezia | venetie | wenecja
london: london | londres | londres | londra | londen | londyn
tractor: traktor trecker | tracteur | tractor | trattore | tractor | traktor
provence: provence | provence | provenza | provenza | provence | prowansja
logcabin: blockhuette holzhuette berghuette huette | cabane_en_rondins chalet | cabana_de_madera cabana | baita capanna_di_legno | blokhut berghut | chata_z_bali chata
igloo: iglu | igloo | iglu | iglu | iglo | iglo
jetty: steg bootssteg holzsteg | ponton embarcadere jetee | muelle embarcadero | pontile molo | steiger | pomost molo
rowingboat: ruderboot kanu | barque canoe | barca_de_remos canoa | barca_a_remi canoa | roeiboot kano | lodz_wioslowa kajak
lifebuoy: rettungsring | bouee_de_sauvetage | salvavidas | salvagente | reddingsboei | kolo_ratunkowe
necklace: halskette schmuckkaestchen schmuck | collier bijoux | collar_de_joyas joyas | collana gioielli | ketting sieraden | naszyjnik bizuteria
sewing: naehmaschine | machine_a_coudre | maquina_de_coser | macchina_da_cucire | naaimachine | maszyna_do_szycia
yarn: wolle_garn garn wollknaeuel stricken | pelotes_de_laine | ovillos_de_lana | gomitoli_di_lana | breigaren bollen_wol | wloczka
paintbrush: malerpinsel | pinceaux | pinceles | pennelli | penselen | pedzle
pencil: buntstifte bleistift stifte | pastels_gras | lapices | matite | potloden | kredki olowki
backpack: rucksack | sac_a_dos | mochila | zaino | rugzak | plecak
toytrain: spielzeugeisenbahn holzeisenbahn | petit_train train_en_bois | tren_de_juguete | trenino | speelgoedtrein | kolejka_drewniana
toyblock: bauklotz bauklotze holzkloetze | cubes_en_bois | bloques_de_madera | blocchi_di_legno cubi_di_legno | houten_blokken blokken | klocki klockami
dollhouse: puppenhaus | maison_de_poupee | casa_de_munecas | casa_delle_bambole | poppenhuis | domek_dla_lalek
birdcage: vogelkaefig | cage_a_oiseaux | jaula_de_pajaros | gabbia_per_uccelli | vogelkooi | klatka_dla_ptakow
toolbox: werkzeugkasten | boite_a_outils | caja_de_herramientas | cassetta_degli_attrezzi | gereedschapskist | skrzynka_na_narzedzia
olives: olivenschale | olives_noires | aceitunas | olive_nere | olijfjes | oliwki
nut: nuesse haselnuesse mandeln | noix noisettes amandes | nueces avellanas almendras | noci nocciole mandorle | noten hazelnoten amandelen | orzechy_laskowe migdaly
berry: beeren heidelbeeren blaubeeren | myrtilles | arandanos bayas | mirtilli frutti_di_bosco | blauwe_bessen bessen | jagody borowki
raspberry: himbeere himbeeren | framboise framboises | frambuesa frambuesas | lampone lamponi | framboos frambozen | malina maliny malinami
cherries: kirschen | cerises | cerezas | ciliegie | kersen | czeresnie wisnie
limes: limetten | citrons_verts | limas_verdes | lime_verdi | limoenen | limonki
kiwi: kiwi kiwis | kiwis | kiwis | kiwi | kiwis | kiwi
ginger: ingwer | gingembre | jengibre | zenzero | gember | imbir
peppermint: minze pfefferminze | menthe_fraiche | hierbabuena menta_fresca | foglie_di_menta menta_fresca | munt | mieta_swieza
rosemary: rosmarin thymian | romarin thym | romero tomillo | rosmarino timo | rozemarijn tijm | rozmaryn tymianek
aloe: aloe | aloes | aloe sabila | aloe | aloe | aloes
tire: reifen autoreifen | pneu pneus | neumatico neumaticos | pneumatico pneumatici gomme | autoband | opona opony
streetlamp: strassenlaterne strassenlampe | reverbere lampadaire | farola farolas | lampione lampioni | straatlantaarn | latarnia_uliczna
neonsign: leuchtreklame neonschild neonschrift | enseigne_neon enseigne_au_neon | letrero_de_neon | insegna_al_neon | neonreclame | szyld_neonowy
scooter: motorroller roller vespa | scooter vespa | moto_vespa escuter | motorino vespa | scooter | skuter
umbrella: regenschirm schirm | parapluie | paraguas | ombrello | paraplu | parasolka
rainboot: gummistiefel | bottes_de_pluie | botas_de_agua | stivali_di_gomma | regenlaarzen | kalosze
rubberduck: quietscheente badeente | canard_en_plastique | patito_de_goma | paperella | badeend | gumowa_kaczka
desklamp: schreibtischlampe | lampe_de_bureau | lampara_de_escritorio | lampada_da_scrivania | bureaulamp | lampka_biurkowa
monitor: bildschirm monitor | ecran | pantalla monitor | schermo monitor | beeldscherm | monitor ekran
headphone: kopfhoerer | casque_audio | auriculares | cuffie | koptelefoon | sluchawki
vinyl: schallplatte plattenspieler | tourne_disque vinyle | tocadiscos vinilo | giradischi vinile | platenspeler | gramofon winyl
trophy: pokal | trophee | trofeo | trofeo | beker_trofee trofee | puchar
boxing: boxhandschuhe boxen | gants_de_boxe boxe | guantes_de_boxeo boxeo | guantoni boxe | bokshandschoenen | rekawice_bokserskie
locker: spind spinde umkleide | casiers vestiaire | taquillas vestuario | armadietti spogliatoio | kluisjes kleedkamer | szafki szatnia
iceberg: eisberg eisberge | iceberg | iceberg | iceberg | ijsberg | gora_lodowa
volcano: vulkan | volcan | volcan | vulcano | vulkaan | wulkan
waterlily: seerose seerosen lotus lotusblume | nenuphar nenuphars lotus | nenufar nenufares loto | ninfea ninfee loto | waterlelie lotus | lilia_wodna lotos
bush: busch buesche strauch | buisson buissons | arbusto arbustos | cespuglio cespugli | struik struiken | krzew krzewy krzak
hedge: hecke hecken | haies_vertes | seto setos | siepe siepi | heg haag | zywoplot
topiary: buchsbaum buchs | buis | boj | bosso | buxus | bukszpan
fountain: brunnen springbrunnen | fontaine | fuente | fontana | fontein | fontanna
gazebo: pavillon gartenpavillon | gloriette kiosque | cenador glorieta | gazebo padiglione | tuinhuisje prieel | altana
swing: schaukel | balancoire | columpio | altalena | schommel | hustawka
hammock: haengematte | hamac | hamaca | amaca | hangmat | hamak
campfire: lagerfeuer | feu_de_camp | fogata hoguera | fuoco_da_campo falo | kampvuur | ognisko
kettle: wasserkessel kessel | bouilloire | hervidor tetera_de_agua | bollitore | ketel waterkoker | czajnik
tipi: tipi kinderzelt | tipi | tipi | tepee tenda_indiana | tipi | tipi
bat: fledermaus fledermaeuse | chauve_souris | murcielago murcielagos | pipistrello pipistrelli | vleermuis vleermuizen | nietoperz nietoperze
ghost: gespenst gespenster geist | fantome fantomes | fantasma fantasmas | fantasma fantasmi | spook spoken | duch duchy
spiderweb: spinnennetz spinnweben | toile_d_araignee | telarana | ragnatela | spinnenweb | pajeczyna
witch: hexe hexenhut | sorciere chapeau_de_sorciere | bruja sombrero_de_bruja | strega cappello_da_strega | heks heksenhoed | czarownica
muesli: muesli haferflocken | flocons_d_avoine | avena copos_de_avena | fiocchi_d_avena cereali | havermout | platki_owsiane
henegg: huehnereier eierkarton | oeufs | huevos | uova | eierdoos | jajka
milk: milch milchflasche | lait | leche | latte | melk | mleko
cocoa: kakao schokoladentafel schokolade | tablette_de_chocolat cacao | tableta_de_chocolate cacao | tavoletta_di_cioccolato cacao | cacao chocoladereep | kakao tabliczka_czekolady
macaron: macarons | macarons | macarons | macarons | macarons | makaroniki
gingerbread: lebkuchen pfefferkuchen | pain_d_epices | pan_de_jengibre | pan_di_zenzero | peperkoek | piernik pierniki
beer: bier bierglas biergarten | biere | cerveza | birra | bier | piwo piwem
cocktail: cocktail cocktails | cocktail | coctel cocteles | cocktail aperitivo | cocktail | koktajl drink
champagneglass: sektglas sektglaeser champagnerglaeser | coupes_de_champagne | copas_de_champan | calici_di_spumante prosecco | champagneglazen | kieliszki_szampana szampan
lemonade: limonade | limonade | limonada | limonata | limonade | lemoniada
moka: espressokanne | cafetiere_italienne cafetiere | cafetera | moka caffettiera | percolator | kawiarka
hydrangea: hortensie hortensien | hortensia hortensias | hortensia hortensias | ortensia ortensie | hortensia | hortensja hortensje
dandelion: loewenzahn pusteblume | pissenlit pissenlits | diente_de_leon | tarassaco soffione | paardenbloem | dmuchawiec mlecz
snowglobe: schneekugel | boule_a_neige | bola_de_nieve | palla_di_neve | sneeuwbol | kula_sniezna
nutcracker: nussknacker | casse_noisette | cascanueces | schiaccianoci | notenkraker | dziadek_do_orzechow
candycane: zuckerstange zuckerstangen | sucre_d_orge | bastones_de_caramelo | bastoncini_di_zucchero | zuurstok | laski_cukrowe
stockings: nikolausstiefel weihnachtsstruempfe | chaussettes_de_noel | calcetines_de_navidad | calze_di_natale | kerstsokken | skarpety_swiateczne
advent: advent adventskerzen | avent | adviento | avvento | advent | adwent
ornament: weihnachtskugel weihnachtskugeln christbaumkugeln | boules_de_noel | bolas_de_navidad | palline_di_natale | kerstballen | bombki bombkami
bunny: osterhase hase | lapin_de_paques lapin | conejo_de_pascua conejo | coniglio_pasquale coniglio | paashaas | zajaczek krolik
easterbasket: osterkorb osternest | panier_de_paques | cesta_de_pascua | cestino_pasquale | paasmand | koszyk_wielkanocny
rainbow: regenbogen | arc_en_ciel | arcoiris arco_iris | arcobaleno | regenboog | tecza
clover: klee kleeblatt | trefle trefles | trebol treboles | trifoglio quadrifoglio | klaver klavertje | koniczyna
paperlantern: lampions papierlaterne papierlaternen | lanternes_en_papier | farolillos_de_papel | lanterne_di_carta | papieren_lantaarns | papierowe_lampiony
balloon: luftballon luftballons ballons | ballons ballon_de_baudruche | globos globo | palloncini palloncino | ballonnen ballon | balony balonami balon
garland: girlande wimpelkette wimpel | guirlande fanions | guirnalda banderines | festone bandierine | slinger vlaggetjes | girlanda choragiewki
`;
