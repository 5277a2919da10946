/**
 * Drawn things: the name of a drawing, where it is put, its height as a share of the backdrop's, how many there are, what `avoid` calls
 * it, the color that a theme may change (-: none), and the place in which it stands where a theme names none (-: any). Behind the colon are
 * the English words for it, singular and in lower case. `named-things.ts` parses them and throws on a malformed row.
 */
export const thingRows = `
apple beside .15 5 objects #a8322c -: apple
lemon beside .15 3 objects - -: lemon
orange beside .15 5 objects - -: oranges
banana beside .2 2 objects - -: banana
strawberry beside .15 3 objects - -: strawberry
grapes beside .28 2 objects #5b3a5e -: grape
pineapple beside .42 1 objects - -: pineapple ananas
watermelon beside .26 2 objects - -: watermelon
tomato beside .15 3 objects - -: tomato
carrot beside .2 2 objects - -: carrot
chili beside .15 3 objects - -: chili chilli
garlic beside .15 2 objects - -: garlic
avocado beside .17 2 objects - -: avocado
coconut beside .2 2 objects - -: coconut
peach beside .16 3 objects - -: peaches nectarine
pomegranate beside .19 2 objects - -: pomegranate
bread beside .2 2 objects - -: bread sourdough
croissant beside .14 3 objects - -: croissant pastry
cheese beside .18 2 objects - -: cheese
cake beside .42 1 objects #f1e3dc -: cake birthdaycake weddingcake
cupcake beside .2 4 objects #e9a9b4 -: cupcake muffin
donut beside .18 3 objects #e39aa8 -: donut doughnut
ice-cream beside .34 2 objects #f0cdbb -: icecream gelato
honey beside .28 2 objects - -: honey
spices beside .3 4 objects #c9822c -: spicesack spicebasket
crate beside .28 3 objects - -: crate vegetable market deli marketplace
cinnamon beside .12 3 objects - -: cinnamon
fruit-bowl beside .26 1 objects - -: fruitbowl fruit
fern beside .5 2 plants - -: fern pottedfern
fern-clump beside .36 3 plants - forest: wildfern fernclump
cactus beside .42 3 plants - -: cactus cacti succulent
orchid beside .6 2 plants - -: orchid
vase beside .58 1 plants #d8d0c4 -: vase bouquet
pampas-vase beside .62 2 plants #e9e2d6 -: pampas
cotton beside .5 2 plants - -: cottontwig
sunflower flower .5 12 plants - field: sunflower
poppy flower .4 16 plants #c2342b field: poppy
rose flower .46 9 plants #b2344a garden: roses
daisy flower .44 16 plants - meadow: daisy chamomile wildflower
peony flower .44 8 plants #e0a3b4 garden: peony
lily flower .5 8 plants #efe9e2 garden: lily
lavender flower .4 12 plants - lavenderfield: lavenderbunch
wheat flower .46 18 plants - field: wheat barley grain cornfield
mushroom beside .22 4 plants - forest: mushroom toadstool
log beside .2 2 objects - forest: log
basket beside .3 1 objects #a97c4a -: basket picnic
feather beside .4 3 objects #e9e3d8 -: feather
coral beside .4 3 objects #cf5f4e underwater: corals
shell beside .16 4 objects - beach: shell seashell
candle beside .32 5 lights #ece2cf -: candle
lantern beside .42 3 lights #2d2b29 -: lantern
suitcase beside .4 2 objects #8a5a38 -: suitcase luggage
soap beside .34 1 objects - bathroom: soap toiletries
teapot beside .28 1 objects #c9c2b6 -: teapot tea
cup beside .22 2 objects #efe9df -: cup teacup latte cappuccino coffee
wine beside .56 1 objects - -: winebottle
jar beside .3 2 objects - -: jar
books beside .24 2 objects - -: books novel
globe beside .46 1 objects - -: globe
teddy beside .42 1 objects #a9794d nursery: teddy teddybear
football beside .26 2 objects - pitch: football soccer soccerball pitch
basketball beside .28 2 objects - gym: basketball
dumbbell beside .3 2 objects - gym: dumbbell barbell
laptop beside .42 1 objects - office: laptop computer workspace coworking
camera beside .24 1 objects - -: camera
flasks beside .36 2 objects - laboratory: flask beaker laboratory lab chemistry
microscope beside .46 1 objects - laboratory: microscope
anchor beside .42 1 objects - pier: anchor
drum beside .4 1 objects #9a3a30 -: drum
crown beside .2 1 objects - -: crown
hourglass beside .34 1 objects - -: hourglass
watering-can beside .34 1 objects #7d9088 garden: wateringcan
coffee-beans beside .13 4 objects - -: bean coffeebean
herb-pots beside .3 1 plants - -: herbpot herb
pine-cones beside .14 3 plants - forest: pinecone fircone
lemon-slices beside .16 3 objects - -: lemonslice citrusslice
basil beside .3 2 plants - -: basil
olive-oil beside .36 1 objects - -: oil oliveoil
eucalyptus flower .4 6 plants - -: eucalyptus
blossom corner .62 1 plants #efb9c6 garden: blossom cherryblossom
daffodil flower .36 16 plants - garden: daffodil narcissus
tulip flower .5 22 plants #d8423f field: tulip
towels beside .2 1 objects #ece7de -: towels rolledtowel spa
kettlebell beside .26 2 objects #2f3236 gym: kettlebell
yoga-mat beside .22 1 objects #7f8fa8 -: yogamat yoga gymmat mat pilates
tennis beside .56 1 objects - pitch: tennis tennisball racket
golf beside .2 2 objects - golf: golfball golf
shopping-bags beside .36 1 objects #c9a27c -: shoppingbag shopping
perfume beside .28 1 objects - -: perfume perfumery
makeup beside .24 1 objects - -: lipstick cosmetic makeupbrush
jack-o-lantern beside .24 4 lights - -: halloween jackolantern
buoy beside .34 1 objects - sea: buoy
jewelry beside .2 1 objects #6b3340 -: necklace jewelrybox jewelry jeweler jewelrystore
yarn beside .2 1 objects #b98a8f -: yarn knitting
brushes beside .34 1 objects - -: paintbrush atelier
pencils beside .28 1 objects #5a7280 -: pencil
backpack beside .44 1 objects #5f7a5a -: backpack rucksack hiking
toy-train beside .2 1 objects - playroom: toytrain
blocks beside .34 1 objects - playroom: toyblock
toolbox beside .26 1 objects #b0392f workshop: toolbox
olives beside .16 2 objects - -: olives
nuts beside .13 3 objects - -: nut hazelnut almond pecan
blueberry beside .1 2 objects - -: blueberry berry berries
raspberry beside .12 3 objects - -: raspberry
cherry beside .16 3 objects - -: cherries
lime beside .15 3 objects - -: limes
kiwi beside .15 2 objects - -: kiwi
ginger beside .13 2 objects - -: ginger
mint beside .24 2 plants - -: mintleaf peppermint
rosemary beside .3 2 plants - -: rosemary thyme
aloe beside .4 2 plants #b9674a -: aloe aloevera
cone beside .34 2 objects - road: trafficcone
umbrella beside .44 1 objects #b8453a -: umbrella
rain-boots beside .3 1 objects #d9b03a -: boots wellingtons rainboot
rubber-duck beside .16 2 objects - bathroom: rubberduck
headphones beside .36 1 objects #2f3236 -: headphone headset
vinyl beside .2 1 objects - -: vinyl recordplayer
trophy beside .36 1 objects - -: trophy
waterlily beside .14 3 plants #e9b9c4 lake: waterlily lotus
kettle beside .34 1 objects #7f93a3 -: kettle
ghost beside .3 2 objects - -: ghost
spider-web corner .6 1 objects - -: spiderweb cobweb
witch-hat beside .3 1 objects #3a2f4a -: witch witchhat
muesli beside .18 1 objects - -: muesli granola oat porridge
eggs beside .14 1 objects - -: eggcarton henegg egg
milk beside .34 1 objects - -: milk
chocolate beside .17 2 objects - -: chocolatebar
macarons beside .22 2 objects - -: macaron macaroon
popcorn beside .3 2 objects #b8322c -: popcorn
gingerbread beside .2 2 objects - -: gingerbread
beer beside .34 2 objects - -: beer brewery
cocktail beside .34 2 objects #d9853b -: cocktail aperol spritz
champagne beside .4 1 objects - -: champagneglass prosecco flute
lemonade beside .4 1 objects - -: lemonade
moka beside .34 1 objects - -: moka espressomaker
sushi beside .13 2 objects - -: sushi
pizza beside .16 1 objects - -: pizza pizzeria
hydrangea flower .44 7 plants #8ea6cf garden: hydrangea
dandelion flower .34 14 plants - meadow: dandelion
monstera beside .62 2 plants - -: monstera tropicalleaf
snow-globe beside .3 1 objects - -: snowglobe
nutcracker beside .6 1 objects #a8322c christmas: nutcracker
candy-canes beside .28 2 objects - -: candycane
advent-wreath beside .24 1 lights - -: adventwreath advent
bunny beside .36 1 objects #8a5a38 -: bunny easterbunny
easter-basket beside .3 1 objects - -: easterbasket
clover beside .14 3 plants - meadow: clover shamrock
juice-glass beside .26 1 objects - kitchen: orangejuice juice juicebar
hot-chocolate beside .2 1 objects #a8322c cafe: hotchocolate cocoa marshmallow
pancakes beside .27 1 objects - kitchen: pancake brunch
cereal-bowl beside .18 1 objects - kitchen: cereal cornflake
flour-sack beside .26 1 objects - kitchen: flour bakery
rolling-pin beside .12 1 objects - kitchen: rollingpin
cutting-board beside .16 1 objects - kitchen: cuttingboard choppingboard chef
burger beside .2 1 objects - cafe: burger hamburger cheeseburger
pretzel beside .18 2 objects - kitchen: pretzel oktoberfest
turkey beside .24 1 objects - kitchen: turkey
corn beside .22 3 objects - kitchen: corn maize
dates beside .16 1 objects - kitchen: medjool datefruit dates iftar
ice-cubes beside .14 3 objects - bar: icecube icesplash
oysters beside .14 1 objects - bar: oyster seafood
fish beside .18 1 objects - market: fish koi fishmonger fishmarket
ham beside .28 1 objects - kitchen: ham jamon prosciutto
tapas beside .18 1 objects - bar: tapas
ramen beside .24 1 objects #a8322c kitchen: ramen noodle noodlesoup
pasta beside .18 1 objects - kitchen: pasta spaghetti trattoria
cookies beside .16 1 objects - kitchen: cookie biscuit
baguettes beside .36 1 objects - kitchen: baguette boulangerie
salt-mill beside .28 1 objects - kitchen: peppermill saltmill pepper
tea-glass beside .18 3 objects #1f6a6a cafe: teaglass minttea moroccan morocco
decanter beside .28 1 objects - bar: decanter whisky whiskey bourbon
coffee-sack beside .3 1 objects - cafe: coffeesack coffeebag roastery
smoothie beside .28 1 objects #b8506a cafe: smoothie milkshake
fondue beside .26 1 objects #a8322c kitchen: fondue switzerland swiss
spiced-nuts beside .12 1 objects - kitchen: pepernoten kruidnoten
candy-jar beside .28 1 objects #a8322c kitchen: candyjar candy candyshop sweetshop bonbon
lollipop beside .3 2 objects #c2405a -: lollipop
pumpkin-pie beside .14 1 objects - kitchen: pumpkinpie pie thanksgiving
chestnuts beside .13 2 objects - kitchen: chestnut
fig beside .15 3 objects - -: fig
plum beside .14 4 objects - -: plum
pear beside .18 3 objects - -: pear
mango beside .16 3 objects - -: mango
papaya beside .18 2 objects - -: papaya
dragon-fruit beside .16 3 objects - -: dragonfruit pitaya
cabbage beside .2 2 plants - -: cabbage
onion beside .16 3 objects - kitchen: onion
bell-pepper beside .18 2 objects - kitchen: bellpepper paprika capsicum
eggplant beside .22 2 objects - kitchen: eggplant aubergine
broccoli beside .18 2 objects - kitchen: broccoli
radishes beside .2 2 objects - kitchen: radish
asparagus beside .26 2 objects - kitchen: asparagus
lettuce beside .18 2 plants - kitchen: lettuce salad
mulled-wine beside .3 2 objects - winter: mulledwine gluhwein christmasmarket
cutlery beside .12 1 objects #8c9a94 kitchen: cutlery napkin serviette fork spoon silverware
plates beside .18 1 objects #e6e0d4 kitchen: crockery dinnerware tableware
wine-glass beside .28 2 objects - bar: wineglass redwine
water-glass beside .28 1 objects - kitchen: carafe waterglass
toast beside .18 1 objects - kitchen: toast breakfast
jam beside .22 2 objects #a8322c kitchen: jam marmalade jampot
butter beside .14 1 objects - kitchen: butter
paper-cup beside .22 1 objects #8a6242 cafe: papercup coffeecup takeaway coffeetogo
fries beside .2 1 objects #b03a30 cafe: fries frenchfry fastfood
hot-dog beside .12 2 objects - street: hotdog
waffles beside .18 1 objects - cafe: waffle
popsicle beside .22 1 objects #c85a6a beach: popsicle icepop icelolly
cucumber beside .14 1 objects - kitchen: cucumber
potatoes beside .15 1 objects - kitchen: potato
beetroot beside .2 2 objects - kitchen: beetroot beet
dumplings beside .18 1 objects - kitchen: dumpling dimsum gyoza
matcha beside .18 1 objects #3f4a4e kitchen: matcha greentea
mortar beside .24 1 objects - kitchen: pestle
tagine beside .26 1 objects #b5583a kitchen: tagine tajine
paella beside .14 1 objects - kitchen: paella
grapefruit beside .15 3 objects - -: grapefruit
melon beside .2 2 objects - -: melon cantaloupe honeydew
blackberry beside .12 3 objects - -: blackberry
diya beside .2 3 lights - -: diya oillamp diwali deepavali
marigold flower .3 5 plants #e8962c meadow: marigold tagetes calendula
menorah beside .36 1 lights - -: menorah chanukah hanukkah hanukiah
dreidel beside .18 2 objects #3f6694 -: dreidel
sugar-skull beside .26 2 objects - -: sugarskull calavera dayofthedead diadelosmuertos
mitre beside .34 1 objects #a5262c -: mitre bishopsmitre sinterklaas
carnival-mask beside .26 1 objects #7a3a74 -: carnivalmask venetianmask masquerade carnival
beads beside .14 2 objects - -: mardigras beadnecklace mardigrasbead
graduation-cap beside .2 1 objects #24242a -: graduationcap mortarboard graduation
party-hat beside .28 2 objects #3f8fa6 -: partyhat
poker-chips beside .22 1 objects #a8332e -: pokerchip poker casino
dice beside .13 2 objects #e8e2d6 -: dice
chess-pieces beside .28 1 objects - -: chesspiece chessman
chessboard beside .24 1 objects - -: chessboard chess
potions beside .26 2 objects - -: potion alchemy elixir
crystal-ball beside .26 1 objects - -: crystalball fortuneteller
amethyst beside .22 2 objects - -: amethyst crystalcluster geode
gems beside .13 3 objects - -: gemstone diamond
skull beside .24 1 objects - -: skull
typewriter beside .26 1 objects #2e4a4c office: typewriter
radio beside .26 1 objects #7c4a28 -: radio
compass beside .2 1 objects - -: compass
map-scroll beside .2 1 objects - -: mapscroll map treasuremap parchment
model-ship beside .34 1 objects - -: modelship galleon tallship
fishing-net beside .24 1 objects - sea: fishingnet
pool-ring beside .24 1 objects #d8607c beach: poolring swimring poolfloat
flamingo beside .34 1 objects #e07f98 beach: flamingo
straw-hat beside .18 1 objects #3a5468 beach: strawhat sunhat
sunglasses beside .1 1 objects #2a2220 beach: sunglasses
flip-flops beside .16 1 objects #3f8a94 beach: flipflops flipflop
beach-bag beside .34 1 objects - beach: beachbag strawbag
sandcastle beside .34 1 objects - beach: sandcastle
bucket-spade beside .24 1 objects #c8453c beach: beachbucket sandbucket beachpail
beach-ball beside .24 1 objects #c8453c beach: beachball
cooler-box beside .26 1 objects #3a6e8c beach: coolerbox coolbox icebox
envelope beside .13 1 objects #d8c4a0 -: envelope letter stationery
gift-bag beside .32 2 objects #b84a5c -: giftbag
bunny-plush beside .34 1 objects #c9b8a4 nursery: bunnyplush plushbunny stuffedbunny
rattle beside .22 1 objects #7aa6b4 nursery: babyrattle
toy-car beside .16 1 objects #b8463a -: toycar
puzzle beside .16 1 objects #4f86a4 -: jigsaw puzzlepiece puzzle
crayons beside .24 1 objects #d8b048 -: crayon
paint-tubes beside .2 1 objects - -: painttube paintpalette artistpalette
clay-vases beside .32 1 objects #a8623c -: pottery clayvase
thread-spools beside .2 1 objects #a83f4c workshop: threadspool sewingthread haberdashery
ribbon beside .18 1 objects #b04a60 -: ribbon
maneki-neko beside .3 1 objects - -: manekineko luckycat
bonsai beside .36 1 plants - -: bonsai
kokeshi beside .28 1 objects #a83a3a -: kokeshi
incense beside .34 1 objects - -: incense
singing-bowl beside .22 1 objects #8a3a4c -: singingbowl meditation
zen-stones beside .3 1 objects - -: zenstones zen
poinsettia beside .36 1 plants - -: poinsettia
santa-hat beside .24 1 objects #b02c2c -: santahat
violin beside .44 1 objects #8a4a22 -: violin fiddle orchestra
trumpet beside .18 1 objects - -: trumpet
accordion beside .34 1 objects #8a2430 -: accordion
maracas beside .26 1 objects #b8432f -: maracas maraca
sombrero beside .2 1 objects #c8863a -: sombrero
binoculars beside .2 1 objects - -: binoculars
pocket-watch beside .2 1 objects - -: pocketwatch
quill beside .3 1 objects - -: quill inkwell calligraphy
matryoshka beside .28 1 objects #b03a34 -: matryoshka nestingdoll
toy-robot beside .32 1 objects #5a8490 -: toyrobot robot
stacking-rings beside .22 1 objects - nursery: stackingring stackingtoy
baby-bottle beside .26 1 objects #8fb3bd nursery: babybottle
message-bottle beside .2 1 objects - beach: messageinabottle bottlemessage
buddha beside .36 1 objects - -: buddha buddhist
acorns beside .14 3 objects - -: acorn
gnome beside .28 2 objects #a83232 -: tomte nisse christmasgnome
snorkel beside .2 1 objects #3f8aa0 beach: snorkel divingmask scuba
magnifying-glass beside .22 1 objects - -: magnifyingglass magnifier detective
ring-box beside .18 1 objects #6a2438 -: ringbox engagementring weddingring
top-hat beside .22 1 objects #262428 -: tophat magician
cowboy-hat beside .18 1 objects #8a5c38 -: cowboyhat cowboy
cowboy-boots beside .3 1 objects #7a4a2a -: cowboyboot cowboyboots
candelabra beside .38 1 lights - -: candelabra candelabrum
ukulele beside .44 1 objects #b4783c -: ukulele
bowling beside .34 1 objects #2c3f6a -: bowlingpin bowlingball ninepin
billiard-balls beside .18 1 objects - bar: billiardball poolball snookerball
gamepad beside .15 1 objects #2e3036 -: gamepad gamecontroller controller joystick
baseball beside .26 1 objects #8a5730 -: baseball baseballglove softball
volleyball beside .24 1 objects #4a78a0 -: volleyball
tiki-mask beside .38 1 objects - -: tikimask
baby-shoes beside .13 1 objects #c9a2a0 nursery: babyshoe babybootie
cash-register beside .34 1 objects - shop: cashregister checkout
fish-bowl beside .3 1 objects - livingroom: fishbowl goldfish
flower-pot beside .34 1 plants #bb3a34 garden: geranium
sauna-bucket beside .32 1 objects - bathroom: saunabucket sauna steamroom finland
keyboard beside .1 1 objects #c0633a office: keyboard
projector beside .34 1 objects - cinema: projector filmprojector movietheater
statue beside .42 1 objects - museum: statue bust sculpture marblebust museum
toaster beside .24 1 objects #a8362f kitchen: toaster
microwave beside .26 1 objects - kitchen: microwave
blender beside .36 1 objects #c9c2b4 kitchen: blender
stand-mixer beside .36 1 objects #b23f38 kitchen: standmixer kitchenmixer foodprocessor
kitchen-scale beside .3 1 objects #7f9c8e kitchen: kitchenscale weighingscale
dog-bed beside .3 1 furniture #8b8378 livingroom: dogbed petbed pets
catkins beside .5 1 plants - -: catkin pussywillow willowtwig
egg-nest beside .2 1 objects - -: nest eggnest easternest
rope-coil beside .18 1 objects - harbor: rope ropecoil
bottle-shelf beside .36 1 furniture - pharmacy: apothecarybottle
hiking-boots beside .32 1 objects - -: hikingboot
clementine beside .16 3 objects - -: clementine mandarin tangerine satsuma
passion-fruit beside .14 3 objects - -: passionfruit maracuja
cranberry beside .13 3 objects - -: cranberry lingonberry redcurrant
apricot beside .15 3 objects - -: apricot
peas beside .1 3 objects - kitchen: pea peapod
taco beside .16 1 objects - cafe: taco
ice-bucket beside .3 1 objects - bar: icebucket winecooler
soda-can beside .22 2 objects #3f8a78 -: soda sodacan softdrink
hibiscus flower .5 3 plants #b8394a -: hibiscus
jasmine beside .13 2 plants - -: jasmine
hops beside .2 2 plants - -: hops
honeycomb beside .2 1 objects - -: honeycomb
rice-bowl beside .17 1 objects - -: ricebowl rice
cocoa-pod beside .17 1 objects - -: cocoabean cacao cocoapod
herb-bundle beside .2 1 plants - -: herbbundle driedherb driedherbs
coins beside .15 2 objects - -: coin coins
fountain-pen beside .1 1 objects - desk: fountainpen pen ballpoint
powder-heap beside .15 1 objects #e2d3b4 -: proteinpowder whey
cream-swirl beside .17 1 objects #efe6da -: creamswirl whippedcream swirl smear
gel-smear beside .09 1 objects #cfe0e2 -: gel gelsmear serum
ice-glass beside .26 1 objects - -: glassofice iceglass icewater
iced-coffee beside .3 1 objects - cafe: icedcoffee icedlatte icecoffee coldbrew
boba-tea beside .3 1 objects - cafe: boba bobatea bubbletea milktea
pearls beside .15 1 objects - -: pearl pearls
vanilla beside .13 1 plants - -: vanillapod vanillabean
moroccan-lantern beside .36 1 lights - -: moroccanlantern arabian arabic oriental
starfish beside .12 2 objects #cf7a4a -: starfish
quartz beside .2 2 objects - -: crystals quartzcluster quartzcrystal
pink-salt beside .12 1 objects - -: saltheap
coffee-cherries beside .18 1 plants - -: coffeecherry coffeeplant coffeebranch
spice-mounds beside .2 1 objects #b03a24 -: spicemound spice turmeric curry
dinosaur beside .3 1 objects #5f8a4e -: dinosaur dino
pet-bowl beside .15 1 objects #4a6f94 -: petbowl dogbowl catbowl foodbowl kibble
hard-hat beside .19 1 objects #e0b22c -: hardhat safetyhelmet
open-book beside .13 1 objects - -: openbook
notebook-paper beside .1 1 objects #3f5f7a -: papernotebook notebook journal diary planner
rolled-plans beside .13 1 objects - -: blueprint architect
toy-bricks beside .2 1 objects - -: toybrick toybricks buildingbrick buildingbricks
wood-shavings beside .09 2 objects - -: sawdust woodshaving woodshavings
`;
