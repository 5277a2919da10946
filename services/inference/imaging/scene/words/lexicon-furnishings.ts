/**
 * What stands in a place and tells which place it is: names of drawings, and behind the colon the lexicon's words for the place.
 * `named-things.ts` parses the rows and throws on a drawing that is not known.
 */
export const furnishingRows = `
barber-shelf barber-chair mirror: barbershop barber
hair-dryer-hood mirror: hairdresser salon
easel brushes frame: atelier
clay-vases brushes: pottery
station-clock steam-train suitcase: railwaystation
subway-train: subway metro
bread baguettes flour-sack: bakery
workbench sawhorse: carpentry workshop
towels soap: bathroom bath
pumpkin-pie turkey candle: thanksgiving
plates wine-glass: dining diningtable
plates wine-glass candle: dinner
plates juice-glass: breakfast brunch
signpost: mountaintrail
tennis: tenniscourt
skateboard: skatepark
books globe: library
towels candle zen-stones: spa wellness bathhouse
sauna-bucket towels: sauna
globe books: classroom school
ice-cream: icecreamparlor
dentist-chair: dentist
hospital-bed: hospital clinic
flasks microscope: laboratory lab
slide swing: playground
string-lights: christmassnow
market-stall crate: market marketplace
pans olive-oil herb-bundle: tuscankitchen
pans herb-bundle milk: farmhousekitchen
cone brick-stack: constructionsite construction
popcorn directors-chair: cinema
poker-chips dice: casino
shopping-cart: supermarket hypermarket
punching-bag kettlebell: crossfit
dumbbell gym-bench: gym
guitar amplifier vinyl: musicstudio
mast rope-coil: boat yacht
rope-coil rowing-boat: harbor harbour marina
egg-nest catkins: easter
espalier-orange-tree lantern: patio courtyard andalusia andalusian
lantern tagine: riad marrakech
daisy: meadow
hay-bale horseshoe: stable
barrel beer: brewery
balcony-flowers: balcony
barrel candle: tavern taverna inn saloon medieval
wine barrel: vineyard
clothes-rack mannequin: boutique
clothes-rack: wardrobe closet
hydrangea watering-can: florist flowershop
statue column: museum
beer pretzel: beergarden
circus-tent popcorn: circus
folding-screen tatami-lamp: teahouse
paper-lanterns coins: chinesenewyear
torii: japan japanese kyoto
yoga-mat singing-bowl: yoga
crib mobile: nursery
armor candelabra: castlehall throneroom
cocktail bar-stool: rooftopbar
cocktail: poolbar
raised-bed: rooftopgarden
bistro-table wicker-chair: gardencafe
record-shelf vinyl: recordshop
shoe-boxes: shoestore
teddy toy-train blocks: toystore
cat-tree pet-bowl: petshop
surfboard: surfshop
paper-lanterns sushi: izakaya
clover: stpatrick
fern-clump: jungle rainforest
lemon-tree: amalfi capri
sailboat: riviera
spice-mounds moroccan-lantern: souk bazaar souq
cactus-tall: arizona
`;
