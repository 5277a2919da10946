/**
 * Drawn things: the name of a drawing, where it is put, its height as a share of the backdrop's, how many there are, what `avoid` calls
 * it, the color that a theme may change (-: none), and the place in which it stands where a theme names none (-: any). Behind the colon are
 * the English words for it, singular and in lower case. `named-things.ts` parses them and throws on a malformed row.
 */
export const thingRows = `
apple beside .15 5 objects #a8322c -: apple
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
crate beside .28 3 objects - -: crate vegetable fruit market stall grocery deli marketplace
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
windmill far .4 1 objects - field: windmill
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
`;
