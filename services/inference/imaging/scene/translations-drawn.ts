/** Drawn things in six languages, in the form of `translations-places.ts`. */
export const drawnTranslations = `
apple: apfel aepfel | pomme pommes | manzana manzanas | mela mele | appel appels | jablko jablka jablkami
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
windmill: windmuehle | moulin moulin_a_vent | molino molino_de_viento | mulino mulino_a_vento | windmolen | wiatrak
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
`;
