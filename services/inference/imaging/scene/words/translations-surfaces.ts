/** Surfaces, colors, light and moods in six languages, in the form of `translations-places.ts`. */
export const surfaceTranslations = `
herringbone: fischgraet fischgraetparkett fischgraetmuster | chevron point_de_hongrie | espiga espiguilla | spina_di_pesce spinapesce | visgraat | jodelka jodelke
checkered: kariert karo karierte schachbrett | carreaux_rouges vichy damier a_carreaux | cuadros a_cuadros ajedrezado | a_quadri a_scacchi quadretti | geruit ruit dambord | krata w_krate szachownica
striped: gestreift | raye rayee rayures | rayas a_rayas rayado | a_righe righe a_riga rigato | gestreept | w_paski prazki
polkadot: gepunktet punkte | a_pois pois | lunares | a_pois pois | gestippeld stippen | w_kropki groszki
clearsky: blauer_himmel blauem_himmel | ciel_bleu | cielo_azul | cielo_azzurro cielo_blu | blauwe_lucht blauwe_hemel | blekitne_niebo
hardshadow: harter_schatten hartem_schatten harte_schatten hartes_licht | ombre_dure ombres_dures | sombra_dura sombras_duras | ombra_netta ombre_nette | harde_schaduw | ostry_cien
picnicblanket:  | | | telo_da_picnic | |
sunlit: fensterschatten fensterlicht | lumiere_de_fenetre | luz_de_ventana | luce_di_finestra | raamlicht | swiatlo_z_okna
racetrack: rennbahn | | | | |
oak: eiche eichenholz eichen | chene | roble | quercia rovere | eik eiken eikenhout | dab debu debowy
wood: holz hoelzern | bois boise | madera | legno | hout houten | drewno drewna drewniany
parquet: parkett dielen dielenboden | parquet | tarima | parquet | parket | parkiet parkiecie
walnut: nussbaum walnuss walnussholz | noyer | nogal | noce | walnoot notenhout | orzech orzechowy
pine: kiefer fichte kiefern | pin sapin | pino | pino abete | den dennen grenen vurenhout | sosna sosnowy
birch: birke birken | bouleau | abedul | betulla | berk berken | brzoza brzozowy
maple: ahorn | erable | arce | acero | esdoorn | klon klonowy
mahogany: mahagoni | acajou | caoba | mogano | mahonie | mahon mahoniowy
bamboo: bambus | bambou | bambu | bambu | bamboe | bambus bambusowy
cherry: kirsche kirschholz | merisier | cerezo_madera | ciliegio_legno | kersenhout | wisnia wisniowy
ebony: ebenholz | ebene | ebano | ebano | ebbenhout | heban hebanowy
plank: brett bretter bohlen | planche planches | tablon tablones tabla | asse assi tavola_di_legno | planken | deska deski desce
driftwood: treibholz | bois_flotte | madera_flotante | legno_di_mare | drijfhout | dryftwood
cork: kork | liege | corcho | sughero | kurk | korek korkowy korku
marble: marmor | marbre | marmol | marmo | marmer marmeren | marmur marmurze marmurowy
granite: granit | granit | granito | granito | graniet granieten | granit granitowy granicie
concrete: beton | beton | hormigon concreto | cemento calcestruzzo | beton betonnen | beton betonie betonowy
cement: zement | ciment | cemento_gris | cemento_liscio | cement | cement cementowy
plaster: putz gips | platre enduit | yeso estuco | gesso intonaco stucco | pleister gips | tynk gips
terrazzo: terrazzo | terrazzo granito_poli | terrazo | terrazzo graniglia | terrazzo | lastryko
stone: stein steine steinern | pierre pierres | piedra | pietra | steen stenen | kamien kamienny kamieniu
rock: fels felsen | rocher roche | roca | roccia | rots rotsen | skala skale
slate: schiefer | ardoise | pizarra | ardesia lavagna | leisteen | lupek lupkowy lupku
sandstone: sandstein | gres | arenisca | arenaria | zandsteen | piaskowiec
limestone: kalkstein | calcaire | caliza | calcare | kalksteen | wapien
terracotta: terrakotta | terre_cuite terracotta | terracota | terracotta cotto | terracotta | terakota terakocie
clay: ton lehm | argile | arcilla barro | argilla creta | klei | glina glinie gliniany
brick: ziegel backstein klinker | brique briques | ladrillo ladrillos | mattone mattoni | baksteen bakstenen | cegla cegly ceglany
sand: sand sandig | sable | arena | sabbia | zand zanden | piasek piasku piaskowy
grass: gras rasen | herbe gazon pelouse hautes_herbes herbes_hautes mauvaises_herbes herbes_folles | cesped hierba pasto malas_hierbas hierbas_altas altas_hierbas | erba erbe_alte alte_erbe erbe_selvatiche | gras gazon | trawa trawie trawnik
moss: moos | mousse | musgo | muschio | mos | mech mchu
straw: stroh | paille foin | paja | paglia fieno | stro | sloma slomie
linen: leinen leintuch | lin | lino | lino | linnen | len lniany
fabric: stoff tuch textil | tissu toile textile | tela tejido | tessuto stoffa | stof doek | tkanina material tkaninie
cotton: baumwolle | coton | algodon | cotone | katoen katoenen | bawelna bawelniany
silk: seide seiden | soie | seda drapeado | seta drappo | zijde zijden | jedwab jedwabny jedwabiu
satin: satin | satin | saten raso | raso | satijn | satyna satynowy
velvet: samt | velours | terciopelo | velluto | fluweel fluwelen | aksamit aksamitny aksamicie
wool: wolle | laine | lana | lana | wol wollen | welna welniany
denim: jeansstoff | jean | vaquero mezclilla | denim | spijkerstof | dzins
tablecloth: tischdecke tischtuch | nappe | mantel | tovaglia | tafelkleed | obrus obrusie
blanket: decke wolldecke | couverture | manta | coperta | deken | koc
cushion: kissen | coussin coussins oreiller | cojin cojines almohada | cuscino cuscini | kussen kussens | poduszka poduszki poduszce
rug: teppich | tapis | alfombra | tappeto | tapijt vloerkleed | dywan dywanie
towel:  | | | | | reczniku
fur: fell pelz | fourrure | piel_de_pelo | pelliccia | bont vacht | futro futrze
rattan: rattan korbgeflecht | rotin osier | ratan mimbre | rattan vimini | rotan riet | rattan wiklina
leather: leder | cuir | cuero | cuoio pelle | leer leren | skora skorzany skorze
tile: fliese fliesen kachel kacheln | carrelage carreau carreaux | azulejo baldosa | piastrella piastrelle mattonelle | tegel tegels | kafelki plytka plytki kafelek
ceramic: keramik | ceramique | ceramica | ceramica | keramiek | ceramika ceramiczny
mosaic: mosaik | mosaique | mosaico | mosaico | mozaiek | mozaika
metal: metall | metal | metal | metallo metallico | metaal metalen | metal metalowy
zinc: zink | zinc | zinc cinc | zinco | zink zinken | cynk cynkowy
steel: stahl edelstahl | acier inox | acero | acciaio | staal stalen | stal stalowy
brass: messing | laiton | laton | ottone | messing | mosiadz mosiezny
copper: kupfer | cuivre | cobre | rame | koper koperen | miedz miedziany
bronze: bronze | bronze | bronce | bronzo | brons | braz_metal
glass: glas kristall | verre cristal | vidrio cristal | vetro cristallo | glas glazen | szklo szkle szklany
mirror: spiegel | miroir | espejo | specchio | spiegel | lustro lustrze
glossy: glaenzend hochglanz | brillant laque | brillante | lucido brillante | glanzend hoogglans | blyszczacy polysk
water: wasser | eau | agua | acqua | water | woda wodzie wody
lake: see | lac | lago | lago | meer_van | jezioro jeziorze
snow: schnee verschneit | neige enneige | nieve nevado | neve innevato | sneeuw besneeuwd | snieg sniegu
ice: eis | glace | hielo | ghiaccio | ijs | lod lodzie
paper: papier | papier | papel | carta | papier papieren | papier papierze
cardboard: karton pappe | carton | carton | cartone | karton | karton tektura
pebble: kiesel kies kieselsteine | galet galets gravier | guijarro grava | ciottolo ciottoli ghiaia sasso sassi | kiezel grind kiezels | zwir otoczaki
soil: erde boden_erde | terre | tierra | terra | aarde | ziemia ziemi gleba
leaf: blatt blaetter laub | feuille feuilles feuillage | hoja hojas follaje | foglia foglie fogliame | blad bladeren | lisc liscie lisci
asphalt: asphalt | asphalte bitume | asfalto | asfalto | asfalt | asfalt asfalcie
white: weiss | blanc blanche | blanco blanca | bianco | wit witte | bialy biel
black: schwarz | noir | negro | nero | zwart | czarny czern
gray: grau | gris | gris | grigio | grijs grijze | szary szarosc
silver: silber silbern | argent argente | plata plateado | argento argentato | zilver zilveren | srebro srebrny
gold: gold vergoldet | or dore_metal | oro dorado | oro dorato | goud gouden | zloto zloty
red: rot | rouge | rojo | rosso | rood rode | czerwony czerwien
burgundy: weinrot bordeaux bordeauxrot | bordeaux | burdeos granate | bordeaux borgogna | bordeaux wijnrood | bordo bordowy
pink: rosa pink altrosa | rose | rosa rosado | rosa | roze | rozowy roz
magenta: magenta | magenta | magenta | magenta | magenta | magenta
coral: koralle korallenrot | corail | coral | corallo | koraal | koral koralowy
peach: pfirsich | peche | melocoton durazno | pesca | perzik | brzoskwinia brzoskwiniowy
orange: orange | orange | naranja anaranjado | arancione arancio | oranje | pomaranczowy pomarancza
yellow: gelb zitronengelb | jaune jaune_citron | amarillo amarillo_limon | giallo giallo_limone | geel gele citroengeel citroengele | zolty zolc cytrynowy
mustard: senf senfgelb | moutarde | mostaza | senape | mosterd | musztardowy
cream: creme cremefarben | creme | crema | crema panna | creme roomwit | kremowy krem
beige: beige | beige | beige beis | beige | beige | bezowy bez_kolor
ivory: elfenbein | ivoire | marfil | avorio | ivoor | kosc_sloniowa
brown: braun | brun marron | marron pardo | marrone bruno | bruin | brazowy braz
chocolate: schokolade schokoladenbraun | chocolat | chocolate | cioccolato | chocolade | czekolada czekoladowy
caramel: karamell | caramel | caramelo | caramello | karamel | karmel karmelowy
green: gruen | vert | verde | verde | groen | zielony zielen
olive: oliv olivgruen | olive | oliva | oliva | olijf olijfgroen | oliwka oliwkowy
emerald: smaragd smaragdgruen | emeraude | esmeralda | smeraldo | smaragd | szmaragd szmaragdowy
mint: minze mint mintgruen | menthe | menta | menta | munt mintgroen | mieta mietowy
sage: salbei salbeigruen | sauge | salvia | salvia | salie | szalwia szalwiowy
teal: petrol blaugruen | bleu_canard sarcelle | verde_azulado petroleo | ottanio | blauwgroen petrol | morski turkusowoniebieski
turquoise: tuerkis | turquoise | turquesa | turchese | turkoois | turkus turkusowy
blue: blau | bleu | azul | blu | blauw | niebieski blekit
navy: marineblau dunkelblau nachtblau | bleu_marine bleu_nuit marine | azul_marino | blu_navy blu_notte | marineblauw donkerblauw | granatowy granat
azure: himmelblau | bleu_ciel azur | celeste azul_cielo | azzurro celeste | hemelsblauw | blekitny lazur
indigo: indigo | indigo | indigo anil | indaco | indigo | indygo
purple: lila violett purpur | violet pourpre | morado purpura violeta | viola porpora | paars violet | fioletowy fiolet purpurowy
lavender: lavendel flieder | lavande lilas | lavanda lila | lavanda lilla | lavendel lila | lawenda lawendowy liliowy
charcoal: anthrazit | anthracite | antracita | antracite | antraciet | antracyt grafitowy
taupe: taupe | taupe | topo | tortora | taupe | taupe
champagne: champagner | champagne | champan | champagne | champagne | szampan szampanski
apricot: aprikose | abricot | albaricoque | albicocca | abrikoos | morela morelowy
morning: morgen morgens morgenlicht sonnenaufgang | matin matinee lever_de_soleil lever_du_soleil soleil_levant aube | manana amanecer alba salida_del_sol | mattina mattino mattutino alba | ochtend morgen zonsopgang | ranek poranek poranny wschod_slonca wschodzie_slonca rano poranku
sunset: abend sonnenuntergang daemmerung abendrot abendlicht | soir coucher_de_soleil coucher_du_soleil soleil_couchant crepuscule | atardecer ocaso puesta_de_sol puesta_del_sol crepusculo | tramonto sera serale crepuscolo | avond zonsondergang schemering | wieczor wieczorny zachod_slonca zachodzie_slonca zmierzch
golden: golden goldene_stunde nachmittag | heure_doree apres_midi dore | hora_dorada tarde | ora_d_oro ora_dorata pomeriggio | gouden_uur namiddag middaglicht | zlota_godzina popoludnie
noon: mittag sonnig sonnenschein tageslicht sonne tag | midi ensoleille soleil jour | mediodia soleado sol dia | mezzogiorno soleggiato sole giorno | middag zonnig zonneschijn daglicht zon | poludnie sloneczny slonce dzien
sunlight: sonnenlicht | lumiere_du_soleil | luz_del_sol luz_solar | luce_del_sole luce_solare | zonlicht | swiatlo_sloneczne
window: fenster | fenetre | ventana | finestra | raam venster | okno okna oknie
night: nacht naechtlich mitternacht | nuit nocturne minuit | noche nocturno medianoche | notte notturno mezzanotte | nacht middernacht | noc nocny polnoc nocy
moonlight: mondlicht mondschein | clair_de_lune | luz_de_luna | chiaro_di_luna | maanlicht | swiatlo_ksiezyca
neon: neon neonlicht | neon | neon | neon | neon | neon neonowy
soft: weich sanft diffus | doux douce diffus tamise | suave tenue difusa | morbido soffuso tenue | zacht diffuus | miekki lagodny rozproszony
dramatic: dramatisch | dramatique | dramatico | drammatico | dramatisch | dramatyczny
spotlight: scheinwerfer spotlicht | projecteur | foco reflector | faretto riflettore | schijnwerper | reflektor
overcast: bewoelkt bedeckt truebe neblig | nuageux couvert | nublado | nuvoloso | bewolkt mist mistig | pochmurno zachmurzony
candle: kerzenlicht kerzenschein | lueur_de_bougie lumiere_de_bougie | luz_de_velas | lume_di_candela | kaarslicht | swiatlo_swiec
lamplight: lampe lampenlicht | lampe | lampara | lampada | lamp lamplicht leeslamp | lampa
shade: schatten halbschatten lichtmuster lichtspiel | ombre ombrage | sombra | ombra penombra | schaduw | cien cieniu cienia polcien
warm: warm | chaud chaleureux chaude | calido | caldo | warm warme | cieply
cold: kalt kuehl | froid frais | frio fresco | freddo fresco | koud koel | zimny chlodny
pastel: pastell pastellfarben | pastel pastels | pastel pasteles | pastello | pastel pastelkleuren | pastel pastelowy
minimal: minimalistisch schlicht klar sauber einfach skandinavisch | minimaliste epure sobre simple scandinave | minimalista sencillo limpio escandinavo | minimalista minimale semplice pulito scandinavo | minimalistisch strak eenvoudig scandinavisch | minimalistyczny prosty czysty skandynawski
luxury: luxus luxurioes edel elegant | luxe luxueux elegant raffine | lujo lujoso elegante | lusso lussuoso elegante raffinato | luxe luxueus elegant chique | luksus luksusowy elegancki
dark: dunkel duester finster | sombre fonce obscur | oscuro sombrio | scuro buio | donker duister | ciemny mroczny
bright: leuchtend strahlend luftig | lumineux eclatant aere | luminoso brillo | luminoso arioso | fris helder luchtig | swietlisty
light: hell | clair claire | claro clara | chiaro chiara | licht | jasny
pale: blass zart | pale | palido | pallido | bleek | blady
vivid: bunt farbenfroh knallig | vif colore vibrant | vivo colorido vibrante | vivace colorato vivido | levendig kleurrijk fel | kolorowy zywy jaskrawy
vintage: nostalgisch rustikal alt antik | ancien retro rustique vieux | antiguo retro rustico viejo | antico retro rustico vecchio | rustiek oud antiek retro | rustykalny stary antyczny retro
cozy: gemuetlich behaglich romantisch | douillet cosy romantique confortable | acogedor romantico | accogliente romantico | gezellig knus romantisch | przytulny romantyczny nastrojowy
person: mensch menschen person personen hand haende gesicht | personne personnes gens main mains visage | persona personas gente mano manos cara | persona persone mano mani viso | persoon personen mensen handen gezicht | osoba osoby ludzie rece twarz
text: text schrift buchstaben wasserzeichen | texte lettres filigrane | texto letras | testo lettere scritte | tekst letters | tekst litery napisy
furniture: moebel | meubles meuble | muebles | mobili | meubels meubel | meble
object: gegenstand gegenstaende deko | objets objet | objetos | oggetti | voorwerpen | przedmioty
lights: lichter lichtpunkte | lumieres | luces | luci | | swiatla
deco: | art_deco | art_deco | art_deco | | art_deco
stripe: streifen | | franjas | strisce | strepen | paski pasy
table: tisch tische tischchen | table tables | mesa mesas mesita mesitas | tavolo tavoli | tafel tafels tafeltje | stol stoly stolik stoliku
toy: spielzeug spielsachen | jouets jouet | juguetes juguete | giocattoli giocattolo | speelgoed | zabawki zabawka
stop: licht tischplatte platte boden fussboden stunde mit auf in im aus und vor von der die das dem den ein eine einem einer bei beim am an zur zum neben unter ueber hinter als wie mein produkt foto bild szene farbe farben farbig stil modern schoen gross klein hintergruende oberflaeche stimmung ambiente atmosphaere beleuchtung stilvoll kunst eck ecke flaeche ansicht morgendlich moderne modernem moderner modernes italienisch akzent akzente akzenten stapel haufen tischen sandbank schneebank wolkenbank nebelbank austernbank rollstuhl fahrstuhl dachstuhl webstuhl | lumiere sol plancher heure avec sur dans en de du des d l le la les un une et au aux a devant pour par sous style moderne beau belle produit photo image scene couleur surface ambiance eclairage grand petit tons ton teinte italien italienne detail details pile tas_de banc_de_sable banc_de_poissons | luz suelo hora con sobre en de del el la los las un una y al a para por bajo ante estilo moderno bonito producto foto imagen escena color superficie ambiente iluminacion grande pequeno tono tonos moderna italiana vistas detalle detalles acento acentos pila banco_de_arena | luce tavola pavimento ora con su sul sulla sullo in nel nella di del della dei degli dell il lo la le gli i un una uno e ed al alla da davanti per sotto stile moderno bello prodotto foto immagine scena colore superficie atmosfera illuminazione grande piccolo tono toni piano moderna italiana italiano dettaglio dettagli accento accenti pila | tafelblad vloer uur met op in de het een en van voor bij aan onder naast achter stijl modern mooi product foto beeld scene kleur kleurig oppervlak sfeer verlichting groot klein tint moderne strakke italiaans accent accenten details stapel | stole swiatlo swietle podloga podlodze godzina na w we z ze i o do pod przed przy nad dla za styl stylu nowoczesny piekny produkt zdjecie obraz scena_zdjecia kolor kolorze powierzchnia nastroj oswietlenie duzy maly odcien nowoczesna wloska wloski akcent akcenty akcentami stos stosie stolach
blind: jalousie jalousien jalousette rollladen lamellen | stores_venitiens persiennes persienne | persiana persianas | veneziane persiane tapparelle | jaloezie jaloezieen lamellen luxaflex | zaluzje zaluzji
confetti: konfetti luftschlangen | confettis serpentins | confeti serpentinas | coriandoli stelle_filanti | confetti | konfetti serpentyny
glitter: glitzer glitzernd goldstaub | paillettes poudre_d_or poussiere_d_or | purpurina polvo_de_oro brillantina | brillantini polvere_d_oro | glitters glitter goudstof | brokat brokatem zloty_pyl
slab: steinplatten natursteinplatten | dalles dallage | losas losa | lastre lastricato | tegelplaten | plyty kamienne_plyty
kraftpaper: packpapier kraftpapier | papier_kraft | papel_kraft | carta_kraft carta_da_pacchi | kraftpapier pakpapier | papier_pakowy
goldfoil: goldfolie | | lamina_de_oro | | goudfolie | zlota_folia
goldleaf: blattgold goldblatt | feuille_d_or feuilles_d_or | pan_de_oro | foglia_d_oro foglie_d_oro | bladgoud | platki_zlota zlote_platki
motherofpearl: perlmutt perlmutter | nacre nacree | nacar | madreperla | parelmoer paarlemoer | macica_perlowa
hammered: gehaemmert gehaemmertes gehaemmerte | martele martelee | martillado martillada | martellato martellata | gehamerd | mlotkowany mlotkowana
sheepskin: schaffell lammfell | peau_de_mouton | piel_de_oveja | pelle_di_pecora | schapenvacht | skora_owcza
draped: falten faltenwurf | plis | pliegues | pieghe | plooien | faldy faldach
crumpled: zerknittert zerknittertes zerknitterte zerknuellt | froisse froissee chiffonne | arrugado arrugada | spiegazzato stropicciato spiegazzata | gekreukt gekreukeld verkreukeld | pognieciony zmiety
porcelain: porzellan | porcelaine | porcelana | porcellana | porselein | porcelana
chrome: chrom | | cromo | cromo | chroom | chrom
felt: filz | feutre | fieltro | feltro | vilt | filc filcu
burlap: | | yute | iuta | | juta
beech: buche buchen buchenholz | hetre | haya | faggio | beuken beukenhout | buk bukowy
driftwood: | | | | sloophout |
pebble: | | | | | kamyki kamykami kamyczki
rusty: | | | | | rdza
plaster: | | | | stuc stucwerk |
dew: tau | rosee | rocio | rugiada | dauw |
frosty: frost raureif | givre | escarcha | brina | vorst | szron
soapbubble: | | | bolle | bubbels | babelki
splash: | | | | spetters |
ribbon: schleife schleifen | | | | strik strikken | kokarda kokardy
neonsign: neonroehre neonroehren | | | | neonbuis |
backlit: gegenlicht | contre_jour | contraluz | controluce | | pod_swiatlo
sunlight: sonnenstrahlen sonnenstrahl | rayons_de_soleil rayon_de_soleil | rayos_de_sol rayo_de_sol | raggi_di_sole raggio_di_sole | zonnestralen zonnestraal | promienie_slonca promienie_sloneczne
dreamy: vertraeumt | reveur reveuse onirique feerique | ensonador onirico de_ensueno | sognante onirico fiabesco | dromerig | marzycielski bajkowy
playful: verspielt | ludique | divertido ludico | giocoso ludico | speels | zabawny
nordic: nordisch | nordique | nordico | nordico | noords | nordycki
nautical: maritim | | marinero | marinaro | maritiem nautisch | marynistyczny
minimal: puristisch | | | | |
fresh: frisch | | | | vers verse | swiezy
stop: klassisch gemasert bereich festlich rund | classique naturel veine festif rond | clasico veteado rincon festivo redondo | classico naturale venato grezzo angolo angolino vista festivo rotondo tondo | klassiek natuurlijk geaderd ruw hoek feestelijk rond ronde | klasyczny naturalny matowy zylkowany odswietny uroczysty
weathered: verwittert | patine vieilli | envejecido | invecchiato | verweerd | postarzany
luxury: | haut_de_gamme | de_alta_gama | di_alta_gamma | |
chandelier: | | lampara_de_arana | | |
photostudio: | | estudio_fotografico estudio_de_fotografia | studio_fotografico | | studio_fotograficzne
workbench: hobelbank | | | | |
pattern: muster motiv musterung | motif motifs imprime imprimes | estampado estampada estampados patron | fantasia motivo motivi stampato stampata | patroon dessin printje | wzor wzorem wzory
tartan: schottenkaro schottenmuster | tartan motif_ecossais | tartan cuadros_escoceses | tartan scozzese | schotse_ruit | tartan szkocka_krata
houndstooth: hahnentritt hahnentrittmuster pepita | pied_de_poule | pata_de_gallo | pied_de_poule | pied_de_poule | pepitka pepitke
argyle: rautenmuster | losanges motif_losanges | rombos | rombi fantasia_a_rombi | ruitpatroon | w_romby
artdecoprint: | motif_art_deco motifs_art_deco eventails_art_deco | abanicos_art_deco | ventagli_art_deco | art_deco_waaiers | wachlarze_art_deco
damaskprint: damast damastmuster | damasse | tela_de_damasco | damascato | damast | adamaszek
floralprint: blumenmuster bluemchenmuster blumendruck gebluemt gebluemte gebluemter | imprime_liberty tissu_liberty | | floreale floreali | bloemenprint bloemenpatroon bloemetjespatroon gebloemd | kwiatowy_wzor wzor_w_kwiaty kwiecista kwiecisty
leopardprint: leopardenmuster leomuster leoprint leopardenprint | imprime_leopard | estampado_de_leopardo | leopardato maculato | luipaardprint panterprint | panterka panterke
zebraprint: zebramuster zebraprint | imprime_zebre motif_zebre | estampado_de_cebra | zebrato | zebraprint | w_zebre
cowprint: kuhmuster kuhflecken | imprime_vache motif_vache | estampado_de_vaca | motivo_mucca | koeienprint | krowie_laty
camouflage: camouflage tarnmuster | camouflage | camuflaje | mimetico camouflage | camouflage | kamuflaz moro
tiedye: batik batikmuster | tie_and_dye | | | | batik
starprint: sternenmuster sternchenmuster | a_etoiles motif_etoiles | estampado_de_estrellas | a_stelle | sterrenpatroon sterrenprint | w_gwiazdki
heartprint: herzmuster herzchenmuster | a_coeurs motif_coeurs | estampado_de_corazones | a_cuori | hartjespatroon hartjesprint | w_serduszka
geometricprint: geometrisches_muster geometrischem_muster | motif_geometrique motifs_geometriques | estampado_geometrico patron_geometrico | motivo_geometrico fantasia_geometrica | geometrisch_patroon | geometryczny_wzor wzor_geometryczny
leafprint: blaettermuster palmenmuster | motif_tropical motif_feuillage | estampado_tropical | fantasia_tropicale | bladprint bladerpatroon | w_liscie
zigzag: zickzack zickzackmuster | zigzag | zigzag | zigzag | zigzag | zygzak
waveprint: wellenmuster | motif_vagues | estampado_de_ondas | fantasia_a_onde | golfpatroon | w_fale
toileprint: toile_de_jouy | toile_de_jouy | toile_de_jouy | toile_de_jouy | toile_de_jouy | toile_de_jouy
`;
