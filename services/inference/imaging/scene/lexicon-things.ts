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
grapes beside .2 2 objects #5b3a5e -: grape
pineapple beside .42 1 objects - -: pineapple ananas
watermelon beside .26 2 objects - -: watermelon
tomato beside .15 3 objects - -: tomato
carrot beside .2 2 objects - -: carrot
chili beside .15 3 objects - -: chili chilli paprika
garlic beside .15 2 objects - -: garlic
avocado beside .17 2 objects - -: avocado
coconut beside .2 2 objects - -: coconut
peach beside .16 3 objects - -: peaches nectarine
pomegranate beside .19 2 objects - -: pomegranate
bread beside .2 2 objects - -: bread baguette sourdough
croissant beside .14 3 objects - -: croissant
cheese beside .18 2 objects - -: cheese
cake beside .42 1 objects #f1e3dc -: cake birthdaycake weddingcake
cupcake beside .2 4 objects #e9a9b4 -: cupcake muffin
donut beside .18 3 objects #e39aa8 -: donut doughnut
ice-cream beside .34 2 objects #f0cdbb -: icecream gelato
honey beside .28 2 objects - -: honey
spices beside .3 4 objects #c9822c -: spice
crate beside .28 3 objects - -: crate vegetable fruit market grocery deli marketplace
cinnamon beside .12 3 objects - -: cinnamon
fruit-bowl beside .26 1 objects - -: fruitbowl
fern beside .5 2 plants - -: fern
cactus beside .42 3 plants - -: cactus cacti succulent
orchid beside .6 2 plants - -: orchid
vase beside .58 1 plants #d8d0c4 -: vase bouquet
cotton beside .5 2 plants - -: cottontwig
sunflower flower .5 12 plants - field: sunflower
poppy flower .4 16 plants #c2342b field: poppy
rose flower .46 9 plants #b2344a garden: roses
daisy flower .36 16 plants - meadow: daisy chamomile
peony flower .44 8 plants #e0a3b4 garden: peony
lily flower .5 8 plants #efe9e2 garden: lily
lavender flower .4 12 plants - lavenderfield: lavenderbunch
wheat flower .46 18 plants - field: wheat barley grain cornfield
mushroom beside .22 4 plants - forest: mushroom toadstool
log beside .2 2 objects - forest: log firewood
stump behind .3 1 objects - forest: stump treestump
hay-bale behind .42 3 objects - farm: hay haybale
barrel behind .62 3 furniture - cellar: barrel cask cellar winery distillery whiskey
basket beside .3 1 objects #a97c4a -: basket picnic
bird sky .1 4 objects - sea: bird seagull gull
butterfly sky .13 6 objects #d98a3a garden: butterfly
feather beside .4 3 objects #e9e3d8 -: feather
coral beside .4 3 objects #cf5f4e underwater: corals
shell beside .16 4 objects - beach: shell seashell
snowman behind .6 1 objects - winter: snowman
mirror wall .56 1 objects - -: mirror wallmirror vanity dresser dressing makeup salon barbershop hairdresser
candle beside .32 5 lights #ece2cf -: candle
lantern beside .42 3 lights #2d2b29 -: lantern
lamp behind .58 1 lights #e6d8c0 -: tablelamp lampshade
pendant above .36 3 lights #2f3331 -: pendant pendantlamp
chandelier above .42 1 lights - -: chandelier palace
frame wall .42 2 objects #3a2f27 -: painting pictureframe poster artwork
window wall .8 1 windows - -: window
chair behind .78 1 furniture #8a5d3a -: chair
armchair behind .72 1 furniture #a4785a livingroom: armchair
bench behind .52 1 furniture #7a5c41 park: bench
ladder behind .95 1 furniture - -: ladder
clock wall .34 1 objects - -: clock
piano behind .74 1 furniture #241f1c livingroom: piano
guitar behind .82 1 objects #b5783c livingroom: guitar
bicycle behind .62 1 objects #3f6f6a street: bicycle bike
suitcase beside .4 2 objects #8a5a38 -: suitcase luggage
easel behind .85 1 furniture - -: easel canvas
blackboard wall .52 1 objects - classroom: blackboard chalkboard classroom school
bathtub behind .44 1 furniture #efece6 bathroom: bathtub tub
washbasin behind .55 1 furniture - bathroom: washbasin sink washroom toilet restroom
soap beside .34 1 objects - bathroom: soap toiletries
teapot beside .28 1 objects #c9c2b6 -: teapot tea
cup beside .17 2 objects #efe9df -: cup teacup coffeecup
wine beside .56 1 objects - -: wineglass winebottle
jar beside .3 2 objects - -: jar pasta
books beside .24 2 objects - -: books novel
globe beside .46 1 objects - -: globe
teddy beside .42 1 objects #a9794d nursery: teddy teddybear
rocking-horse behind .6 1 furniture - nursery: rockinghorse
football beside .26 2 objects - pitch: football soccer soccerball stadium pitch
basketball beside .28 2 objects - gym: basketball
dumbbell beside .2 2 objects - gym: dumbbell barbell
surfboard behind .95 2 objects #d9745a beach: surfboard surfing surfer
skateboard behind .7 1 objects #3f7f8a street: skateboard skate skatepark
laptop beside .32 1 objects - office: laptop notebook computer workspace coworking
camera beside .24 1 objects - -: camera
microphone behind .9 1 objects - -: microphone concert
flasks beside .36 2 objects - laboratory: flask beaker laboratory lab chemistry
microscope beside .46 1 objects - laboratory: microscope
barn far .3 1 objects #8f3a2f farm: barn farmhouse ranch farm countryside
lighthouse far .42 1 objects #a8382f coast: lighthouse
sailboat far .26 2 objects #e6e1d8 sea: sailboat yacht sailing regatta boat harbor harbour marina
windmill far .4 1 objects - field: windmill holland netherlands dutch
castle far .44 1 objects - hill: castle chateau fortress
church far .34 1 objects - hill: church chapel
eiffel-tower far .62 1 objects - park: eiffel eiffeltower
pyramid far .3 1 objects - desert: pyramid egypt
pagoda far .5 1 objects - garden: pagoda
torii far .44 1 objects - garden: torii shinto
cottage far .26 1 objects - hill: cottages village
car behind .5 1 objects #7f9aa3 road: car automobile oldtimer parking
camper behind .62 1 objects #d9a35a campsite: camper van campervan motorhome
fence behind .36 2 objects - garden: fence picketfence
beach-chair behind .46 1 furniture #4f86a0 beach: beachchair deckchair sunlounger lounger
hot-air-balloon sky .34 3 objects #c9523f hill: hotairballoon airballoon
anchor beside .42 1 objects - pier: anchor
disco-ball above .4 1 lights - club: disco discoball club party
fireworks sky .5 3 lights - skyline: firework fireworks newyear
wreath wall .42 1 plants - -: wreath
drum beside .4 1 objects #9a3a30 -: drum
crown beside .2 1 objects - -: crown
hourglass beside .34 1 objects - -: hourglass
tools wall .5 1 objects - workshop: tool hammer workshop garage
wheel behind .5 1 objects - barn: wagonwheel
watering-can beside .34 1 objects #7d9088 garden: wateringcan
coffee-beans beside .13 4 objects - -: bean coffeebean roastery
herb-pots beside .3 1 plants - -: herbpot
pans wall .42 1 objects - kitchen: pan copperpan copperpot saucepan
pine-cones beside .14 3 plants - forest: pinecone fircone
bamboo behind .95 3 plants - garden: bamboo bamboogrove zengarden
cypress far .4 3 plants - hill: cypress
fir far .34 6 plants - meadow: fir firtree pinetree conifer
lemon-slices beside .16 3 objects - -: lemonslice citrusslice
basil beside .3 2 plants - -: basil
olive-oil beside .36 1 objects - -: oil oliveoil
eucalyptus flower .5 6 plants - -: eucalyptus
blossom corner .62 1 plants #efb9c6 garden: blossom cherryblossom sakura
olive-tree behind .8 2 plants - terrace: potolive
vine behind .5 2 plants - vineyard: vine grapevine vineyard
daffodil flower .36 16 plants - garden: daffodil narcissus
tulip flower .4 22 plants #d8423f field: tulip
sofa behind .46 1 furniture #8f8a80 livingroom: sofa couch
towels beside .34 1 objects #ece7de -: towels rolledtowel spa
bistro-table behind .66 1 furniture - -: bistrotable bistro cafeterrace
awning above .34 1 objects #b8453a -: awning
fireplace behind .74 1 furniture - livingroom: fireplace
stove behind .9 1 furniture - kitchen: stove oven kitchen
faucet behind .5 1 furniture - kitchen: faucet kitchensink
kettlebell beside .26 2 objects #2f3236 gym: kettlebell
yoga-mat beside .22 1 objects #7f8fa8 -: yogamat yoga gymmat mat pilates
tennis beside .34 1 objects - pitch: tennis tennisball racket
golf beside .2 2 objects - golf: golfball golf
skis behind .95 1 objects #b8453a winter: skis ski skier
sled behind .4 1 objects - winter: sled sledge
mannequin behind .95 1 objects #d8cfc0 -: mannequin tailor
clothes-rack behind .9 1 furniture - -: clothesrack wardrobe closet
shopping-bags beside .36 1 objects #c9a27c -: shoppingbag shopping
perfume beside .28 1 objects - -: perfume perfumery
makeup beside .24 1 objects - -: lipstick cosmetic makeupbrush
jack-o-lantern beside .24 4 lights - -: halloween jackolantern
haussmann far .8 1 objects - street: haussmann paris parisian
santorini far .5 1 objects - coast: santorini greek greece
villa far .4 1 objects - hill: tuscany toscana
skyscrapers far .8 1 objects - street: skyscraper manhattan newyork
street-shops far .6 1 objects - street: shopfront storefront
market-stall behind .98 1 objects #b8453a market: marketstall stall
bridge far .3 1 objects - river: bridge
gondola far .1 1 objects - sea: gondola venice venezia
london-bus behind .7 1 objects - street: london
tractor behind .6 1 objects #a8392f farm: tractor
farmhouse far .3 1 objects - hill: provence
log-cabin far .34 1 objects - winter: logcabin cabin chalet
igloo behind .5 1 objects - winter: igloo
pier far .2 1 objects - lake: pier jetty
rowing-boat far .12 1 objects #7f5a3a lake: rowingboat canoe
buoy beside .34 1 objects - sea: lifebuoy
cactus-tall behind .9 2 plants - desert: saguaro
jewelry beside .2 1 objects #6b3340 -: necklace jewelrybox jewelry jeweler
sewing-machine behind .5 1 objects - -: sewingmachine sewing
yarn beside .2 1 objects #b98a8f -: yarn knitting
brushes beside .34 1 objects - -: paintbrush atelier pottery
pencils beside .28 1 objects #5a7280 -: pencil crayon
backpack beside .44 1 objects #5f7a5a -: backpack rucksack hiking
toy-train beside .2 1 objects - playroom: toytrain
blocks beside .34 1 objects - playroom: toyblock
doll-house behind .6 1 objects - playroom: dollhouse
birdcage behind .7 1 objects - -: birdcage
aquarium behind .5 1 objects - -: fishtank
toolbox beside .26 1 objects #b0392f workshop: toolbox
olives beside .16 2 objects - -: olives
nuts beside .13 3 objects - -: nut hazelnut almond pecan
blueberry beside .12 3 objects - -: blueberry berry berries
raspberry beside .12 3 objects - -: raspberry
cherry beside .16 3 objects - -: cherries
lime beside .15 3 objects - -: limes
kiwi beside .15 2 objects - -: kiwi
ginger beside .13 2 objects - -: ginger
mint beside .24 2 plants - -: mintleaf peppermint
rosemary beside .3 2 plants - -: rosemary thyme
aloe beside .4 2 plants #b9674a -: aloe aloevera
tire behind .42 1 objects - garage: tire tyre wheel
cone beside .34 2 objects - road: trafficcone
street-lamp behind .98 1 lights - street: streetlamp streetlight
neon wall .5 1 lights - -: neonsign
scooter behind .56 1 objects #8fb0a8 street: scooter vespa moped
umbrella beside .44 1 objects #b8453a -: umbrella
rain-boots beside .3 1 objects #d9b03a -: boots wellingtons rainboot
rubber-duck beside .16 2 objects - bathroom: rubberduck
bookshelf behind .96 1 furniture - -: bookrack
desk-lamp behind .6 1 lights #2f3236 -: desklamp
monitor behind .5 1 objects - office: monitor screen
headphones beside .36 1 objects #2f3236 -: headphone headset
vinyl beside .2 1 objects - -: vinyl turntable recordplayer
trophy beside .36 1 objects - -: trophy
boxing-gloves above .4 1 objects #a8322c gym: boxinggloves boxing
lockers behind .8 1 furniture #7f93a3 gym: locker
rock-arch far .5 1 objects - desert: canyon
iceberg far .4 2 objects - sea: iceberg
volcano far .6 1 objects - hill: volcano
waterlily beside .14 3 plants #e9b9c4 lake: waterlily lotus
bush behind .5 2 plants - garden: bush shrub
hedge behind .4 3 plants - garden: hedge
topiary behind .8 2 plants - garden: topiary boxwood
fountain behind .7 1 objects - park: fountain
well behind .6 1 objects - garden: wishingwell
gazebo far .5 1 objects - park: gazebo
swing above .8 1 furniture - garden: swing
hammock behind .45 1 furniture #c9a27c garden: hammock
campfire behind .42 1 lights - campsite: campfire bonfire
kettle beside .34 1 objects #7f93a3 -: kettle
teepee behind .9 1 furniture #e3d8c4 playroom: teepee tipi
bats sky .2 2 objects - -: bat
ghost beside .3 2 objects - -: ghost
spider-web corner .6 1 objects - -: spiderweb cobweb
witch-hat beside .3 1 objects #3a2f4a -: witch witchhat
muesli beside .18 1 objects - -: muesli cereal granola oat porridge
eggs beside .14 1 objects - -: eggcarton henegg
milk beside .34 1 objects - -: milk
chocolate beside .17 2 objects - -: chocolatebar cocoa
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
monstera beside .62 1 plants - -: monstera
snow-globe beside .3 1 objects - -: snowglobe
nutcracker beside .6 1 objects #a8322c christmas: nutcracker
candy-canes beside .28 2 objects - -: candycane
stockings above .4 1 objects #a8322c christmas: stockings
advent-wreath beside .24 1 lights - -: adventwreath advent
ornaments above .42 1 objects #a8322c christmas: ornament bauble
bunny beside .36 1 objects #8a5a38 -: bunny easterbunny
easter-basket beside .3 1 objects - -: easterbasket
rainbow sky .6 1 objects - meadow: rainbow
clover beside .14 3 plants - meadow: clover shamrock
fan wall .36 1 objects #b8453a -: paperfan
paper-lanterns above .4 2 lights #d8553a -: paperlantern
balloon-bunch behind .96 1 objects #e3a3b0 -: balloon birthday
garland above .26 1 objects #e3a3b0 -: bunting pennant garland
`;
