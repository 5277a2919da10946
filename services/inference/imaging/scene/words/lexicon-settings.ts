/**
 * Words for places, lights, moods, stands, carriers, patterns and props: their meaning for the scene before the colon, the words
 * behind it, singular and in lower case. `lexicon.ts` parses the rows and throws on a malformed one.
 */

import { oldCities, otherOldCities, towerCities } from "./cities.ts";

/** The names in a row's form, with `~` before each. */
const hinted = (...places: readonly ReadonlySet<string>[]) =>
  places.flatMap((one) => [...one].map((name) => `~${name}`)).join(" ");

/**
 * Backdrop and its color, the surface that belongs to it and its color, light, and what stands in it. Of a place with `~` a scene has the
 * light, the colors and the ground, and not the thing itself.
 */
export const settingRows = `
sweep #ece8e2 plain #ece8e2 studio: studio backdrop background sweep photostudio
wall #d9d2c8 wood #b98a5a soft: wall wallpaper paneling panelling wainscoting
interior #d3c7b7 wood #a57b50 window: room apartment home house interior
interior #d8d0c4 wood #e6e0d6 window window-sill: windowsill sill
interior #b9a48a wood #8a5f3c lamps living-room: gamenight
interior #d3c7b7 wood #a57b50 window living-room: living livingroom parlor coffeetable sidetable
shelves #d9d4ca marble #e4e0da window kitchen: kitchen
shelves #dcc3a0 tile #a5694e golden kitchen: tuscankitchen
shelves #ddd6c6 wood #a9794a morning kitchen: farmhousekitchen
shelves #d8d2c8 marble #e2ded8 window kitchen: counter countertop
shelves #d3d7d8 metal #b3b8bb soft restaurant-kitchen: restaurantkitchen
wall #b9b6b0 concrete #9d9a95 overcast stairwell: stairwell
interior #6a4c35 wood #6b4529 candle: restaurant
interior #5a3a28 wood #a8794c lamps: izakaya
interior #7a5a41 wood #7d5433 lamps cafe: cafe
interior #4b2f22 wood #4e3020 candle bar: bar pub cocktailbar speakeasy
shelves #c59f74 wood #b98a5a morning bakery: bakery
shelves #5a3f2a wood #5e3d26 lamps library: library bookshelf bookstore book
shelves #cfc6ba wood #b98a5a soft: shop store
shelves #d3cabd wood #b0855a soft: shoestore
shelves #e0d4c2 wood #d3a46a soft: toystore
shelves #d5cdbb wood #b98a5a soft: petshop
shelves #cdd3d0 wood #a98a66 soft: surfshop
shelves #2b2523 velvet #26221f dramatic: ~jewelrystore
shelves #cdbba3 wood #b98a5a soft: shelves bookcase cupboard
shelves #d9cdb8 wood #b98a5a window: pantry larder
shelves #5a4030 wood #6b4a32 lamps library: ~courtroom
tiled-wall #cfdcdc marble #e6e6e3 soft bathroom: bathroom bathtub bath sink
wall #d5d6c9 wood #b08d63 soft spa: spa bathhouse
tiled-wall #c9d3c8 stone #4b4f4e candle: ~zen
interior #d9cdc0 fabric #e7e1d8 morning bedroom: bedroom bed
interior #c9ced1 wood #a88a68 window desk: office
interior #cac7c1 wood #a98257 window desk: desk homeoffice study
interior #a9836a concrete #8f8c88 window loft: loft
interior #6b4a3a wood #6b4a35 lamps loft: musicstudio
interior #6d4c3b wood #6b4a35 lamps: recordshop
interior #cfc3b4 fabric #b9a992 window living-room: sofa couch armchair
interior #7d5a42 wood #5e3d26 candle fireplace: fireplace
wall #8d9196 asphalt #34363a studio gym: gym
shelves #6f7276 concrete #6f6e6c lamps garage: garage
shelves #6b5240 wood #8a623c window garage: ~smithy
shelves #8a6a48 wood #b0834f window joinery: workshop ~carpentry
wall #eceae6 concrete #b8b5b0 soft gallery: gallery
sea #4f9bb5 sand #d9bd8e noon: beach
sea #3f87a6 sand #d9bd8e noon: sea wave surf
sea #2f7596 sand #d9bd8e noon: ocean ~atlantic
sea #4a8aa3 stone #8b8378 noon: coast
sea #4f9bb5 sand #d9bd8e golden: shore
sea #1f8aa6 sand #a9bfae noon underwater: underwater reef coralreef ~aquarium seabed
sea #35a6b8 sand #d9bd8e noon palms: island
sea #2fb0b5 sand #d9bd8e noon palms: tropical
sea #4f9bb5 wood #b9a68e noon: seaside
foliage #3f5c2c grass #5c6b22 dappled: forest woods ~fairytale ~enchanted
foliage #46602f grass #5c6b22 dappled: woodland
foliage #2f6a33 grass #5c6b22 dappled: ^jungle ^rainforest
foliage #4a6a2f grass #5d8a33 dappled: tree
foliage #5d8a3c wood #a98a66 dappled: garden backyard
foliage #5f8f3c grass #5d8a33 noon: park
foliage #5f8f3c wood #9a7450 noon: parkbench
foliage #7ea048 grass #5d8a33 golden: meadow
hills #8fa058 grass #5d8a33 golden: field
foliage #56803a grass #5c6b22 dappled: nature
foliage #5d8a3c stone #8b8680 noon: outdoor
foliage #4d7a3c wood #b98a5a window: plant
foliage #e3a5b8 wood #d9c6ad morning flowers: flower
foliage #e3a5b8 fabric #eee3dc morning flowers: floral
foliage #f0d2da wood #d9c8b2 morning: blossom cherryblossom sakura
foliage #cf8636 soil #8a5a2c golden autumn: autumn fall
foliage #8fb357 grass #5d8a33 morning: spring
foliage #6fa03e wood #c9a878 noon: summer
snowfield #a9bccb snow #eaf0f6 overcast: winter
snowfield #8fa3b8 snow #e4ecf6 overcast: christmassnow
skyline #cbc3b2 wood #8f6a48 golden bistro: cafeterrace
foliage #5f8f3c wood #9a7450 dappled: beergarden oktoberfest
foliage #5f8f3c stone #b9b2a6 dappled: gardencafe
skyline #c4b8a6 concrete #a39f98 noon town: sidewalk pavement
skyline #c9ab84 tile #b9a68a golden town: oldtown piazza plaza cobblestone
skyline #c9b497 tile #b3aa9b golden town: ${hinted(oldCities, otherOldCities)}
skyline #6d7c8d concrete #8f8e8c sunset: ${hinted(towerCities)}
shelves #dfe3e6 gloss #e4e8ea soft supermarket: supermarket ~convenience hypermarket ~drugstore
shelves #dfe3e6 gloss #e4e8ea soft: ~aisle
wall #f3e3dc marble #ece9e4 soft ice-cream-parlor: icecreamparlor
shelves #e6d5d8 wood #d3a46a morning: sweetshop confectionery
snowfield #b9cbd8 gloss #c9dde8 overcast: frozenlake ~icerink ~rink
foliage #4f6f3a soil #5b4f38 overcast: bamboogrove
foliage #6c8a5c sand #d9cfbc soft: zengarden ^japanese ^japan ^kyoto
foliage #4d6a33 soil #8a6e4e dappled trail: forestpath ~trail footpath
foliage #56803a stone #9a948a golden terrace: ^andalusia ^andalusian ~mallorca
hills #a3a06a stone #b5a58a golden: ruin temple
hills #8fb05a grass #6c9a3a morning: riceterrace teaplantation plantation
hills #8aa05a grass #5d8a33 golden orchard: lemongrove
mountains #6f8296 wood #b39b7c morning: mountainterrace
stars #2a1410 sand #a85a34 night: ~mars ~planet
mountains #9fb4c4 plain #eceae4 noon: saltflat
stars #12203a snow #dfe6f2 night: aurora
interior #3a424c metal #7d848c neon lobby: ~spaceship ~starship
interior #6f655d concrete #8a8782 window industrial: ~construction ~brewery
interior #b9b6b0 concrete #9a968e window station: railwaystation
interior #5b4a3a stone #6f675d candle fireplace: castlehall ~medieval tavern taverna inn saloon throneroom
wall #6f675d stone #77716a candle: ~cathedral ~monastery
interior #8f7a66 wood #9a7450 window: ~stable ~treehouse
wall #a3262a wood #5e2a1c lamps: chinesenewyear
wall #c8703f tile #b8714a golden: dayofthedead ~mexican ~mexico fiesta
interior #5a2f1e wood #5e3d26 candle: diwali
interior #3d4a63 wood #6b4529 candle: hanukkah ramadan eid iftar
interior #a8764a wood #7d5433 candle: thanksgiving
interior #5a2a22 wood #6b4529 candle fireplace: sinterklaas
interior #4a2a6a gloss #2a1a2a lamps: mardigras masquerade
foliage #5f8f3c stone #c9c2b6 noon: ~graduation
foliage #5f8f3c grass #5d8a33 noon: ~playground ~campus ~zoo
foliage #5d8a3c wood #a98a66 golden: ~barbecue ~bbq
tiled-wall #3f7f78 tile #8fb0a8 candle: hammam
skyline #8f938f soil #8a7458 overcast: constructionsite
skyline #3a4050 concrete #7d7b78 night: ~gasstation
wall #b99a72 wood #c98f55 studio: basketballcourt sportshall gymnasium
wall #8d9196 asphalt #3f4246 studio gym: gymfloor crossfit
foliage #4f8a3c concrete #b5623c noon tennis-court: tenniscourt
foliage #4f8a3c asphalt #a5452f noon stadium: runninglane athletics
foliage #2a4f34 stone #4b4f4e dappled: tropicalleaf
interior #3d4a63 wood #8a6a4c lamps rainy-window: rainywindow
wall #6a4a38 wood #c98f55 lamps: bowling
tiled-wall #bcd9e0 water #4fb3c4 noon: ~swimlane
foliage #4f7a3c water #4fb3c4 noon pool: poolwater
sea #3f87a6 water #5d95a3 noon: watersurface
interior #c9b59b marble #e6ddd0 lamps lobby: ~ballroom ~opera ~gala
interior #cfc7bb wood #b98a5a window library: ~writer
interior #4a3a30 wood #3d2b20 lamps: ~barbershop ~barber
interior #5a2a22 wood #6b4529 candle christmas: christmas xmas festive holiday
skyline #2a3350 snow #dfe6f2 night market: christmasmarket
interior #4a2c16 wood #4a3020 candle: halloween
sweep #e7a7b4 plain #e7a7b4 studio: valentine
sweep #3f7a45 plain #3f7a45 studio: ^stpatrick
foliage #4f8a3c grass #4f8233 noon stadium: stadium pitch ~arena
foliage #4f8a3c grass #4f8233 noon: ~golf
mountains #6f8296 grass #748f48 morning: mountain alp
mountains #6f8296 stone #7d7a75 morning: ~quarry peak summit cliffside ~volcano ~iceland ~icelandic dolomite
hills #7c945c grass #5d8a33 golden: hill ~tuscany ~tuscan ~toscana ~provence ~provencal prairie pasture
hills #6f8a5c grass #5d8a33 morning: valley
dunes #c98f55 sand #cf9a5f golden: desert sahara ~oasis ^arizona
dunes #d3a066 sand #d6a76c golden: dune
sea #4f9bb5 sand #d9bd8e golden dunes: coastdune
sea #4a8aa3 stone #8b8378 noon: ~cliff ~promenade bay lagoon
sea #2fb0b5 sand #e3cfa6 noon palms: ^maldives ^hawaii ^hawaiian ^caribbean ^bali balinese ^phuket ^seychelles
dunes #a8562f stone #a35f3d golden: canyon grandcanyon cappadocia
sky #7fb0dc plain #e9eef2 noon: sky
sky #8fb7dd plain #eef2f6 noon: cloud
sky #9fc3ea plain #f3f1f2 soft: heaven
stars #1a1c3c stone #5a5a60 night: space
stars #2a1c4c gloss #1b1830 night: galaxy
stars #1a1c3c stone #4a4a52 night: star
stars #15171f sand #8b8a88 night: moon moonsurface
skyline #6d7c8d concrete #8f8e8c overcast: city
skyline #7c7f85 asphalt #3a3b3e overcast: street
skyline #cbc3b2 tile #b9b2a6 soft town: ~paris ~parisian
skyline #8a8d92 tile #b9b2a6 soft: ~london
hills #9ab07a grass #5d8a33 noon: ~holland ~netherlands ~dutch
skyline #70767e concrete #85837f overcast: urban
skyline #8299ad concrete #a3a5a6 noon: businessdistrict
skyline #70767e asphalt #4a4b4e noon: streetball
skyline #7d7c87 concrete #8d8b88 sunset rooftop: rooftop rooftopbar rooftopgarden
skyline #6d7c8d concrete #8f8e8c sunset: skyline
skyline #6d7c8d asphalt #3a3b3e night: downtown manhattan newyork brooklyn
skyline #3b3350 asphalt #3a3b3e neon: tokyo ^timessquare ~chinatown ~lasvegas
skyline #2a1c44 asphalt #3a3b3e neon: cyberpunk
skyline #33204a gloss #17131f neon: club
skyline #5a2a55 gloss #2a1a2a neon: party ~nightclub ~carnival ~circus ~arcadegame
hills #7c8a78 asphalt #3a3b3e golden: ~road
skyline #8b8d95 wood #a98a66 golden rooftop: balcony
foliage #6f8a4c tile #cbbca3 golden terrace: terrace bougainvillea
foliage #6f8a4c wood #b39b7c golden porch: porch veranda
foliage #6f8a4c tile #c4b297 golden terrace: patio courtyard pergola cloister
interior #c9b59b marble #e6ddd0 lamps lobby: lobby hotel reception foyer palace penthouse villa
interior #d8cbb8 wood #b98a5a window: hallway entryway corridor entrance hall
interior #cfd3d5 gloss #d3d6d8 window airport: airport terminal departure
interior #cfd3d5 concrete #b3b5b6 window lobby: ~station ~mall ~escalator ~elevator ~postoffice
interior #cfcdc8 wood #8f6a48 window meeting-room: boardroom meetingroom
interior #e6d3c2 wood #d3a46a morning playroom: playroom toy toys kindergarten kid kids child children
interior #e4d6d2 wood #cfa878 morning nursery: nursery baby cradle crib
interior #d3c4b4 wood #8a5e3b lamps bedroom: nightstand bedside
interior #d9c7bd marble #ebe3dc soft: vanity dresser dressing makeup salon hairdresser
interior #d6cabb wood #9b6a3c window: dining dinner diningtable breakfast brunch
interior #d9d2c2 wood #a88a68 window classroom: classroom school
interior #cdbfae wood #a88a68 window: workspace coworking
interior #8f7a66 wood #9a7450 window: ~attic
interior #8a623f wood #6b4a2f candle fireplace: lodge skilodge
interior #6f655d concrete #8a8782 window industrial: warehouse factory industrial hangar
interior #5a4330 wood #5e3d26 lamps: ~theater ~theatre ~cinema ~casino lounge
interior #7d4f38 wood #6b4529 candle: diner bistro steakhouse pizzeria
interior #8b6a4b wood #7d5433 window cafe: coffee coffeeshop
wall #d9cfb8 fabric #c8b884 soft: teahouse
interior #b98e63 wood #c39a6a candle: ~sauna
interior #dfd8cc wood #cdae86 morning: ~yoga wellness ~meditation
shelves #d6c5b4 marble #ddd4c8 soft: boutique perfumery jeweler
shelves #dfe4e6 gloss #e4e8ea soft: laboratory lab ~clinic ~veterinary ~pharmacy ~hospital ~doctor ~dentist
skyline #c9ab84 wood #a8743f morning town: market marketplace stall
shelves #b9a078 wood #a8743f morning: grocery deli
shelves #b98a5c tile #b8714a golden: ^souk ^bazaar ^souq
foliage #a8825c tile #c7775a golden terrace: riad ^marrakech ^morocco ^moroccan
shelves #d8c9b8 fabric #d8ccb8 soft: ~wardrobe ~closet
shelves #4a3426 wood #4b2f20 candle: cellar winery distillery whiskey
shelves #b58a66 wood #9a7450 window: ~pottery
interior #cfc8bb wood #a57b50 window: ~atelier
mountains #6f8296 soil #a08c6c morning trail: mountaintrail
skyline #b9a27c stone #a8977c golden town: lane townhouse brownstone
skyline #e0a878 tile #b9a68a noon town: ~havana ~cuba ~cartagena
wall #dedbd6 concrete #a9a6a1 soft gallery: showroom museum exhibition
wall #55515a gloss #3a3740 dramatic runway: runway catwalk stage concert theaterstage
wall #8b8178 stone #77716a dramatic: ~cave ~dungeon
tiled-wall #c7cdcf tile #b9bdbd soft: ~subway ~metro washroom toilet ~shower restroom
wall #dfe0dc wood #b98a5a soft laundry: laundry
wall #b9bec2 wood #b98a5a soft lockers: locker
tiled-wall #8a4a38 concrete #8f8c88 dramatic: ~alley ~fireescape ~basement
foliage #4f7a3c tile #d9d2c4 noon pool: poolside swimming pool poolbar
sea #4d8796 wood #a98a66 morning lake: lake pond
sea #4d8796 wood #a98a66 morning mountain-lake: mountainlake fjord ^norway ^norwegian
sea #3f87a6 wood #a98a66 noon: ~houseboat pier dock deck boardwalk yacht boat harbor harbour marina
sea #3f87a6 tile #cfa57f noon terrace: greek greece santorini mediterranean ^amalfi ^capri ^riviera
sea #4d8796 stone #8b8378 golden: ~venice ~venezia
foliage #3f6a45 pebble #8d8881 dappled: waterfall
sea #4d8796 pebble #8d8881 morning lake: river riverbank riverside lakeside lakeshore
foliage #4d6a33 pebble #8d8881 morning stream: stream creek brook
foliage #3f5c2c pebble #7f7a72 dappled stream: foreststream
mountains #6f8296 pebble #8d8881 morning stream: mountainstream
wall #7a5236 wood #9a7450 window barn-door: barndoor
foliage #5d8a3c wood #a98a66 morning kitchen-garden: vegetablegarden kitchengarden allotment
foliage #5f8f3c fabric #e7ded0 dappled: picnic picnicblanket
foliage #5f8f3c sand #d9bd8e noon: sandbox sandpit
foliage #5a6f46 grass #5c6b22 overcast: cemetery graveyard
hills #a3a06a soil #8a6e4e golden: pumpkinpatch
foliage #54703a wood #9a7450 dappled: camping campsite camp tent
foliage #54703a grass #5d7a33 dappled: ~campfire ~bonfire
hills #8aa05a wood #9a7450 morning orchard: orchard
hills #a3a878 wood #b39b7c golden olives: olivegrove
hills #8f94a0 wood #a98a66 golden lavender: lavenderfield
hills #8f94a0 fabric #e7ded0 golden lavender: lavenderpicnic
foliage #4f7f45 tile #bfb7a8 morning greenhouse: greenhouse conservatory botanical
wall #d3d0c4 wood #a98257 morning flower-shop: florist flowershop
foliage #2f7a3c wood #c9a878 noon palms: palm
foliage #f1e9e4 fabric #f1ece5 morning flowers: wedding bridal
foliage #e8c9a0 plain #f0e6dc morning flowers: easter
hills #8f9a50 wood #9a7450 golden vines: vineyard
hills #94a05a wood #a8743f golden: ~farm ~countryside ~village ~ranch ~barn ~farmhouse
dunes #b98f55 grass #c2a04f golden: ~savanna ~savannah ~safari
mountains #7d8ea0 snow #eaf0f6 noon: ~glacier ~ski alpine
mountains #6f8296 grass #6d9440 morning: alpinemeadow
interior #ecd6d2 wood #d9b48c morning: birthday
skyline #4a4f5c gloss #1c2028 night: futuristic scifi
skyline #75726f asphalt #3a3b3e overcast: parking ~crosswalk
interior #77797b concrete #7c7a77 lamps industrial: parkinggarage
wall #8f8c88 concrete #7d7a76 dramatic concrete-wall: ~tunnel ~underpass
wall #1d232c gloss #262d38 neon: serverroom datacenter datacentre
sweep #1d222b gloss #232933 dramatic: tech hightech cyber
sweep #a9c9de water #5d95a3 studio: watersplash icesplash
sweep #17171a gloss #1b1b1f dramatic: blackfriday
interior #c9b294 wood #8a5a34 window living-room: midcentury
foliage #5a6f50 stone #6d6a66 soft pool: onsen hotspring
wall #a39d95 concrete #8f8c88 soft graffiti: graffiti
foliage #26302a soil #3a332b night: hauntedhouse hauntedmansion
hills #7c8a78 asphalt #3a3b3e golden: highway roadside ~carinterior
foliage #7c9a6a concrete #b3b0aa noon skatepark: skatepark
sweep #dccbe8 foil #cfcad6 studio: y2k
foliage #8aa05a wood #b98f62 morning flowers: cottagecore
foliage #4f6a35 grass #5c6b22 dappled: goblincore fairycore
mountains #6f8296 stone #7d7a75 morning: gorpcore
sea #7fb0bd wood #c9b596 morning: coastal nautical hamptons
interior #e3dccf fabric #e4dccd morning living-room: coastalgrandmother
interior #6b5442 wood #5e3d26 lamps living-room: oldmoney
shelves #5a3f2a wood #5e3d26 lamps library: darkacademia
shelves #b99a73 wood #a8743f morning library: lightacademia
sweep #f0a3c4 plain #f0a3c4 studio: barbiecore
`;

/** Styles: a place where the theme names no other, and its mood in any. */
export const styleRows = `
y2k cottagecore goblincore fairycore gorpcore coastal nautical hamptons coastalgrandmother oldmoney darkacademia lightacademia barbiecore
`;

export const lightRows = `
morning: morning
sunset: sunset sunrise dawn daybreak dusk twilight evening
blue-hour: bluehour
golden: golden backlit backlight afternoon
hard: harsh hardshadow hardlight
noon: clearsky sunny sunshine noon midday daylight sun
window: sunlight sunlit window windowshade
blinds: blind venetianblind shutter jalousie louver slat
night: thunderstorm lightning night moonlit midnight moonlight nocturnal
neon: neon neonsign rgb synthwave vaporwave
studio: colorgel
soft: soft diffuse diffused softbox even gentle
dramatic: dramatic moody spotlight contrast cinematic theatrical
overcast: overcast cloudy foggy fog misty mist rainy rain storm stormy hazy haze
candle: candle candlelight candlelit cozy lantern
lamps: lamplight lamp lamplit chandelier
caustics: caustic waterlight
dappled: dappled shade shadow leafshade
`;

/** The camera looks down on a product that lies. */
export const flatLayRows = `
above: flatlay topview topdown overhead birdseye knolling fromabove
`;

export const moodRows = `
warm: warm earthy boho bohemian wabisabi organic hippie biophilic
cold: cold cool frosty
pastel: pastel dreamy playful kawaii balletcore coquette
minimal: minimal minimalist minimalistic clean simple scandinavian swedish danish nordic calm serene tranquil japandi scandi neutral monochrome monochromatic bauhaus cleangirl
luxury: luxury luxurious elegant premium chic opulent baroque rococo deco exclusive glamorous glamour sophisticated noble nouveau oldmoney quietluxury regency mobwife
dark: dark dim dimly black moody deep gothic gloomy grunge darkacademia
bright: light bright airy fresh pale coastal coastalgrandmother lightacademia nautical hamptons
vivid: vivid vibrant colorful colourful pop bold y2k maximalist maximalism eclectic dopamine barbiecore memphis psychedelic
vintage: vintage retro rustic old antique nostalgic weathered cottagecore victorian edwardian shabbychic shabby grandmillennial steampunk
cosy: cozy cosy romantic hygge
`;

/** What the product is put on. */
export const standRows = `
podium: podium pedestal platform cylinder
block: plinth cube block
steps: step steps stairs stair staircase
shelf: shelf ledge mantel
tray: tray platter plate dish saucer
hexagon: hexagonpodium
cake-stand: cakestand
`;

/**
 * Things that the product is put on where a theme says so ("on a log"), and which else are beside or behind it: the stand, its
 * material and color, and the place in which it is where the theme names none (-: any).
 */
export const carrierRows = `
stump wood #9a6f43 forest: stump treestump
log wood #9a6f43 forest: log woodstack firewood woodpile
crate wood #a8794c -: crate pallet pallets
bench wood #8f6a45 park: bench parkbench parkseat picnictable picnicbench
barrel wood #7d5634 cellar: barrel cask
stool wood #a07448 room: stool woodenstool barstool barstools counterstool plantstand
chair wood #9a7148 room: chair wickerchair rattanchair
books plain #7a2f35 library: books novel magazine magazines
suitcase fabric #7a4c2c -: suitcase luggage steamertrunk traveltrunk travelchest
rock stone #77716a -: rock boulder
bale grass #c2a04f farm: hay haybale
sofa fabric #a39a8c livingroom: sofa couch
armchair fabric #a4785a livingroom: armchair
cushion fabric #c7b59d -: cushion pillow
gift plain #b8322c -: gift giftbox present parcel
bricks concrete #96553f -: brick brickstack brickpile stackofbricks
drum metal #3f6585 workshop: oildrum oilbarrel drumbarrel
cake-stand gloss #efece6 -: cakestand
board wood #a8794c kitchen: cuttingboard choppingboard servingboard
board stone #45474a kitchen: slateboard
board marble #e9e5df kitchen: marbleboard
tray plain #e4dfd6 -: turntable
block stone #b9b2a6 -: altar
`;

/** Things around the product, or out of focus behind it. */
export const propRows = `
shapes: geometric geometry geometrical shape sphere
arch: arch archway arcade vault
curtain: curtain drape drapery veil
palms: palm
lemons: lemon citrus
plants: tropicalleaf plant greenery houseplant ivy foliage leaf leave flowerpot pot
candles: candles
petals: petal
confetti: confetti streamer dayofthedead mardigras
glitter: glitter glittery sparkle sparkling sequin golddust
snowfall: snowfall snowflake flurry
toys: playroom toy toys kindergarten kid kids child children
drops: drop droplet dew raindrop condensation
splash: watersplash icesplash splash splashing milksplash chocolatesplash coffeesplash juicesplash
puddles: puddle wet
eggs: paintedegg
gifts: gift present parcel giftbox
hearts: heart valentine
moon: moon ramadan
fog: fog foggy mist misty haze hazy
pampas: pampas
parasol: parasol sunshade beachumbrella
pumpkins: pumpkin pumpkinpatch halloween
rain: rain rainy rainfall
stones: cairn zengarden
tent: tent camping campsite
waterfall: waterfall
gradient: gradient gradation ombre
bokeh: bokeh
`;

/** Things that `avoid` may name beside the words above; "never" is what no scene has. */
export const avoidableRows = `
lights: bokeh light lights glow sparkle glitter
lamps: lamp lamplight tablelamp floorlamp lampshade lantern chandelier pendant pendantlamp
plants: plant plants flower leaf leave leaves tree greenery foliage palm herb houseplant ivy fern flowerpot
furniture: furniture
beds: bed crib cradle
tables: table coffeetable sidetable desk
nightstands: nightstand bedside
seats: sofa couch armchair chair seat
mirrors: mirror wallmirror
fireplaces: fireplace hearth chimney
fire: fire flame flames campfire bonfire
windows: window
curtains: curtain drape drapery
objects: object prop accessory clutter decoration decor shelves shelf
pictures: painting poster artwork pictureframe picture wallart photo
blackboards: blackboard chalkboard
bottles: bottle jar
books: book books bookshelf bookcase
bread: bread baguette loaf
candles: candle candles
cups: cup mug coffee coffeemachine
gifts: gift present parcel giftbox
screens: screen computer monitor laptop
tools: tool tools
towels: towel towels
pumpkins: pumpkin jackolantern
toys: toy toys teddy
weights: weight weights dumbbell barbell kettlebell
people: people person man men woman women human audience crowd
clouds: cloud
patterns: shadow shade pattern stripe
never: hand face body text letter word logo brand watermark animal cat dog frame border
`;

/** Words without a meaning for the scene; they are not reported as unrecognized. */
export const stopWordRows = `
blur blurred blurry lights front behind around my our this that
a an the on in at of with and or by from to for over under near against next into its it is
very above below beneath between among along across through beyond within onto top bottom left right center middle corner edge
branch branches bale row rows oval square round thin thick long short wide narrow empty fine rough smooth handmade hand bunch pile stack heap few several many
some scene landscape scenery photo picture image product table tabletop surface floor ground lighting
lit hour time view style look feel feeling mood tone shot colour color coloured colored hint
touch lot bit colors colours beautiful nice pretty modern natural realistic professional high quality seamless millennial flowing dusty
one two three out made photography photograph photographed photorealistic photoreal hyperrealistic hyperreal ultrarealistic realism ultra uhd hdr
hd dslr highly detailed intricate octane unreal engine render rendered rendering commercial advertising advertisement campaign masterpiece
editorial ecommerce catalog catalogue packshot composition aesthetic aesthetics vibe vibes stunning gorgeous award winning volumetric setting
setup environment ambience ambiance atmosphere atmospheric concept lens focus focused sharpness resolution hires closeup macro angle aperture
canon nikon midjourney artstation unsplash pinterest instagram perfectly subtle subtly featuring surrounded resting stacked piled
neatly carefully early late burning crackling glowing roaring frosted ad women womens ladies farmers sticks eos arranged scattered nestled lying sits stands rests kind other more most every each really too such amid amongst atop
underneath towards toward upon full big small large little tall beside inside outside
vein veined veins worktop folded path fallen dried plain starry there where which please make put place placed standing stand sitting show shown elegantly
floating flying levitating exposed open overlooking views torn knitted worn
strips ingredients jahre lush frozen fishing raked exploding explosion display harvest cracked volcanic rotating giant huge ruined mini teen retreat apres
matte day eve s mother father hot crushed sliced slice freshly raw whole bowl themed inspired
accent accents detail details trim trims rim edging tones back welcome happy merry special
art design fashion but contemporary classic classical stylish cute perfect clear we you
drenched bathed soaked kissed filled covered decorated adorned dressed topped lined spread laid down off away coming going peeking peeping streaming
filtering pouring casting creating giving making hanging growing climbing leaning facing leading rising drifting swirling melting shining reflecting flickering
twinkling shimmering gleaming glistening glimmering glow gleam shine shimmer rolling swaying falling cascading trailing draping peeling close far nearby distance
distant foreground rear side sides during while after before about like as if though slightly softly gently warmly brightly nicely evenly beautifully tastefully
artfully casually loosely freely heavily strongly super extra rather quite fairly almost barely just only simply well lots plenty touches hints hues hue tint tints
something anything everything nothing else someone want wants need needs would could should will might maybe perhaps think imagine feels looks reminds
reminiscent evokes evoking suggests suggesting give gives creates makes have has having get gets be are was been being do does used using use via per plus also then
than so me us they them their your his her he she who what when how why today new young own same different various varied assorted mixed matching coordinated
complementary additional main central centered focal point hero low angled tilted sloped slanted diagonal horizontal vertical parallel symmetrical curved
rounded angular straight flat heavy solid pure tiny enormous oversized slim chunky heights height size sizes sized tier tiered multi baked mowed
picked ripe juicy tasty delicious brewed trimmed carved thrown crafted brushed handcrafted handwoven woven hewn sawn knotty panoramic
sweeping breathtaking picturesque idyllic scenic charming lovely adorable amazing incredible fantastic great good best ideal popular famous typical authentic genuine
real true iconic local original unique creative fancy spacious roomy trendy timeless presentation presented ready serve january february march april may june
july august september october november december cgi web website homepage banner thumbnail listing etsy ebay shopify webshop advert layout
bunches clusters cluster tendrils fully completely totally shots spot area areas spaces places joint parlour first second third
st up writing sunday saturday single slow motion parked steep sunken forming formed line lines skincare primary strong delicate
wild active sort quick texture textures textured
`;
