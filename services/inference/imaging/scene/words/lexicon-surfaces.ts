/**
 * Words for surfaces and colors, in rows as in `lexicon-settings.ts`.
 */

/** Kind and color. */
export const surfaceRows = `
wood #b98a5a: oak
wood #a8743f: wood wooden timber parquet hardwood
wood #5e3d26: walnut
wood #d3a46a: pine
wood #dcc39a: birch
wood #cfa06a: maple
wood #6b2f1e: mahogany
wood #9b6a3c: teak
wood #d2b377: bamboo
wood #9a5436: cherry
wood #c2a175: spruce fir cedar ash acacia
wood #2c221d: ebony
wood #9a7450: plank floorboard board deckboard parkbench
wood #8a5e3b: nightstand
wood #a79a8b: driftwood
stone #b98d5e: cork
marble #ece9e4: marble carrara calacatta
stone #77747a: granite
marble #1b1a1c: onyx
marble #e9e4e0: quartz
terrazzo #e4ddd3: terrazzo
concrete #9c9a96: concrete
concrete #a3a09b: cement
concrete #d8d0c5: plaster
concrete #d9cdbd: stucco
stone #8b8680: stone
stone #77716a: rock boulder
stone #a5583c: redrock
stone #3f454b: slate
stone #3a3735: basalt
stone #cdbda4: travertine
stone #cfc4ae: limestone
stone #c39c6d: sandstone
concrete #b9633f: terracotta
concrete #b4704e: clay
tile #9a4b36: brick
sand #d9bd8e: sand sandy
sand #b5653f: redsand
grass #5d8a33: grass lawn
grass #5c6b22: moss mossy
grass #c2a04f: hay
grass #c9ab5c: straw
fabric #d8ccb8: linen
fabric #bdb3a6: fabric
fabric #d5cdc1: cloth
fabric #ece8e1: cotton muslin lace sheet bedsheet
silk #dcbfb8: silk silken
silk #d9bcbe: satin
velvet #5c1f33: velvet
fabric #b7aa98: wool
fabric #3c5274: denim
fabric #cdbfa5: canvas
fabric #efece6: tablecloth
fabric #c7b59d: blanket cushion pillow
fabric #b8322c: picnicblanket
fabric #a3958a: carpet
fabric #a0826b: rug
fabric #eae6df: towel
fabric #8a8d88: felt
fabric #f1ece4: fur fluffy
fabric #b99a6a: burlap jute
fabric #cfa973: rattan wicker
fabric #c8b884: tatami
stone #6b4429: leather
tile #dfe3e2: tile tiled checkerfloor
tile #e6e2da: ceramic porcelain
tile #5fa0a5: mosaic
tile #3f7f78: zellige zellij
tile #e9e6df: azulejo talavera majolica maiolica delftware
metal #a9abae: metal metallic
metal #a7abb0: steel
metal #8f99a1: zinc
metal #bfc2c5: aluminium aluminum
metal #b58d46: brass
metal #8f6a3c: bronze
metal #7d4a33: rusty
metal #b06a45: copper
metal #b9bdc2: chrome
gloss #cfdadb: glass crystal
gloss #e6e6e8: acrylic plexiglass
mirror #c9ced2: mirror mirrored mirrorfloor
gloss #dcdcdc: glossy reflective shiny polished lacquered
water #5d95a3: water
snow #eaf0f6: snow snowy
gloss #cfe3ee: ice icy
plain #e8e3da: paper
plain #b78f62: cardboard
plain #b08d62: kraftpaper kraft
metal #c9a04e: goldfoil
metal #cfa23f: goldleaf
metal #c3bfd0: foil
foil #ece7e2: motherofpearl nacre
foil #cfcad6: holographic iridescent opalescent pearlescent hologram
ice #dfeaf0: crushedice
ice #f1ece6: saltcrystal saltcrust
ice #f0dcd2: pinksalt
fabric #f1ece4: sheepskin
pebble #9a958e: pebble
pebble #8d8881: gravel
pebble #8a8883: shingle
soil #4b3526: soil
soil #54402f: earth
soil #4a382a: mud muddy
soil #5b4531: dirt
wood #c9a67c: beech larch alder poplar
wood #5a2f22: rosewood sapele
wood #3a2a22: wenge
wood #b8925c: zebrano zebrawood elm
wood #d8bb8c: plywood
wood #c8a878: osb
wood #8d7256: barnwood
wood #2b2624: charredwood
wood #6b4a35: bark
marble #efece6: statuario
marble #1b1a1c: marquina
marble #6b4a35: emperador
marble #2f5a45: verdealpi
marble #1f6a4f: malachite
marble #e6d8bf: marfil
marble #26407f: lapis
marble #b48a78: agate
marble #e9c5c4: rosequartz
marble #ddd8d0: quartzite
marble #f0e8da: alabaster
stone #5a6260: soapstone
stone #6b7680: bluestone
stone #9a958f: pumice
gloss #141416: obsidian
gloss #d9cdb4: resin
concrete #b9b3aa: microcement
concrete #cdbba4: tadelakt
concrete #ddd3c5: limewash
concrete #c08a63: adobe
concrete #b58a63: rammedearth
metal #4a4a4c: wroughtiron
metal #5b5d60: gunmetal
metal #8a8d8f: pewter
metal #b5b3ad: nickel
metal #8f9296: titanium
metal #6fa79a: verdigris
fabric #ebe4d8: boucle
silk #b08d62: brocade
asphalt #3a3b3e: asphalt
asphalt #38393c: tarmac
asphalt #a5452f: racetrack
`;

export const colorRows = `
#f2f1ef: white
#1c1b1d: black
#8d8d8f: grey gray
#b9bcc0: silver
#c39a45: gold
#b8322c: red
#9c1f2f: crimson ruby
#5e1a2a: burgundy wine
#eaa6b8: pink
#dca0a4: rose
#c43a8c: magenta
#ee8267: coral
#f4c1a0: peach
#ee9f8c: salmon
#e2802f: orange
#bf5a26: burntorange
#d8932f: amber
#efc94a: yellow
#c89b32: mustard
#f1e6d2: cream vanilla
#dccbb2: beige
#f1ebdd: ivory ecru
#c6a47c: tan
#74502f: brown
#5a3a26: espresso
#4a2f20: chocolate
#b3793f: caramel
#76773b: olive
#5b8f4c: green
#1f7a5a: emerald
#b5dfc9: mint
#a6b59a: sage
#a7c944: lime
#2a7d80: teal
#48b5b0: turquoise
#4fb8cc: cyan
#7fcdd0: aqua
#4577b5: blue
#1f2f52: navy midnightblue
#6fa8de: azure
#3a3a7a: indigo
#7b56a8: violet
#6f4590: purple
#c3b3de: lavender
#c9aed6: lilac
#b693a8: mauve
#36383b: charcoal anthracite
#dfc0aa: nude
#f0dfc2: champagne
#e8c1b5: blush
#d9a58f: rosegold
#a9987f: taupe greige
#a3955f: khaki
#c2388a: fuchsia
#6e2f54: plum
#f3b98a: apricot
#b9782f: ochre
#9b4a2a: rust
#2a4ba8: cobalt
#a8c48a: pistachio
#8ec3e6: skyblue
#bcdcf0: babyblue
#2b4f9e: royalblue
#e8579a: hotpink
#2f5a37: forestgreen
#f5f1ea: offwhite eggshell
#5e2130: oxblood
#6b1f2a: maroon
#c0262d: scarlet
#c8392b: vermilion
#c2325f: cerise
#b88f5e: camel
#8a4b2a: cognac
#6f4e37: mocha
#d9cbb3: oatmeal
#cfc4b2: putty
#e8dfcf: bone
#6a4a2f: umber
#a3522c: sienna
#e3a83a: saffron
#b7c94a: chartreuse
#a9c7b0: celadon
#8fcfbf: seafoam
#9aa5e0: periwinkle
#2f3fbf: ultramarine
#4f535a: graphite
#4f9a78: jade
`;
