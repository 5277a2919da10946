/** Drawn things in six languages, in the form of `translations-places.ts`. */
export const thingTranslations = `
apple: apfel aepfel | pomme pommes | manzana manzanas | mela mele | appel appels | jablko jablka jablkami
daffodil: narzisse narzissen osterglocke osterglocken | jonquille jonquilles narcisse narcisses | narciso narcisos | narciso narcisi | narcis narcissen | zonkil zonkile narcyz narcyzy
oranges: orangen | oranges | naranjas | arance | sinaasappel sinaasappels | pomarancze pomaranczami
banana: banane bananen | banane bananes | platano platanos banana | banana banane | banaan bananen | banan banany
strawberry: erdbeere erdbeeren | fraise fraises | fresa fresas frutilla | fragola fragole | aardbei aardbeien | truskawka truskawki truskawkami
grape: traube trauben weintrauben | raisin raisins | uva uvas | uva grappolo | druif druiven | winogrono winogrona
pineapple: ananas | ananas | pina_tropical ananas | ananas | ananas | ananas
watermelon: wassermelone | pasteque | sandia | anguria cocomero | watermeloen | arbuz arbuzem
tomato: tomate tomaten | tomate tomates | tomate tomates | pomodoro pomodori | tomaat tomaten | pomidor pomidory
carrot: karotte karotten moehre moehren | carotte carottes | zanahoria zanahorias | carota carote | wortel wortels | marchew marchewka marchewki
chili: chili chilis | piment piments | chile guindilla | peperoncino peperoncini | chilipeper | papryczka papryczki
garlic: knoblauch | ail | ajo ajos | aglio | knoflook | czosnek czosnkiem
avocado: avocado avocados | avocat avocats | aguacate aguacates | avocado | avocado | awokado
coconut: kokosnuss kokosnuesse kokos | noix_de_coco coco | coco cocos | noce_di_cocco cocco | kokosnoot kokos | kokos kokosem
peaches: pfirsiche | peches | melocotones duraznos | pesche | perziken | brzoskwinie brzoskwiniami
pomegranate: granatapfel granataepfel | grenade grenades | granada granadas | melograno melagrana | granaatappel | granat_owoc
bread: brot brote | pain | pan | pane | brood | chleb chlebem
croissant: croissant hoernchen plundergebaeck | croissant viennoiseries | croissant medialuna bolleria | cornetto croissant | croissant | rogalik
cheese: kaese | fromage fromages | queso quesos | formaggio formaggi | kaas | ser_zolty sery
cake: torte geburtstagskuchen | gateau gateaux | pastel_de_boda tarta tartas | torta torte | taart cake | ciasto tort tortem
cupcake: cupcake muffin | cupcake | magdalena cupcake | cupcake | cupcake | babeczka babeczki
donut: donut donuts krapfen | beignet donut | rosquilla donut | ciambella donut | donut | paczek paczki
icecream: speiseeis eistuete eiscreme | creme_glacee cornet_de_glace | helado helados | gelato | ijsje softijs | lody
honey: honig | miel | miel | miele | honing | miod miodem
spice: gewuerz gewuerze gewuerzen gewuerzmarkt | epice epices | especia especias | spezia spezie | specerij specerijen | przyprawa przyprawy
crate: kiste holzkiste weinkiste | caisse caisse_en_bois cagette | caja_de_madera cajon cajas | cassa_di_legno cassetta casse_di_legno | kist krat houtkist kratten houten_krat houten_kratten | skrzynka skrzyni skrzynia skrzynce
fruit: obst fruechte obstkiste gemuese | fruits legumes | frutas fruta verduras | frutta verdura | fruit groente groenten | owoce owocami warzywa
cinnamon: zimt zimtstangen | cannelle | canela | cannella | kaneel | cynamon cynamonem
fruitbowl: obstschale obstkorb | coupe_de_fruits corbeille_de_fruits | frutero | fruttiera | fruitschaal | misa_z_owocami
fern: farnen | | | | | paprociami
cactus: kaktus kakteen sukkulente sukkulenten | cactus succulente | cactus suculenta suculentas | cactus succulenta | cactus cactussen vetplant | kaktus kaktusy sukulenty
orchid: orchidee orchideen | orchidee orchidees | orquidea orquideas | orchidea orchidee | orchidee orchideeen | orchidea storczyk storczyki
vase: vase blumenvase | vase | jarron florero | | vaas | wazon wazonie
sunflower: sonnenblume sonnenblumen sonnenblumenfeld | tournesol tournesols | girasol girasoles | girasole girasoli | zonnebloem zonnebloemen | slonecznik sloneczniki slonecznikow
poppy: mohn mohnblume mohnblumen mohnfeld klatschmohn | coquelicot coquelicots | amapola amapolas | papavero papaveri | klaproos klaprozen papaver | mak maki makow
roses: rosen | roses | rosas | rose | rozen | roze_kwiaty roza rozy rozami rozach
daisy: gaensebluemchen margerite margeriten kamille | marguerite marguerites paquerette paquerettes | margarita margaritas manzanilla | margherita margherite camomilla | madeliefje madeliefjes kamille | stokrotka stokrotki rumianek
peony: pfingstrose pfingstrosen | pivoine pivoines | peonia peonias | peonia peonie | pioenroos pioenrozen | piwonia piwonie
lily: lilie lilien | lys lis | lirio lirios azucena | giglio gigli | lelie lelies | lilia lilie
wheat: weizen weizenfeld getreide kornfeld | ble bles epis | trigo trigal | grano frumento | tarwe graan korenveld | pszenica pszenicy zboze
mushroom: pilz pilze pilzen | champignon champignons | seta setas hongo hongos | fungo funghi | paddenstoel paddenstoelen | grzyb grzyby grzybami
log: baumstamm holzscheit | buche rondin | tronco leno | tronco ceppo | boomstam | kloda
basket: korb koerbe weidenkorb | panier paniers | cesta cestas canasta | cesto cesti cestino | mand mandje | kosz koszyk koszyki
feather: feder federn | plumeau | pluma plumas | piuma piume | veer veren | pioro piora piorami
corals: korallen | coraux | corales_marinos | coralli | koralen | koralowce
shell: muschel muscheln | coquillage coquillages | concha conchas caracola | conchiglia conchiglie | schelp schelpen | muszla muszle muszelki
candle: teelicht teelichter | chandelle | | | waxinelichtje waxinelichtjes | swiecami swieczka swieczki
lantern: laterne laternen | lanterne lanternes lampion | farol farolillo linterna | lanterna lanterne | lantaarn lantaarns | latarnia latarenka lampion
magazine: zeitschrift zeitschriften | revue revues | revista revistas | rivista riviste | tijdschrift tijdschriften | czasopismo czasopisma
cakestand: tortenstaender tortenplatte etagere | presentoir_a_gateaux | soporte_para_tartas | alzata_per_torte | taartplateau | patera
suitcase: koffer gepaeck | valise valises bagages | maleta maletas equipaje | valigia valigie | koffer koffers | walizka walizki
soap: seife seifen seifenspender | savon savons | jabon jabones | sapone saponi | zeep | mydlo
teapot: teekanne tee | theiere the | tetera te_verde | teiera te_verde | theepot thee | czajniczek herbata
cup: tasse tassen kaffeetasse | tasse tasses | taza tazas | tazza tazzina tazze | kopje kopjes | filizanka filizanki kubek
wineglass: weinglas weinglaeser rotwein | verre_a_vin vin_rouge vin_blanc | copa copas copa_de_vino vino_tinto vino_blanco | calice_di_vino bicchiere_di_vino vino_rosso vino_bianco | wijnglas wijnglazen rode_wijn witte_wijn | kieliszek kieliszki czerwone_wino biale_wino
jar: glaeser einmachglas | bocal bocaux | tarro tarros | barattolo barattoli | pot_glas weckpot | sloik sloiki
books: buecher buchstapel buecherstapel stapel_buecher einem_buch dem_buch ein_buch | livres livre pile_de_livres | libros libro pila_de_libros | libri libro pila_di_libri | boeken boek boekenstapel stapel_boeken | ksiazki ksiazka ksiazek stos_ksiazek stosie_ksiazek
globe: globus weltkugel | globe_terrestre | globo_terraqueo | mappamondo | wereldbol | globus
teddy: teddy teddybaer kuscheltier | ours_en_peluche peluche nounours | osito_de_peluche peluche | orsacchiotto peluche | teddybeer knuffel | mis_pluszowy pluszak
football: fussball fussballplatz | ballon_de_foot football | balon_de_futbol futbol | pallone calcio | voetbal voetbalveld | pilka_nozna pilka
basketball: basketball | ballon_de_basket | baloncesto | pallacanestro | basketbal | koszykowka
dumbbell: hantel hanteln | haltere halteres | pesas mancuernas | manubri pesi | halter halters | hantle hantel
laptop: laptop rechner computer | ordinateur | ordenador computadora portatil | computer portatile | laptop computer | laptop komputer
camera: kamera fotoapparat | appareil_photo | camara_de_fotos | macchina_fotografica fotocamera | fototoestel | aparat_fotograficzny
laboratory: laborkolben | | | | |
microscope: mikroskop | microscope | microscopio | microscopio | microscoop | mikroskop
anchor: anker | ancre | ancla | ancora_da_barca | anker | kotwica
drum: trommel trommeln schlagzeug | tambour batterie | tambor bateria | tamburo batteria | trommel drumstel | beben perkusja
crown: krone | couronne | corona | corona | kroon | korona
hourglass: sanduhr | sablier | reloj_de_arena | clessidra | zandloper | klepsydra
wateringcan: giesskanne | arrosoir | regadera | annaffiatoio | gieter | konewka
bean: kaffeebohnen kaffeebohne bohnen | grains_de_cafe grain_de_cafe | granos_de_cafe cafe_en_grano | chicchi_di_caffe grani_di_caffe | koffiebonen koffieboon | ziarna_kawy
herbpot: kraeutertopf kraeutertoepfe kraeutertoepfen | pots_d_herbes | macetas_de_hierbas | vasi_di_erbe | kruidenpotjes |
pinecone: tannenzapfen kiefernzapfen zapfen | pommes_de_pin pomme_de_pin | pinas_de_pino pinas | pigne pigna | dennenappels dennenappel | szyszki szyszkami szyszka
lemonslice: zitronenscheibe zitronenscheiben | tranches_de_citron rondelles_de_citron | rodajas_de_limon | fette_di_limone | schijfjes_citroen citroenschijfjes | plasterki_cytryny
basil: basilikum | basilic | albahaca | basilico | basilicum | bazylia
oliveoil: olivenoel oel | huile_d_olive huile | aceite_de_oliva aceite | olio_d_oliva olio | olijfolie | oliwa_z_oliwek oliwa
eucalyptus: eukalyptuszweige | | | | |
blossom: bluetenzweig kirschblueten kirschbluetenzweige | branches_de_cerisier | flores_de_cerezo | rami_di_ciliegio | | kwiaty_wisni
tulip: tulpenfeld | | | | tulpenveld | tulipanow
rolledtowel: handtuchrollen gerollte_handtuecher | serviettes_roulees serviettes_de_bain | toallas_enrolladas | asciugamani_arrotolati | opgerolde_handdoeken |
kettlebell: kettlebell | kettlebell | pesa_rusa | kettlebell | kettlebell | kettlebell
yogamat: yogamatte matte matten gymnastikmatte turnmatte turnmatten | tapis_de_yoga | esterilla colchoneta | tappetino_da_yoga tappetino | yogamat | mata_do_jogi mata
tennis: tennis tennisball | tennis | tenis | tennis | tennis | tenis
golf: golf golfplatz | golf | golf | golf | golf golfbaan | golf
shoppingbag: einkaufstasche einkaufstueten | sacs_de_courses | bolsas_de_compras | borse_della_spesa | boodschappentas | torba_na_zakupy
perfume: parfum parfuem parfuemerie | parfum parfumerie | perfume perfumeria | profumo profumeria | parfum | perfumy
lipstick: lippenstift kosmetik pinsel_kosmetik | rouge_a_levres maquillage | pintalabios maquillaje | rossetto trucco | lippenstift make_up | szminka makijaz
jackolantern: halloweenkuerbis | citrouille_d_halloween | calabaza_de_halloween | zucca_di_halloween | halloweenpompoen | dynia_halloweenowa
necklace: halskette schmuckkaestchen schmuck | collier bijoux boucles_d_oreilles | collar_de_joyas joyas | collana gioielli | ketting sieraden | naszyjnik bizuteria
yarn: wolle_garn garn wollknaeuel stricken | pelotes_de_laine | ovillos_de_lana | gomitoli_di_lana | breigaren bollen_wol | wloczka
paintbrush: malerpinsel | pinceaux | pinceles | pennelli | penselen | pedzle
pencil: buntstifte bleistift stifte | pastels_gras | lapices | matite | potloden | kredki olowki
backpack: rucksack | sac_a_dos | mochila | zaino | rugzak | plecak
toytrain: spielzeugeisenbahn holzeisenbahn | petit_train train_en_bois | tren_de_juguete | trenino | speelgoedtrein | kolejka_drewniana
toyblock: bauklotz bauklotze holzkloetze | cubes_en_bois | bloques_de_madera | blocchi_di_legno cubi_di_legno | houten_blokken blokken | klocki klockami
toolbox: werkzeugkasten werkzeugkoffer | boite_a_outils | caja_de_herramientas | cassetta_degli_attrezzi | gereedschapskist | skrzynka_na_narzedzia
olives: olivenschale | olives_noires | aceitunas | olive_nere | olijfjes | oliwki
nut: nuesse haselnuesse mandeln | noix noisettes amandes | nueces avellanas almendras | noci nocciole mandorle | noten hazelnoten amandelen | orzechy_laskowe migdaly
berry: beeren heidelbeeren blaubeeren | myrtilles | arandanos bayas | mirtilli frutti_di_bosco | blauwe_bessen bessen | jagody borowki
raspberry: himbeere himbeeren | framboise framboises | frambuesa frambuesas | lampone lamponi | framboos frambozen | malina maliny malinami
cherries: kirschen | cerises | cerezas | ciliegie | kersen | czeresnie wisnie
limes: limetten | citrons_verts | limas_verdes | lime_verdi | limoenen | limonki
kiwi: kiwi kiwis | kiwis | kiwis | kiwi | kiwis | kiwi
ginger: ingwer | gingembre | jengibre | zenzero | gember | imbir
peppermint: pfefferminze | menthe_fraiche | hierbabuena menta_fresca | foglie_di_menta menta_fresca | | mieta_swieza
rosemary: rosmarin thymian | romarin thym | romero tomillo | rosmarino timo | rozemarijn tijm | rozmaryn tymianek
aloe: aloe | aloes | aloe sabila | aloe | aloe | aloes
umbrella: regenschirm schirm | parapluie | paraguas | ombrello | paraplu | parasolka
rainboot: gummistiefel | bottes_de_pluie | botas_de_agua | stivali_di_gomma | regenlaarzen | kalosze
rubberduck: quietscheente badeente | canard_en_plastique | patito_de_goma | paperella | badeend | gumowa_kaczka
headphone: kopfhoerer | casque_audio | auriculares | cuffie | koptelefoon | sluchawki
vinyl: schallplatte plattenspieler | tourne_disque vinyle | tocadiscos vinilo | giradischi vinile | platenspeler | winyl
trophy: pokal | trophee | trofeo | trofeo | beker_trofee trofee | puchar
waterlily: seerose seerosen lotus lotusblume | nenuphar nenuphars lotus | nenufar nenufares loto | ninfea ninfee loto | waterlelie lotus | lilia_wodna lotos
kettle: wasserkessel kessel | bouilloire | hervidor tetera_de_agua | bollitore | ketel waterkoker | czajnik
ghost: gespenst gespenster geist | fantome fantomes | fantasma fantasmas | fantasma fantasmi | spook spoken | duch duchy
spiderweb: spinnennetz spinnweben | toile_d_araignee | telarana | ragnatela | spinnenweb | pajeczyna
witch: hexe hexenhut | sorciere chapeau_de_sorciere | bruja sombrero_de_bruja | strega cappello_da_strega | heks heksenhoed | czarownica
muesli: muesli haferflocken | flocons_d_avoine | avena copos_de_avena | fiocchi_d_avena cereali | havermout | platki_owsiane
henegg: huehnereier eierkarton | | | | eierdoos |
milk: milch milchflasche | lait | leche | latte | melk | mleko
cocoa: kakao schokoladentafel | tablette_de_chocolat cacao | tableta_de_chocolate cacao | tavoletta_di_cioccolato cacao | cacao chocoladereep | kakao tabliczka_czekolady
macaron: macarons | macarons | macarons | macarons | macarons | makaroniki
gingerbread: lebkuchen pfefferkuchen | pain_d_epices | pan_de_jengibre | pan_di_zenzero | peperkoek | piernik pierniki
beer: bier bierglas | biere | cerveza | birra | bier | piwo piwem
cocktail: cocktail cocktails | cocktail | coctel cocteles | cocktail aperitivo | cocktail | koktajl drink
champagneglass: sektglas sektglaeser champagnerglaeser | coupes_de_champagne | copas_de_champan | calici_di_spumante prosecco | champagneglazen | kieliszki_szampana
lemonade: limonade | limonade | limonada | limonata | limonade | lemoniada
moka: espressokanne | cafetiere_italienne cafetiere | cafetera | moka caffettiera | percolator | kawiarka
hydrangea: hortensie hortensien | hortensia hortensias | hortensia hortensias | ortensia ortensie | hortensia | hortensja hortensje
dandelion: loewenzahn pusteblume | pissenlit pissenlits | diente_de_leon | tarassaco soffione | paardenbloem | dmuchawiec mlecz
snowglobe: schneekugel | boule_a_neige | bola_de_nieve | palla_di_neve | sneeuwbol | kula_sniezna
nutcracker: nussknacker | casse_noisette | cascanueces | schiaccianoci | notenkraker | dziadek_do_orzechow
candycane: zuckerstange zuckerstangen | sucre_d_orge | bastones_de_caramelo | bastoncini_di_zucchero | zuurstok | laski_cukrowe
advent: adventskerzen | avent | adviento | avvento | advent | adwent
adventwreath: adventskranz adventskraenze | couronne_de_l_avent | corona_de_adviento | corona_dell_avvento | adventskrans | wieniec_adwentowy
bunny: osterhase hase | lapin_de_paques lapin | conejo_de_pascua conejo | coniglio_pasquale coniglio | paashaas | zajaczek krolik
easterbasket: osterkorb osternest | panier_de_paques | cesta_de_pascua | cestino_pasquale | paasmand | koszyk_wielkanocny
clover: klee kleeblatt | trefle trefles | trebol treboles | trifoglio quadrifoglio | klaver klavertje | koniczyna
orangejuice: orangensaft saft saftbar | jus_d_orange jus | zumo zumo_de_naranja jugo | succo_d_arancia succo | sinaasappelsap sap | sok_pomaranczowy sok
hotchocolate: heisse_schokolade | chocolat_chaud guimauve | chocolate_caliente | cioccolata_calda | warme_chocolademelk chocolademelk | goraca_czekolada
pancake: pfannkuchen eierkuchen | crepes crepe | tortitas panqueques | frittelle | pannenkoek pannenkoeken | nalesniki nalesnik placki
cereal: fruehstuecksflocken cerealien | | | | ontbijtgranen | platki_sniadaniowe
flour: mehl mehlsack | farine | harina | farina panificio | meel | maka
rollingpin: nudelholz teigrolle | rouleau_a_patisserie | rodillo_de_cocina rodillo | mattarello mattarelli | deegroller | walek_do_ciasta walek
cuttingboard: schneidebrett schneidebretter hackbrett | planche_a_decouper | tabla_de_cortar | tagliere taglieri | snijplank snijplanken | deska_do_krojenia deska_kuchenna
burger: burger hamburger | hamburger burger | hamburguesa hamburguesas | hamburger | hamburger | burgery hamburgery
pretzel: brezel brezeln breze brezn | bretzel bretzels | pretzel lazo_salado | brezel | krakeling | precel precle
turkey: truthahn putenbraten | dinde | pavo pavo_asado | tacchino | kalkoen | indyk indyka
corn: mais maiskolben | mais epi_de_mais | maiz mazorca | mais pannocchia pannocchie | mais maiskolf | kukurydza kukurydzy
medjool: dattel datteln | dattes datte | datiles datil | datteri dattero | dadels dadel | daktyle daktyli
icecube: eiswuerfel | glacons glacon | cubitos_de_hielo | cubetti_di_ghiaccio | ijsblokjes ijsblokje | kostki_lodu
oyster: auster austern meeresfruechte | huitre huitres fruits_de_mer | ostra ostras mariscos | ostrica ostriche frutti_di_mare | oester oesters zeevruchten | ostryga ostrygi owoce_morza
fish: fisch fische fischmarkt | poisson poissons poissonnerie | pescado pescados pescaderia | pesce pesci pescheria | vis vissen vismarkt | ryba ryby
ham: schinken | jambon jambons | jamon | prosciutto | ham hammen | szynka szynki
tapas: tapas tapasbar | tapas | tapas tapeo | tapas | tapas tapasbar | tapas
ramen: ramen nudelsuppe | ramen nouilles | ramen fideos | ramen | noedels noedelsoep | ramen makaron_ramen
pasta: pasta nudeln spaghetti | pates spaghetti | pasta espaguetis espagueti | pasta spaghetti | pasta spaghetti | makaron spaghetti
cookie: keks kekse plaetzchen | biscuit | galleta galletas | biscotto biscotti | koekje koekjes koekjestrommel | ciastko ciastka ciasteczka
baguette: baguette stangenbrot | baguette | baguette barra_de_pan | baguette filone | stokbrood stokbroden | bagietka bagietki
peppermill: pfeffermuehle salzmuehle pfeffer | moulin_a_poivre poivre poivrier | molinillo_de_pimienta pimienta | macinapepe pepe | pepermolen peper zoutmolen | mlynek_do_pieprzu pieprz
teaglass: teeglas teeglaeser minztee marokko marokkanisch | verre_a_the the_a_la_menthe maroc marocain | vaso_de_te te_de_menta marruecos marroqui | bicchiere_da_te te_alla_menta marocco marocchino | theeglas muntthee marokko marokkaans | szklanka_do_herbaty herbata_mietowa maroko marokanski
decanter: whiskykaraffe whisky | carafe_a_whisky whisky | decantador licorera whisky | decanter whisky | karaf whisky whiskykaraf | karafka whisky
coffeesack: kaffeesack kaffeesaecke roesterei kaffeeroesterei | sac_de_cafe torrefaction | saco_de_cafe tostador | sacco_di_caffe torrefazione | koffiezak branderij koffiebranderij | worek_kawy palarnia
smoothie: smoothie milchshake | smoothie milk_shake | batido batidos smoothie | frullato frullati frappe | smoothie milkshake | koktajle smoothie
fondue: fondue kaesefondue schweiz schweizer | fondue fondue_savoyarde suisse | fondue suiza suizo | fonduta svizzera svizzero | fondue kaasfondue zwitserland zwitsers | fondue szwajcaria szwajcarski
pepernoten: pfeffernuesse pfeffernuss gewuerzkekse | pepernoten | pepernoten | pepernoten | pepernoten pepernoot kruidnoten kruidnoot | pierniczki pepernoten
candyjar: bonbonglas suessigkeiten suesswaren | bonbonniere | caramelos golosinas tarro_de_caramelos | caramelle caramella vaso_di_caramelle | snoeppot snoep snoepjes | sloj_cukierkow slodycze
lollipop: lutscher lolli lollis | sucette sucettes | piruleta piruletas chupete_de_caramelo | lecca_lecca leccalecca | lolly lollys | lizak lizaki
pumpkinpie: kuerbiskuchen kuerbistorte pastete | tarte_a_la_citrouille tarte | tarta_de_calabaza pastel_de_calabaza | torta_di_zucca crostata | pompoentaart | ciasto_dyniowe tarta
chestnut: kastanie kastanien maronen esskastanien | chataigne chataignes marrons marron_chaud | castana castanas | castagna castagne caldarroste | kastanje kastanjes | kasztan kasztany
fig: feige feigen | figue figues | higo higos | fico fichi | vijg vijgen | figa figi
plum: pflaume pflaumen zwetschge zwetschgen | prune prunes quetsche mirabelle | ciruela ciruelas | prugna prugne susina | pruim pruimen | sliwka sliwki
pear: birne birnen | poire poires | pera peras | pera pere | peer peren | gruszka gruszki
mango: mango | mangue mangues | mango | mango manghi | mango | mango
papaya: papaya | papaye papayes | papaya | papaia papaya | papaja | papaja papaje
dragonfruit: drachenfrucht pitahaya pitaya | fruit_du_dragon pitaya | pitahaya fruta_del_dragon | frutto_del_drago pitaya | drakenfruit pitaja | smoczy_owoc pitaja
cabbage: kohl kohlkopf weisskohl | chou choux | col repollo | cavolo cavoli verza | kool kolen witte_kool | kapusta kapusty
onion: zwiebel zwiebeln | oignon oignons | cebolla cebollas | cipolla cipolle | ui uien | cebula cebule
bellpepper: paprika paprikaschote | poivron poivrons | pimiento pimientos | peperone peperoni | paprika | papryka papryki
eggplant: aubergine auberginen | aubergine | berenjena berenjenas | melanzana melanzane | aubergine | baklazan baklazany
broccoli: brokkoli broccoli | brocoli brocolis | brocoli | broccoli broccolo | broccoli | brokuly brokul
radish: radieschen rettich | radis | rabano rabanos rabanitos | ravanello ravanelli | radijs radijsjes | rzodkiewka rzodkiewki
asparagus: spargel | asperge asperges | esparrago esparragos | asparago asparagi | asperge asperges | szparag szparagi
lettuce: salat kopfsalat salatkopf | laitue salade | lechuga lechugas ensalada | lattuga insalata | sla kropsla salade | salata salaty
mulledwine: gluehwein | vin_chaud | vino_caliente | vin_brule | gluhwein | grzane_wino grzaniec jarmark
cutlery: besteck gabel loeffel serviette | couverts fourchette cuillere | cubiertos tenedor cuchara servilleta | posate forchetta cucchiaio tovagliolo | bestek vork lepel servet | sztucce widelec lyzka serwetka
crockery: geschirr tellerstapel | assiettes vaisselle | platos vajilla | piatti stoviglie | borden servies | talerze naczynia
carafe: wasserkaraffe wasserglas karaffe | carafe carafe_d_eau verre_d_eau | jarra_de_agua vaso_de_agua | caraffa caraffa_d_acqua bicchiere_d_acqua | waterkaraf waterglas | karafka_wody szklanka_wody
toast: toast toastbrot fruehstueck | toast pain_grille petit_dejeuner | tostada tostadas desayuno | pane_tostato colazione | toast geroosterd_brood ontbijt | tost tosty sniadanie
jam: marmelade konfituere | confiture confitures marmelade | mermelada mermeladas | marmellata confettura | jam confituur marmelade | dzem dzemy konfitura
butter: butter | beurre | mantequilla | burro | boter | maslo
papercup: pappbecher kaffeebecher coffee_to_go | gobelet gobelet_en_carton cafe_a_emporter | vaso_de_papel cafe_para_llevar | bicchiere_di_carta caffe_da_asporto | kartonnen_beker koffiebeker | papierowy_kubek kawa_na_wynos
fries: pommes pommes_frites fritten imbiss | frites friterie | patatas_fritas papas_fritas | patatine patatine_fritte | friet frieten patat frietjes | frytki
hotdog: hotdog hot_dog | hot_dog | perrito_caliente perritos_calientes | hot_dog | hotdog | hot_dog hotdogi
waffle: waffel waffeln | gaufre gaufres | gofre gofres | cialda waffle | wafel wafels | gofr gofry
popsicle: eis_am_stiel stieleis wassereis | glace_a_l_eau esquimau batonnet_glace | polo_de_hielo paleta paletas | ghiacciolo ghiaccioli | ijslolly waterijsje waterijsjes | lod_na_patyku lody_na_patyku
cucumber: gurke gurken salatgurke | concombre concombres | pepino pepinos | cetriolo cetrioli | komkommer komkommers | ogorek ogorki
potato: kartoffel kartoffeln erdaepfel | pomme_de_terre pommes_de_terre patates | patata patatas papas | patata patate | aardappel aardappelen aardappels | ziemniak ziemniaki
beetroot: rote_bete rote_beete randen | betterave betteraves | remolacha remolachas | barbabietola barbabietole | rode_biet bieten bietjes | burak buraki
dumpling: teigtaschen dim_sum gyoza | raviolis_chinois dim_sum gyoza | empanadillas_chinas dim_sum gyoza | ravioli_al_vapore dim_sum gyoza | dimsum gyoza | pierozki dim_sum gyoza
matcha: matcha matchatee gruentee | matcha the_vert | matcha | matcha | matcha groene_thee | matcha zielona_herbata
pestle: moerser stoessel | pilon mortier apothicaire | mortero almirez botica | pestello mortaio | vijzel stamper | mozdzierz tluczek
tagine: tajine tagine | tajine | tajin tayin | tajine tagine | tajine tagine | tadzin tagine
paella: paella paellapfanne | paella | paella paellera | paella | paella | paella
grapefruit: grapefruit pampelmuse | pamplemousse pamplemousses | pomelo pomelos toronja | pompelmo pompelmi | grapefruit pompelmoes | grejpfrut grejpfruty
melon: melone melonen honigmelone | melon | melon | melone meloni | meloen meloenen | melon melony
blackberry: brombeere brombeeren | mure mures | mora moras zarzamora | mora more | braam bramen | jezyna jezyny
diya: diya oellampe oellampen oellaempchen | diya lampe_a_huile lampes_a_huile | diya lampara_de_aceite lamparas_de_aceite | diya lampada_a_olio lampade_a_olio | diya olielamp olielampjes | diya lampka_oliwna lampki_oliwne
marigold: ringelblume ringelblumen tagetes studentenblume | souci soucis oeillet_d_inde oeillets_d_inde | calendula cempasuchil tagete tagetes | calendula calendule tagete | goudsbloem goudsbloemen afrikaantje afrikaantjes | nagietek nagietki aksamitka aksamitki
menorah: menora menorah chanukkia | menorah hanoukka | menora hanuka | menorah chanukkah | menora | menora chanukija
dreidel: dreidel dreidl | toupie_de_hanoucca dreidel | dreidel perinola_judia | dreidel trottola_di_chanukkah | dreidel draaitol | drejdel drejdle bak_chanukowy
sugarskull: zuckerschaedel zuckertotenkopf | crane_en_sucre cranes_en_sucre | calavera | teschio_di_zucchero teschi_di_zucchero | suikerschedel suikerschedels | cukrowa_czaszka cukrowe_czaszki
mitre: mitra bischofsmuetze nikolausmuetze | mitre mitre_d_eveque | mitra mitra_de_obispo | mitra mitra_del_vescovo | mijter mijters | mitra infula mikolaj
carnivalmask: karnevalsmaske maske venezianische_maske masken | masque_de_carnaval masque_venitien | mascara_de_carnaval antifaz mascara_veneciana | maschera_di_carnevale maschera_veneziana maschere | carnavalsmasker venetiaans_masker | maska_karnawalowa maska_wenecka
mardigras: mardi_gras perlenketten perlenkette faschingsketten | mardi_gras colliers_de_perles | mardi_gras collares_de_cuentas | mardi_gras martedi_grasso collane_di_perline | mardi_gras kralenkettingen kralenketting | mardi_gras koraliki sznury_koralikow
graduationcap: doktorhut absolventenhut | toque_de_diplome remise_des_diplomes | birrete birretes | tocco_di_laurea laurea | afstudeerhoed afstudeerhoedje | biret czapka_absolwenta birety
partyhat: partyhut partyhuete partyhuetchen | chapeau_de_fete chapeaux_de_fete | gorro_de_fiesta gorros_de_fiesta | cappellino_da_festa cappellini_da_festa | feesthoedje feesthoedjes feestmuts | czapeczka_urodzinowa czapeczki_urodzinowe
pokerchip: pokerchip spielchips poker kasino casino | jetons_de_poker jeton_de_poker poker casino | fichas_de_poker ficha_de_poker poker casino | fiches_da_poker fiche poker casino | pokerfiches poker casino | zetony_do_pokera zetony poker kasyno
dice: spielwuerfel wuerfeln | des_a_jouer de_a_jouer | dados dado | dadi dado | dobbelsteen dobbelstenen | kostki_do_gry kosci_do_gry
chesspiece: schachfigur schachfiguren | pieces_d_echecs piece_d_echecs | piezas_de_ajedrez pieza_de_ajedrez | pezzi_degli_scacchi pezzo_degli_scacchi | schaakstuk schaakstukken | figury_szachowe figura_szachowa
chessboard: schach schachspiel schachbretter | echiquier echecs jeu_d_echecs | tablero_de_ajedrez ajedrez | scacchiera scacchi | schaakbord schaakborden schaken schaakspel | szachy szachami
potion: zaubertrank zaubertraenke alchemie elixier | potion alchimie elixir | pocion pociones alquimia elixir | pozione pozioni alchimia elisir | toverdrank toverdrankjes alchemie elixer | mikstura mikstury eliksir eliksiry alchemia
crystalball: kristallkugel kristallkugeln wahrsagerin | boule_de_cristal boules_de_cristal voyante | bola_de_cristal bolas_de_cristal adivina | sfera_di_cristallo palla_di_vetro_magica | kristallen_bol glazen_bol waarzegster | krysztalowa_kula krysztalowe_kule wrozka
amethyst: amethyst amethyste kristalle | amethyste geode cristaux | amatista amatistas geoda cristales | ametista ametiste geode cristalli | amethist amethisten geode kristallen | ametyst ametysty geoda krysztaly
gemstone: edelstein edelsteine juwel juwelen diamant diamanten | pierre_precieuse pierres_precieuses gemmes diamant diamants | piedra_preciosa piedras_preciosas gema gemas diamante diamantes | pietra_preziosa pietre_preziose gemma gemme diamante diamanti | edelsteen edelstenen juweel juwelen diamant diamanten | kamien_szlachetny kamienie_szlachetne klejnot klejnoty diament diamenty
skull: totenkopf totenschaedel schaedel totenkoepfe | crane tete_de_mort cranes | craneo cranes calavera_humana | teschio teschi | schedel doodshoofd schedels | czaszka czaszki
typewriter: schreibmaschine schreibmaschinen | machine_a_ecrire machines_a_ecrire | maquina_de_escribir maquinas_de_escribir | macchina_da_scrivere macchine_da_scrivere | typemachine schrijfmachine typemachines | maszyna_do_pisania maszyny_do_pisania
radio: radio roehrenradio | radio poste_de_radio tsf | radio radio_antigua | radio radio_d_epoca | radio transistorradio | radio radia radioodbiornik
compass: kompass kompasse | boussole boussoles | brujula brujulas | bussola bussole | kompas kompassen | kompas kompasy busola
mapscroll: schatzkarte landkarte schriftrolle pergament | carte_au_tresor parchemin vieille_carte | mapa_del_tesoro pergamino mapa_antiguo | mappa_del_tesoro pergamena mappa_antica | schatkaart perkament oude_kaart | mapa_skarbow pergamin stara_mapa
modelship: modellschiff schiffsmodell galeone | maquette_de_bateau voilier_ancien galion | barco_en_miniatura maqueta_de_barco galeon | modellino_di_nave galeone | modelschip galjoen scheepsmodel | model_statku galeon zaglowiec
fishingnet: fischernetz fischernetze fischnetz | filet_de_peche filets_de_peche | red_de_pesca redes_de_pesca | rete_da_pesca reti_da_pesca | visnet visnetten | siec_rybacka sieci_rybackie
poolring: schwimmring schwimmreifen schwimmringe | bouee bouee_gonflable bouees | flotador flotadores | ciambella_gonflabile ciambella_gonfiabile | zwemband zwembanden zwemring | kolo_do_plywania kola_do_plywania
flamingo: flamingo | flamant_rose flamant flamants_roses | flamenco flamencos | fenicottero fenicotteri | flamingo | flaming flamingi
strawhat: strohhut strohhuete sonnenhut | chapeau_de_paille chapeaux_de_paille | sombrero_de_paja sombreros_de_paja | cappello_di_paglia cappelli_di_paglia | strohoed strooien_hoed zonnehoed | kapelusz_slomkowy slomkowy_kapelusz
sunglasses: sonnenbrille sonnenbrillen | lunettes_de_soleil | gafas_de_sol | occhiali_da_sole | zonnebril zonnebrillen | okulary_przeciwsloneczne
flipflops: flip_flops badelatschen zehentrenner | tongs claquettes | chanclas chancletas | infradito ciabatte_da_mare | teenslippers slippers | klapki japonki
beachbag: strandtasche strandtaschen strohtasche | sac_de_plage panier_de_plage | bolso_de_playa capazo | borsa_da_spiaggia borsa_di_paglia | strandtas strandtassen rieten_tas | torba_plazowa torby_plazowe
sandcastle: sandburg sandburgen sandschloss | chateau_de_sable chateaux_de_sable | castillo_de_arena castillos_de_arena | castello_di_sabbia castelli_di_sabbia | zandkasteel zandkastelen | zamek_z_piasku zamki_z_piasku
beachbucket: sandeimer sandspielzeug eimer_und_schaufel strandeimer | seau_de_plage seau_et_pelle | cubo_de_playa cubo_y_pala | secchiello secchiello_e_paletta | emmertje_en_schepje strandemmer zandemmertje | wiaderko_i_lopatka wiaderko
beachball: wasserball strandball wasserbaelle | ballon_de_plage ballons_de_plage | pelota_de_playa pelotas_de_playa balon_de_playa | pallone_da_spiaggia palla_da_spiaggia | strandbal strandballen | pilka_plazowa pilki_plazowe
coolerbox: kuehlbox kuehlboxen | glaciere | nevera_portatil neveras_portatiles | borsa_frigo frigo_portatile ghiacciaia | koelbox koelboxen | lodowka_turystyczna lodowki_turystyczne
envelope: briefumschlag umschlag brief briefe briefumschlaege | enveloppe enveloppes lettre_cachetee papeterie | sobre_de_carta carta_lacrada | busta_da_lettere busta_sigillata buste | envelop enveloppen briefpapier | koperta koperty
giftbag: geschenktuete geschenktueten geschenktasche | sac_cadeau sacs_cadeaux pochette_cadeau | bolsa_de_regalo bolsas_de_regalo | sacchetto_regalo busta_regalo sacchetti_regalo | cadeautas cadeautasje cadeautasjes | torebka_prezentowa torba_prezentowa torebki_prezentowe
bunnyplush: plueschhase stoffhase kuschelhase pluschhasen | lapin_en_peluche doudou_lapin peluche_lapin | conejo_de_peluche conejito_de_peluche | coniglietto_di_peluche coniglio_di_peluche | knuffelkonijn pluche_konijn | pluszowy_krolik pluszowy_kroliczek
babyrattle: rassel babyrassel rasseln | hochet hochets | sonajero sonajeros sonaja | sonaglio sonaglino sonagli | rammelaar rammelaars | grzechotka grzechotki
toycar: spielzeugauto spielzeugautos holzauto | petite_voiture voiture_en_bois voiture_jouet | coche_de_juguete cochecito_de_juguete | macchinina macchinine automobilina | speelgoedauto speelgoedautootje speelgoedautos | samochodzik autko zabawkowe_auto
jigsaw: puzzle puzzleteile puzzleteil | puzzle pieces_de_puzzle | rompecabezas puzle piezas_de_puzle | puzzle tessere_di_puzzle | puzzel puzzelstukjes puzzels legpuzzel | puzzle ukladanka elementy_puzzli
crayon: wachsmalstift wachsmalstifte wachsmalkreide | crayon_de_cire crayons_de_cire craies_grasses | ceras_de_colores | pastelli_a_cera pastello_a_cera | waskrijt waskrijtjes wasco | kredki_swiecowe kredka
painttube: farbtube farbtuben malpalette palette_mit_farben oelfarben | tube_de_peinture tubes_de_peinture palette_de_peintre | tubo_de_pintura tubos_de_pintura paleta_de_pintor | tubetto_di_colore tubetti_di_colore tavolozza | verftube verftubes schilderspalet | tubka_farby tubki_farb paleta_malarska
pottery: tonvase tonvasen tonkrug tonkruege | poteries vases_en_terre_cuite | vasijas vasija jarrones_de_barro | ceramiche anfore | aardewerk kleivaas aarden_potten | garncarstwo gliniane_wazony gliniany_wazon
threadspool: garnrolle garnrollen naehgarn garnspule kurzwaren | bobine_de_fil bobines_de_fil mercerie | carrete_de_hilo carretes_de_hilo bobina_de_hilo merceria | rocchetto_di_filo rocchetti_di_filo merceria | garenklos garenklosjes klosje_garen naaigaren | szpulka_nici szpulki_nici nici pasmanteria
ribbon: schleifenband geschenkband bandrolle satinband | ruban rubans rouleau_de_ruban | cinta_de_raso cinta_de_regalo cintas_de_raso lazo | nastro nastri nastro_di_raso | lint linten cadeaulint satijnlint | wstazka wstazki tasiemka
manekineko: winkekatze glueckskatze maneki_neko | maneki_neko chat_porte_bonheur | maneki_neko gato_de_la_suerte gato_de_la_fortuna | maneki_neko gatto_della_fortuna gatto_portafortuna | maneki_neko gelukskat zwaaikat | maneki_neko kot_szczescia
bonsai: bonsai bonsaibaum | bonsai | bonsai bonsay | bonsai | bonsai bonsaiboom | bonsai drzewko_bonsai
kokeshi: kokeshi kokeshipuppe japanische_puppe | kokeshi poupee_japonaise | kokeshi muneca_japonesa | kokeshi bambola_giapponese | kokeshi kokeshipop japanse_pop | kokeshi japonska_lalka
incense: raeucherstaebchen weihrauch raeuchergefaess raeucherwerk | encens batons_d_encens brule_encens | incienso incensario varillas_de_incienso | incenso bastoncini_d_incenso incensiere | wierook wierookstokjes wierookbrander | kadzidlo kadzidelka kadzidla
singingbowl: klangschale klangschalen | bol_chantant bols_chantants bol_tibetain | cuenco_tibetano cuencos_tibetanos | campana_tibetana campane_tibetane ciotola_tibetana | klankschaal klankschalen | misa_tybetanska misy_tybetanskie
zenstones: zen zensteine steinturm steinstapel gestapelte_steine | zen galets_zen galets_empiles | zen piedras_zen piedras_apiladas | zen pietre_zen sassi_zen pietre_impilate | zen zenstenen gestapelde_stenen | zen kamienie_zen stos_kamieni
poinsettia: weihnachtsstern_pflanze weihnachtsstern poinsettie | poinsettia etoile_de_noel_plante | poinsettia flor_de_pascua nochebuena | stella_di_natale poinsettia | kerstster kerststerren poinsettia | poinsecja gwiazda_betlejemska poinsecje
santahat: weihnachtsmuetze weihnachtsmannmuetze | bonnet_de_noel bonnet_de_pere_noel | gorro_de_papa_noel gorro_navideno | cappello_di_babbo_natale berretto_di_natale | kerstmuts kerstmutsen | czapka_mikolaja czapka_swietego_mikolaja
violin: geige violine geigen orchester | violon violons orchestre | violin orquesta | violino violini orchestra | viool violen orkest | skrzypce orkiestra
trumpet: trompete trompeten | trompette trompettes | trompeta trompetas | tromba trombe | trompet trompetten | trabka trabki
accordion: akkordeon ziehharmonika akkordeons | accordeon accordeons | acordeon acordeones | fisarmonica fisarmoniche | accordeon accordeons trekharmonica | akordeon akordeony
maracas: rumbakugeln rasseln_mexikanisch |  | maraca |  | sambaballen | marakasy
sombrero: sombrero | sombrero_mexicain | sombrero_mexicano sombrero_charro | sombrero sombreri | sombrero | sombrero
binoculars: fernglas feldstecher fernglaeser | jumelles | prismaticos binoculares | binocolo binocoli | verrekijker verrekijkers | lornetka lornetki
pocketwatch: taschenuhr taschenuhren | montre_a_gousset montres_a_gousset | reloj_de_bolsillo relojes_de_bolsillo | orologio_da_taschino orologio_da_tasca | zakhorloge zakhorloges | zegarek_kieszonkowy zegarki_kieszonkowe
quill: schreibfeder tintenfass federkiel kalligraphie | plume_et_encrier encrier calligraphie | pluma_y_tintero tintero caligrafia | penna_d_oca calamaio calligrafia | ganzenveer inktpot kalligrafie | gesie_pioro kalamarz kaligrafia
matryoshka: matroschka matrjoschka matroschkas | matriochka poupees_russes poupee_russe | matrioska munecas_rusas muneca_rusa matrioskas | matrioska bambole_russe matrioske | matroesjka baboesjka matroesjkas | matrioszka matrioszki
toyrobot: spielzeugroboter blechroboter roboter | robot_jouet robot_en_fer_blanc robot | robot_de_juguete robot | robot_giocattolo robot | speelgoedrobot robot robotje | robot_zabawka robot_zabawkowy robot
stackingring: stapelturm stapelringe ringpyramide | anneaux_a_empiler pyramide_d_anneaux | anillas_apilables torre_de_anillas | anelli_impilabili piramide_di_anelli | stapelringen stapeltoren | piramidka wieza_z_krazkow
babybottle: babyflasche flaeschchen babyflaschen nuckelflasche | biberon biberons | biberon_de_bebe biberones mamadera | biberon | zuigfles babyfles babyflesje | butelka_dla_niemowlat butelka_ze_smoczkiem
messageinabottle: flaschenpost | bouteille_a_la_mer message_dans_une_bouteille | mensaje_en_una_botella | messaggio_in_bottiglia | flessenpost | list_w_butelce
buddha: buddha buddhastatue buddhafigur | bouddha statue_de_bouddha | buda estatua_de_buda | buddha statua_di_buddha | boeddha boeddhabeeld | budda posag_buddy
acorn: eichel eicheln | gland glands | bellota bellotas | ghianda ghiande | eikel eikels | zoladz zoledzie
snorkel: schnorchel taucherbrille tauchmaske schnorcheln | tuba_de_plongee masque_de_plongee palmes_et_tuba | tubo_de_buceo gafas_de_buceo mascara_de_buceo | boccaglio maschera_da_sub maschera_subacquea | snorkel duikbril duikmasker | fajka_do_nurkowania maska_do_nurkowania
magnifyingglass: lupe vergroesserungsglas lupen detektiv | loupe loupes detective | lupa lupas detective | lente_d_ingrandimento lenti_d_ingrandimento detective | vergrootglas vergrootglazen loep detective | lupa lupy szklo_powiekszajace detektyw
ringbox: ringschatulle verlobungsring ehering trauring eheringe verlobungsringe | ecrin_a_bague bague_de_fiancailles alliance alliances | anillo_de_compromiso estuche_de_anillo anillos_de_boda | anello_di_fidanzamento fede_nuziale fedi_nuziali portafedi | verlovingsring trouwring ringdoosje trouwringen | pierscionek_zareczynowy obraczki obraczka_slubna
tophat: zylinderhut zauberhut zauberer zylinderhuete | haut_de_forme chapeau_haut_de_forme magicien | sombrero_de_copa chistera mago | cappello_a_cilindro tuba_cilindro mago | hoge_hoed hoge_hoeden goochelaar | cylinder_kapelusz kapelusz_cylinder magik
cowboyhat: cowboyhut cowboyhuete cowboy western | chapeau_de_cowboy chapeaux_de_cowboy cowboy | sombrero_vaquero sombrero_de_vaquero | cappello_da_cowboy cappelli_da_cowboy cowboy | cowboyhoed cowboyhoeden cowboy | kapelusz_kowbojski kowboj kapelusze_kowbojskie
cowboyboot: cowboystiefel westernstiefel | bottes_de_cowboy santiags botte_de_cowboy | botas_vaqueras botas_de_vaquero | stivali_da_cowboy stivali_texani | cowboylaarzen cowboylaars | kowbojki buty_kowbojskie
candelabra: kandelaber kerzenleuchter armleuchter | candelabre candelabres chandelier_a_bougies | candelabro candelabros | candelabro candelabri | kandelaar kandelaars kandelaber | kandelabr kandelabry swiecznik swieczniki
ukulele: ukulele ukulelen | ukulele | ukelele ukulele | ukulele | ukelele ukeleles ukulele | ukulele
bowlingpin: bowling kegel bowlingkugel bowlingkegel | bowling quille_de_bowling boule_de_bowling | bolos bolo_de_boliche bola_de_bolos boliche | birillo birilli palla_da_bowling bowling | bowling kegels bowlingbal | kregle kula_do_kregli kregielnia
billiardball: billardkugel billardkugeln | boule_de_billard boules_de_billard billes_de_billard | bola_de_billar bolas_de_billar | palla_da_biliardo palle_da_biliardo | biljartbal biljartballen poolballen | bila bile bile_bilardowe kula_bilardowa
gamepad: gamepad spielcontroller joystick videospiel videospiele | manette_de_jeu manette joystick jeu_video jeux_video | mando_de_consola mando_de_videojuegos videojuego videojuegos | gamepad joypad videogioco videogiochi | gamecontroller spelcontroller joystick videospel | gamepad pad_do_gier dzojstik gra_wideo
baseball: baseball baseballhandschuh | baseball gant_de_baseball | beisbol guante_de_beisbol pelota_de_beisbol | baseball guantone_da_baseball | honkbal honkbalhandschoen | baseball rekawica_baseballowa pilka_baseballowa
volleyball: volleyball volleybaelle | volley volleyball ballon_de_volley | voleibol balon_de_voleibol | pallavolo pallone_da_pallavolo | volleybal volleyballen | siatkowka pilka_do_siatkowki
tikimask: tiki_maske tikimaske holzmaske | masque_tiki masques_tiki | mascara_tiki tiki_de_madera | maschera_tiki maschere_tiki | tikimasker tiki_masker | maska_tiki maski_tiki
babyshoe: babyschuhe babyschuh babyschuehchen | chaussons_de_bebe chaussures_de_bebe | zapatitos_de_bebe patucos zapatos_de_bebe | scarpine_da_neonato scarpette_da_bebe | babyschoentjes babyschoenen babyslofjes | buciki_dzieciece buciki_niemowlece
cashregister: registrierkasse kasse kassen | caisse_enregistreuse | caja_registradora | registratore_di_cassa | kassa kasregister | kasa kasa_sklepowa
fishbowl: goldfischglas goldfisch goldfische | bocal_a_poisson poisson_rouge | pecera pez_dorado pez_de_colores | boccia_dei_pesci pesce_rosso | viskom goudvis goudvissen | kula_dla_rybki zlota_rybka
geranium: geranie geranien | geranium | geranio geranios | geranio gerani | geranium | pelargonia pelargonie
saunabucket: saunakuebel saunaeimer saunen aufguss | seau_de_sauna | cubo_de_sauna | secchio_da_sauna | saunaemmer | wiadro_do_sauny
keyboard: tastatur tastaturen | clavier claviers | teclado teclados | tastiera tastiere | toetsenbord | klawiatura klawiatury
projector: filmprojektor projektor beamer | projecteur_de_film retroprojecteur | proyector proyector_de_cine | proiettore | filmprojector projector | projektor rzutnik
statue: statue bueste skulptur marmorbueste antike | statue buste sculpture antique | estatua busto escultura | statua busto scultura | standbeeld buste beeldhouwwerk | posag popiersie rzezba antyk
toaster: toaster | grille_pain toasteur | tostadora | tostapane | broodrooster | toster opiekacz
microwave: mikrowelle | micro_ondes | microondas | microonde | magnetron | mikrofalowka
blender: mixer standmixer | blender mixeur | licuadora batidora | frullatore | blender | blender
standmixer: kuechenmaschine ruehrmaschine | robot_patissier robot_culinaire | batidora_de_pie amasadora robot_de_cocina | planetaria impastatrice | keukenmachine keukenmixer | robot_kuchenny mikser
kitchenscale: kuechenwaage waage | balance_de_cuisine | balanza_de_cocina bascula | bilancia_da_cucina | keukenweegschaal weegschaal | waga_kuchenna
dogbed: hundebett hundebetten hundekorb koerbchen haustier | panier_pour_chien niche animalerie | cama_de_perro cama_para_perro mascota mascotas | cuccia cuccia_per_cane | hondenmand hondenbed huisdier | legowisko poslanie_dla_psa
hibiscus: hibiskus | hibiscus | hibisco | ibisco | hibiscus | hibiskus
jasmine: jasmin | jasmin | jazmin | gelsomino | jasmijn | jasmin jasminu
hops: hopfen | houblon | lupulo | luppolo | hop | chmiel
honeycomb: honigwabe wabe bienenwabe | rayon_de_miel | panal | favo nido_d_ape | honingraat | plaster_miodu
rice: reis reisschale | riz | arroz | riso | rijst | ryz ryzu
cocoabean: kakaobohne kakaobohnen | feves_de_cacao | granos_de_cacao | fave_di_cacao | cacaobonen | ziarna_kakao
driedherb: trockenkraeuter getrocknete_kraeuter | herbes_sechees | hierbas_secas | erbe_secche | gedroogde_kruiden | suszone_ziola
coin: muenze muenzen goldmuenzen | piece_d_or pieces_d_or | monedas moneda | monete moneta | munten gouden_munten | monety moneta
fountainpen: fueller fuellfederhalter fuellhalter | stylo_plume stylo | pluma_estilografica boligrafo | penna_stilografica penna | vulpen | pioro_wieczne
proteinpowder: eiweisspulver proteinpulver | proteine_en_poudre | proteina_en_polvo | proteine_in_polvere | eiwitpoeder | bialko_w_proszku
swirl: creme_textur | texture_creme | textura_de_crema | texture_di_crema | crememonster | krem_tekstura
gel: gel gelfleck | gel | gel | gel | gel | zel
iceglass: glas_mit_eis | verre_de_glacons | vaso_con_hielo | bicchiere_con_ghiaccio | glas_met_ijs | szklanka_z_lodem
icedcoffee: eiskaffee | cafe_glace | cafe_helado cafe_con_hielo | caffe_freddo | ijskoffie | kawa_mrozona
bubbletea: bubble_tea | the_aux_perles | te_de_burbujas | te_con_perle | bubbelthee | herbata_z_perlami
pearl: perle perlen | perles collier_de_perles | perlas perla collar_de_perlas | perle collana_di_perle | parels parelketting | perly perla
vanillabean: vanilleschote vanilleschoten | gousse_de_vanille gousses_de_vanille | vaina_de_vainilla | bacca_di_vaniglia | vanillestokje | laska_wanilii
moroccanlantern: marokkanische_laterne orientalisch orientalische | lanterne_marocaine oriental orientale | farol_marroqui | lanterna_marocchina orientale | marokkaanse_lantaarn oosters | orientalny orientalna
starfish: seestern seesterne | etoile_de_mer etoiles_de_mer | estrella_de_mar | stella_marina stelle_marine | zeester zeesterren | rozgwiazda
quartzcrystal: bergkristall quarzkristall | cristal_de_roche | | | bergkristal | krysztal_gorski
coffeecherry: kaffeekirschen | cerises_de_cafe | cerezas_de_cafe | ciliegie_di_caffe | koffiebessen | owoce_kawowca
spicemound: gewuerzhaufen kurkuma | curcuma monticules_d_epices | curcuma montones_de_especias | curcuma mucchi_di_spezie | kurkuma | kurkuma
dinosaur: dinosaurier dino | dinosaure | dinosaurio | dinosauro | dinosaurus | dinozaur
petbowl: futternapf napf hundenapf | gamelle gamelle_pour_chien | comedero cuenco_para_perro | ciotola_per_cani | voerbak | miska_dla_psa
hardhat: schutzhelm bauhelm | casque_de_chantier | casco_de_obra | casco_da_cantiere elmetto | bouwhelm veiligheidshelm | kask_ochronny
openbook: offenes_buch aufgeschlagenes_buch | livre_ouvert | libro_abierto | libro_aperto | open_boek opengeslagen_boek | otwarta_ksiazka
papernotebook: notizbuch tagebuch schulheft | carnet cahier cahiers | cuaderno cuadernos libreta | quaderno taccuino | notitieboek schrift | notatnik zeszyt
blueprint: bauplan bauplaene architekt | plan_d_architecte architecte | plano_de_obra arquitecto | progetto_architettonico architetto | bouwtekening architect | plan_budowlany architekt
toybrick: klemmbausteine spielsteine legosteine | briques_de_construction | ladrillos_de_juguete | mattoncini | bouwsteentjes | klocki_konstrukcyjne
sawdust: saegespaene hobelspaene holzspaene | copeaux_de_bois sciure | virutas serrin | trucioli segatura | zaagsel houtkrullen | trociny wiory
`;
