/**
 * What `avoid` calls the things that scenes are furnished with, where it is another word than a theme's, or one that means something
 * else there: "Tafel" is a table to eat at, and the blackboard of a bakery that is to go. As the other translations, German, French,
 * Spanish, Italian, Dutch, Polish; these go before them.
 */
export const avoidTranslations = `
bed: bett betten bettgestell doppelbett | lit lits | cama camas | letto letti | bed bedden | lozko lozka lozek
table: tischchen couchtisch beistelltisch esstisch | table_basse tables_basses gueridon gueridons | mesita mesitas mesa_de_centro mesas_de_centro | tavolino tavolini | salontafel salontafels bijzettafel bijzettafels tafeltje tafeltjes | stoly stoliki stolow stolikow
nightstand: nachtkommode | | mesita_de_noche mesitas_de_noche mesa_de_noche mesas_de_noche mesillas | comodini | nachtkastjes | stoliki_nocne szafki_nocne stolikow_nocnych szafek_nocnych
seat: sitz sitze sitzmoebel sitzgelegenheit sitzgelegenheiten | siege sieges | asiento asientos butaca butacas | sedile sedili seduta sedute | zitplaats zitplaatsen zetel zetels | siedzenie siedzenia siedzen fotele foteli krzesel
fireplace: feuerstelle | atre | | focolare | |
window: | | | | raam ramen | okien
curtain: gardinen | voilages | visillo visillos | tendina tendine | vitrage | firanka firanki firanek zaslon
object: objekt objekte objekten dekoration dekorationen dekoartikel kram kleinkram krimskrams regale requisite requisiten | deco decoration decorations bibelot bibelots etageres etagere accessoires | decoracion decoraciones adorno adornos trastos accesorios | decorazione decorazioni soprammobile soprammobili addobbi accessori | object objecten decoratie decoraties rommel spullen rekwisieten accessoires | obiekt obiekty dekoracja dekoracje dekoracji balagan ozdoba ozdoby ozdob przedmiotow rekwizyty rekwizytow akcesoria
furniture: moebelstueck moebelstuecke | mobilier | mobiliario | mobile mobilia arredamento arredi arredo | meubilair | mebel mebli
tree: | sapin_de_noel sapins_de_noel arbre_de_noel sapin | arbol_de_navidad arboles_de_navidad | albero_di_natale alberi_di_natale | | choinka choinki choinek
plant: gruenzeug | plante_verte plantes_vertes verdure | vegetacion | vegetazione | begroeiing | roslinnosc roslin
lamp: leuchte leuchten | luminaire luminaires | arana aranas luminaria luminarias | | verlichting | lamp
painting: bild bilder bildern foto fotos wandschmuck | peinture peintures photo photos cadres | cuadros pintura pinturas foto fotos | dipinto dipinti foto quadretti | foto fotos wanddecoratie schilderij | obraz obrazow zdjecie zdjecia zdjec plakatow
blackboard: tafel tafeln schiefertafel schiefertafeln schultafeln kreidetafeln | ardoise ardoises tableaux_noirs | pizarra pizarras pizarron | lavagna lavagne | schoolborden krijtborden | tablica tablice tablic
bottle: flasche flaschen | bouteille bouteilles flacon flacons | botella botellas | bottiglia bottiglie | fles flessen | butelka butelki butelek
books: buch | | | | | ksiazek
bread: broetchen | | panes | pani pagnotta pagnotte | broden broodje broodjes | chleba bulka bulki bulek
cup: becher | mug mugs gobelet gobelets cafe | cafe | tazzine caffe | mok mokken beker bekers kop koppen | kubki kubkow filizanek
gift: | paquet paquets | paquete paquetes | pacchetto pacchetti pacco pacchi | | prezentow
screen: monitore | moniteur moniteurs | | | schermen beeldschermen | ekrany ekranow monitorow
tool: werkzeug werkzeuge werkzeugen | outil outils | herramienta herramientas | attrezzo attrezzi utensile utensili | gereedschap gereedschappen | narzedzie narzedzia narzedzi
weight: gewicht gewichte gewichten | poids | pesa | peso | gewicht gewichten | ciezar ciezary ciezarki ciezarkow sztanga sztangi hantli
stool: | | | | krukken | stolkow
pumpkin: | courge courges | | | |
towel: | serviette_de_bain serviettes_de_bain | | | |
toy: | | | | | zabawek
people: leute mann maenner frau frauen publikum zuschauer passanten | foule public homme hommes femme femmes passants | publico hombre hombres mujer mujeres multitud | folla pubblico uomo uomini donna donne | publiek man mannen vrouw vrouwen | tlum tlumu publicznosc publicznosci mezczyzna mezczyzni kobieta kobiety osob
shade: | ombres | | ombre | |
pattern: | | estampado estampados | | patronen | wzorow
`;

/** English ones. */
export const phrasesOfAvoid: Readonly<Record<string, string>> = {
  "christmas tree": "tree",
  "christmas trees": "tree",
  "xmas tree": "tree",
};
