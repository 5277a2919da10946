/** Drawn things that stand behind the ground, hang, or are far away, in the form of `lexicon-things.ts`. */
export const largeThingRows = `
stump behind .3 1 objects - forest: stump treestump
hay-bale behind .42 3 objects - farm: hay haybale
barrel behind .62 3 furniture - cellar: barrel cask cellar winery distillery
bird sky .1 4 objects - sea: bird seagull gull
butterfly sky .13 6 objects #d98a3a garden: butterfly
snowman behind .6 1 objects - winter: snowman
mirror wall .56 1 objects - -: mirror wallmirror vanity dressing makeup salon
lamp behind .58 1 lights #e6d8c0 -: tablelamp lampshade
pendant above .36 3 lights #2f3331 -: pendant pendantlamp
chandelier above .42 1 lights - -: chandelier palace
frame wall .42 2 objects #3a2f27 -: painting pictureframe poster artwork
window wall .8 1 windows - room: window
chair behind .78 1 furniture #8a5d3a -: chair
armchair behind .72 1 furniture #a4785a livingroom: armchair loungechair
bench behind .52 1 furniture #7a5c41 park: bench parkseat
ladder behind .95 1 furniture - -: ladder
clock wall .34 1 objects - -: clock
piano behind .74 1 furniture #241f1c livingroom: piano
guitar behind .82 1 objects #b5783c livingroom: guitar
bicycle behind .62 1 objects #3f6f6a street: bicycle bike
easel behind .85 1 furniture - -: easel canvas
blackboard wall .52 1 objects - classroom: blackboard chalkboard
bathtub behind .44 1 furniture #efece6 bathroom: bathtub tub
washbasin behind .55 1 furniture - bathroom: washbasin sink washroom toilet restroom
rocking-horse behind .6 1 furniture - nursery: rockinghorse
surfboard behind .95 2 objects #d9745a beach: surfboard surfing surfer
skateboard behind .7 1 objects #3f7f8a street: skateboard skate skatepark
microphone behind .9 1 objects - -: microphone
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
car behind .5 1 objects #e0b02c street: taxi
camper behind .62 1 objects #d9a35a campsite: camper van campervan motorhome
fence behind .36 2 objects - garden: fence picketfence
beach-chair behind .46 1 furniture #4f86a0 beach: beachchair deckchair
hot-air-balloon sky .34 3 objects #c9523f hill: hotairballoon airballoon
disco-ball above .4 1 lights - club: disco discoball club party
fireworks sky .5 3 lights - skyline: firework fireworks newyear
wreath wall .42 1 plants - -: wreath
tools wall .5 1 objects - workshop: tool hammer workshop garage
wheel behind .5 1 objects - barn: wagonwheel
pans wall .42 1 objects - kitchen: pan copperpan copperpot saucepan
bamboo behind .95 3 plants - garden: bamboo bamboogrove
cypress far .6 4 plants - hill: cypress
fir far .34 6 plants - meadow: fir firtree pinetree conifer
olive-tree behind .8 2 plants - terrace: potolive
vine behind .5 2 plants - vineyard: vine grapevine
sofa behind .46 1 furniture #8f8a80 livingroom: sofa couch
bistro-table behind .66 1 furniture - -: bistrotable bistro cafeterrace
awning above .34 1 objects #b8453a -: awning
fireplace behind .74 1 furniture - livingroom: fireplace
stove behind .9 1 furniture - kitchen: stove oven kitchen
faucet behind .5 1 furniture - kitchen: faucet kitchensink
skis behind .95 1 objects #b8453a winter: skis ski skier
sled behind .4 1 objects - winter: sled sledge
mannequin behind .95 1 objects #d8cfc0 -: mannequin tailor
clothes-rack behind .9 1 furniture - -: clothesrack clothesrail clothingrail clothingrack garmentrack
haussmann far .8 1 objects - street: haussmann paris parisian
santorini far .5 1 objects - coast: santorini greek greece
villa far .4 1 objects - hill: tuscany toscana
skyscrapers far .8 1 objects - street: skyscraper manhattan newyork
street-shops far .6 1 objects - street: shopfront storefront
market-stall behind .98 1 objects #b8453a market: marketstall stall
bridge far .3 1 objects - river: bridge
gondola far .1 1 objects - sea: gondola venice venezia
london-bus behind .7 1 objects - street: londonbus bus doubledecker
tractor behind .6 1 objects #a8392f farm: tractor
farmhouse far .3 1 objects - hill: provence
log-cabin far .34 1 objects - forest: logcabin cabin
log-cabin far .34 1 objects - winter: chalet
igloo behind .5 1 objects - winter: igloo
pier far .2 1 objects - lake: pier jetty
rowing-boat far .12 1 objects #7f5a3a lake: rowingboat canoe
cactus-tall behind .9 2 plants - desert: saguaro
sewing-machine behind .5 1 objects - -: sewingmachine sewing
doll-house behind .6 1 objects - playroom: dollhouse
birdcage behind .7 1 objects - -: birdcage
aquarium behind .5 1 objects - -: fishtank
tire behind .42 1 objects - garage: tire tyre wheel
street-lamp behind .98 1 lights - street: streetlamp streetlight
neon wall .6 1 lights #f25fa8 -: neonsign neonring
scooter behind .56 1 objects #8fb0a8 street: scooter vespa moped
bookshelf behind .96 1 furniture - -: bookrack
desk-lamp behind .6 1 lights #2f3236 -: desklamp
monitor behind .5 1 objects - office: monitor screen
boxing-gloves above .4 1 objects #a8322c gym: boxinggloves
rock-arch far .5 1 objects - desert: canyon
iceberg far .4 2 objects - winter: iceberg antarctic
volcano far .6 1 objects - hill: volcano
bush behind .5 2 plants - garden: bush shrub
hedge behind .4 3 plants - garden: hedge
topiary behind .8 2 plants - garden: topiary boxwood
fountain behind .7 1 objects - park: fountain
well behind .6 1 objects - garden: wishingwell
gazebo far .5 1 objects - park: gazebo
swing above .8 1 furniture - garden: swing
hammock behind .45 1 furniture #c9a27c garden: hammock
campfire behind .5 1 lights - campsite: campfire bonfire
teepee behind .9 1 furniture #e3d8c4 playroom: teepee tipi
bats sky .2 2 objects - -: bat
stockings above .4 1 objects #a8322c christmas: stockings
ornaments above .42 1 objects #a8322c christmas: ornament bauble
rainbow sky .6 1 objects - meadow: rainbow
fan wall .36 1 objects #b8453a -: paperfan
paper-lanterns above .55 3 lights #d8553a -: paperlantern
balloon-bunch behind .96 2 objects #e3a3b0 -: balloon birthday
garland above .26 1 objects #e3a3b0 -: bunting pennant garland flag
sausages above .3 1 objects - kitchen: sausage salami chorizo butcher charcuterie
wine-rack behind .6 1 furniture - cellar: winerack winecellar
espresso-machine behind .42 1 objects #a8322c cafe: espressomachine coffeemachine coffeeshop barista
crescent above .36 2 objects - -: crescent crescentmoon ramadan eid
papel-picado above .2 2 objects - -: papelpicado fiesta cincodemayo
gift-sack behind .46 1 objects - -: giftsack santasack presentsack
pinata above .36 1 objects - -: pinata
arcade behind .78 2 furniture #2f3f78 -: arcadegame arcademachine
slide behind .66 1 objects #c4453a -: playgroundslide playground
seesaw behind .34 1 objects #c8473c -: seesaw teetertotter
crib behind .56 1 furniture #e4ddd0 nursery: crib babycot babybed
mobile above .34 1 objects - nursery: babymobile cribmobile
stroller behind .56 1 objects #4a6478 -: stroller babystroller babycarriage pram
ferris-wheel far .72 1 objects - park: ferriswheel amusementpark funfair
carousel-horse behind .7 2 objects - -: carouselhorse carousel merrygoround
circus-tent far .7 1 objects #b03a34 meadow: circustent circus bigtop
treasure-chest behind .4 1 objects - -: treasurechest treasure pirate
cauldron behind .42 1 objects - -: cauldron
dreamcatcher above .5 1 objects - -: dreamcatcher
gramophone behind .46 1 objects - -: gramophone phonograph
trunk behind .42 1 furniture #4a5e58 -: steamertrunk traveltrunk travelchest
telescope behind .6 1 objects - -: telescope astronomy observatory
ship-wheel wall .44 1 objects - sea: shipwheel shipswheel helm
lifebuoy wall .4 1 objects #c8402e -: lifebuoy lifering
kite sky .24 2 objects #c8473c -: kite
paper-plane sky .14 2 objects - -: paperplane paperairplane
soap-bubbles sky .26 3 objects - -: soapbubble bubbles
hearts-balloon above .42 2 objects #c43a4a -: heartballoon
fabric-rolls behind .36 1 objects #5a7a8c workshop: fabricroll
wicker-lamp above .36 2 furniture - -: wickerlamp rattanlamp
string-lights above .18 2 lights - -: stringlights fairylights
chinese-fan wall .3 1 objects #a83a34 -: foldingfan chinesefan
bells above .3 1 objects #b43030 -: christmasbell jinglebell
star-lantern above .4 2 lights #e8b45a -: starlantern paperstar moravianstar
tricycle behind .42 1 objects #b8433a -: tricycle
tombstone behind .42 2 objects - -: tombstone gravestone graveyard cemetery
saxophone behind .46 1 objects - -: saxophone jazz
scarecrow behind .74 1 objects #7a5a3c farm: scarecrow
broom behind .7 1 objects - -: broom broomstick
horseshoe wall .22 1 objects - -: horseshoe
macrame wall .54 1 objects - -: macrame
wind-chime above .44 1 objects - -: windchime
gong behind .5 1 objects - -: gong
sleigh behind .46 1 objects #9a2a2c winter: sleigh santasleigh
dartboard wall .4 1 objects - -: dartboard darts
medal above .4 1 objects #2f4f86 -: medal goldmedal
airport-seats behind .38 1 furniture #39424e airport: airportseat airport waitingroom departurelounge
airplane sky .16 1 objects #2f5c94 airport: airplane aeroplane airliner flight
subway-train behind .62 1 objects #b5382f subway: subwaytrain subway metro underground train subwaystation metrostation trainstation railway
tram behind .6 1 objects #d6a23a city: tram streetcar tramway trolley lisbon lisboa
gas-pump behind .8 1 objects #b03a2e gasstation: gaspump petrolpump fuelpump gasstation petrolstation fillingstation gasoline roadtrip
motorcycle behind .5 1 objects #8c2f28 garage: motorcycle motorbike bikergarage biker
barber-chair behind .8 1 furniture #8e2b26 barbershop: barberchair
hair-dryer-hood behind .72 1 furniture #b9758a salon: hairdryerhood hairsalon hairdresser hairdryer beautysalon
dentist-chair behind .68 1 furniture #5fa3a8 dentist: dentistchair dentist dentalclinic dental dentistry
hospital-bed behind .5 1 furniture #7fa9bd hospital: hospitalbed hospital clinic ward sickroom
pharmacy-shelf wall .5 1 furniture - pharmacy: pharmacyshelf pharmacy drugstore apothecary chemist
shopping-cart behind .48 1 objects #b23a2e supermarket: shoppingcart shoppingtrolley supermarket groceries grocery
washing-machine behind .62 1 furniture #5d86ad laundry: washingmachine washer laundry laundryroom laundromat detergent
dog behind .5 1 objects #bd8f58 -: dog puppy doggy labrador retriever hound
cat behind .36 1 objects #8d8478 -: cat kitten kitty tabby tomcat
cat-tree behind .72 1 furniture #b7a790 livingroom: cattree scratchingpost cattery petshop
horse behind .6 1 objects #7b4a2c farm: horse pony stallion riding equestrian
cow behind .5 1 objects - farm: cow cattle dairyfarm dairy
sheep behind .4 2 objects - farm: sheep lamb ewe flock
hen behind .32 2 objects #a0623a farm: hen chicken rooster poultry henhouse
duck behind .24 2 objects - lake: duck mallard duckpond
beehive behind .5 1 objects - garden: beehive bee apiary beekeeper beekeeping
bird-feeder above .42 1 objects - garden: birdfeeder birdhouse nestingbox
grill behind .66 1 objects #2e2d2c garden: grill barbecue bbq barbeque kettlegrill cookout
fire-pit behind .42 1 objects - garden: firepit firebowl
picnic-table behind .36 1 furniture - park: picnictable picnicbench beergarden
wheelbarrow behind .42 1 objects #4d7a52 garden: wheelbarrow gardening
raised-bed behind .42 1 plants - garden: raisedbed vegetablebed gardenbed
chairlift sky .42 1 objects #b2402f winter: chairlift skilift skiresort cablecar skiing
ice-hockey behind .46 1 objects - winter: icehockey hockey puck icerink hockeystick
rain-shower wall .62 1 objects - bathroom: rainshower showerhead walkinshower
wardrobe behind .8 1 furniture #8a5f3c bedroom: wardrobe closet armoire
bed behind .5 1 furniture #6f8794 bedroom: bedding mattress duvet boxspring
server-rack behind .75 1 furniture - office: serverrack server datacenter datacentre serverroom
gaming-monitor behind .42 1 furniture #7a3fd0 office: gamingmonitor gaming gamer esports gamingroom videogame
dj-deck behind .26 1 objects #c0402f club: djdeck dj turntable nightclub discotheque mixingdesk
amplifier behind .42 1 objects #2a2725 stage: amplifier guitaramp loudspeaker concert rehearsalroom
spotlight behind .68 1 objects - stage: stagelight theater theatre stagespotlight
directors-chair behind .5 1 furniture #2c2a29 stage: directorschair directorchair filmset cinema hollywood movie
film-camera behind .68 1 objects - stage: filmcamera moviecamera cinecamera filming
column behind .78 2 objects - museum: column colonnade
ruin far .4 1 objects - hill: ruin ruins forum antiquity
gothic-window wall .62 1 objects - -: gothicwindow cathedral stainedglass churchwindow
armor behind .72 1 objects #9c2f2a -: armor armour knight medieval knighthall
throne behind .75 1 furniture #8a2433 -: throne throneroom monarch
torch wall .34 2 objects - -: torch torches dungeon
canal-houses far .5 1 objects - oldtown: canalhouse canalhouses canal amsterdam gablehouse
overwater-hut far .26 2 objects - sea: overwaterhut overwaterbungalow maldives borabora bungalow tahiti polynesia
palm-hut behind .62 1 objects - beach: palmhut tikibar tiki beachbar beachhut hawaii
greek-temple far .4 1 objects - hill: temple greektemple acropolis parthenon athens
mosque far .5 1 objects - city: mosque minaret istanbul
big-ben far .42 1 objects - city: bigben london westminster england britain british
suspension-bridge far .26 1 objects #a8432f sea: suspensionbridge goldengate goldengatebridge sanfrancisco
sakura behind .72 1 plants - garden: sakura cherrytree hanami
apple-tree behind .72 1 plants - garden: appletree
birch behind .95 4 plants - forest: birchforest birchtree
baobab far .3 2 plants - savanna: baobab savanna savannah safari africa
shipping-container behind .45 1 objects #a2472f harbor: shippingcontainer freight cargo docks
construction-crane far .48 1 objects - city: constructioncrane towercrane buildingsite constructionsite
brick-stack behind .32 1 objects - workshop: brickstack mason masonry bricklayer brickpile stackofbricks
cement-mixer behind .48 1 objects #c9782f workshop: cementmixer concretemixer
oil-drum behind .5 2 objects #3f6585 workshop: oildrum oilbarrel drumbarrel
anvil behind .42 1 objects - workshop: anvil blacksmith forge smithy
workbench behind .5 1 furniture - workshop: workbench vise carpenter woodworking joinery
wood-stack behind .45 1 objects - -: woodstack firewood woodpile stackedwood
cardboard-boxes behind .45 1 objects - warehouse: cardboardboxes cardboardbox parcel movingboxes
pallet behind .16 1 objects - warehouse: pallet pallets
forklift behind .55 1 objects #d09a2c warehouse: forklift warehouse logistics
telephone-box behind .82 1 objects #a3281f city: telephonebox phonebox phonebooth telephonebooth
mailbox behind .5 1 objects #5b7288 garden: mailbox letterbox postbox
wicker-chair behind .52 1 furniture #e2d8c6 terrace: wickerchair rattanchair peacockchair
egg-chair behind .75 1 furniture #e0d6c4 terrace: eggchair hangingchair swingchair
pouf behind .26 1 furniture #c1a78a livingroom: pouf pouffe footstool beanbag
floor-lamp behind .8 1 furniture #d9c8a8 livingroom: floorlamp standardlamp standinglamp
sideboard behind .38 1 furniture #96683f livingroom: sideboard credenza lowboard dresser
ottoman behind .24 1 furniture #7c6a8c bedroom: ottoman bedbench upholsteredbench
canopy-bed behind .75 1 furniture #b9a0a0 bedroom: canopybed fourposter fourposterbed
sun-lounger behind .3 1 furniture #4f86a0 pool: sunlounger deckbed sunbed poolside lounger
folding-screen behind .72 1 furniture #e6dcc6 bedroom: foldingscreen roomdivider shoji paravent
bar-stool behind .55 1 furniture #8b4a2c bar: barstool barstools counterstool
record-shelf behind .5 1 furniture - -: recordshelf recordstore recordshop vinylcollection recordcollection
radiator behind .34 1 furniture #e3ddd1 livingroom: radiator heater
office-chair behind .55 1 furniture #3d4248 office: officechair deskchair swivelchair
filing-cabinet behind .55 1 furniture #6f7b78 office: filingcabinet archive
grandfather-clock behind .8 1 furniture - livingroom: grandfatherclock longcaseclock
coat-rack behind .8 1 furniture #4b5a6b hallway: coatrack coatstand hatstand hallway cloakroom
jukebox behind .65 1 objects #a5372c diner: jukebox diner fifties rockabilly
pool-table behind .38 1 furniture #2f6a4c bar: pooltable billiard billiards snooker poolroom
basketball-hoop behind .85 1 objects - -: basketballhoop basketballcourt streetball
punching-bag above .75 1 objects #7a2822 gym: punchingbag boxing boxingclub boxinggym
treadmill behind .5 1 furniture - gym: treadmill runningmachine fitnessstudio fitness
traffic-light behind .7 1 objects - street: trafficlight trafficlights crossroads
elephant behind .55 1 objects - savanna: elephant
giraffe behind .75 1 objects - savanna: giraffe
penguin behind .42 2 objects - winter: penguin antarctica
reindeer behind .65 1 objects - winter: reindeer deer stag elk moose
camel behind .55 1 objects - desert: camels dromedary caravan bedouin
pig behind .36 1 objects - farm: pig piglet pigsty
rocket sky .3 1 objects #b23c30 -: rocket astronaut outerspace
lifeguard-tower behind .6 1 objects #6fa5ad beach: lifeguardtower lifeguard baywatch malibu
fridge behind .8 1 furniture #7fa8a3 kitchen: fridge refrigerator freezer
ironing-board behind .5 1 objects #7fa3b5 laundry: ironingboard ironing
vending-machine behind .78 1 objects #a8362f station: vendingmachine
school-desk behind .46 1 furniture - school: schooldesk school classroom schoolhouse
stone-lantern behind .5 1 objects - garden: stonelantern japanesegarden zengarden
taj-mahal far .34 1 objects - park: tajmahal india agra
colosseum far .24 1 objects - oldtown: colosseum rome
cruise-ship far .16 1 objects #b23f36 sea: cruiseship cruise oceanliner ferry
owl behind .34 1 objects - forest: owl
fox behind .4 1 objects - forest: fox
parrot behind .4 1 objects #b83a2e jungle: parrot macaw
vanity behind .65 1 furniture #e4dccf bedroom: vanitytable dressingtable makeuptable dressingroom vanitymirror
massage-table behind .42 1 furniture #b9a98e bathroom: massagetable massage
food-truck behind .6 1 objects #4f8f8a street: foodtruck streetfood foodtrucks
greenhouse behind .65 1 objects - garden: glasshouse
lawn-mower behind .46 1 objects #b8412f garden: lawnmower
garden-gnome behind .36 1 objects #a8352c garden: gardengnome gnome
barber-pole wall .4 1 objects - barbershop: barberpole barbershop barber
statue-of-liberty far .42 1 objects - bay: statueofliberty
station-clock above .5 1 objects - railwaystation: stationclock
steam-train behind .68 1 objects - railwaystation: locomotive steamtrain
sawhorse behind .5 1 furniture - workshop: sawhorse trestle
barber-shelf wall .3 1 furniture - barbershop: barbershelf
front-door behind .95 1 objects #3f6259 street: frontdoor door doorstep doorway
mast behind .95 1 objects - sea: mast
signpost behind .8 1 objects - forest: signpost guidepost
balcony-flowers behind .36 1 plants - -: flowerbox windowbox
stone-arch-house behind .95 1 objects - street: stonehouse tuscanhouse
espalier-orange-tree behind .85 1 plants - garden: orangetree
gym-bench behind .55 1 furniture - gym: weightbench
dry-branch behind .75 1 plants - -: drybranch barebranch twig dryflower
shoe-boxes behind .4 1 objects #b5654a -: shoebox shoeboxes
stool behind .42 1 furniture - -: stool woodenstool
bulb-mirror wall .42 1 lights - -: bulbmirror hollywoodmirror mirrorbulb
lightning sky .7 1 objects - peak: lightning thunderstorm
flames behind .5 2 objects - -: fire flame flames
graffiti wall .75 1 objects - -: graffiti
mashrabiya wall .6 1 objects - -: mashrabiya lattice
diner-stool behind .46 2 furniture #b23a34 -: dinerstool
skate-ramp behind .4 1 objects - skatepark: skateramp halfpipe quarterpipe
grandstand far .34 1 objects - stadium: grandstand racetrack
wisps behind .9 2 objects #dcdcdc -: smoke steam vapor
lemon-tree behind .7 1 plants - -: lemontree
car-lift behind .85 1 objects - garage: carlift autorepair mechanic carworkshop
pegboard wall .5 1 objects - -: pegboard
planets sky .5 1 objects - space: planet planets solarsystem
cork-board wall .42 1 objects - -: corkboard pinboard
climbing-wall wall .95 1 objects - gym: climbingwall bouldering
ring-ropes behind .55 1 objects - gym: boxingring
sparks behind .5 1 objects - -: sparks spark welding
equalizer behind .4 1 lights - -: equalizer soundwave soundwaves
grand-piano behind .5 1 furniture - stage: grandpiano
sunburst-clock wall .42 1 objects - -: sunburstclock midcentury
paint-splash wall .6 1 objects - -: paintsplash paintsplashes watercolor
paw-prints wall .5 1 objects #b99a7c -: pawprint pawprints
haunted-house far .5 1 objects - -: hauntedhouse hauntedmansion
festival-tent far .36 1 objects - meadow: festivaltent beertent
gallery-frames wall .5 1 objects - -: gallerywall artframes
headlights behind .24 1 lights - -: headlight headlights
flood-lights far .6 2 lights - -: floodlight floodlights
kitchen-island behind .42 1 furniture - kitchen: kitchenisland
acoustic-foam wall .55 1 objects - musicstudio: acousticfoam acousticpanel podcast
checkered-flag behind .7 1 objects - stadium: checkeredflag finishline
console-table behind .4 1 furniture - -: consoletable
lantern-string above .26 1 lights - -: lanternstring
glass-tank behind .4 1 objects - -: terrarium glasstank
wicker-baskets behind .42 1 objects - -: wickerbasket wickerbaskets rattanbasket
stable-door behind .8 1 objects - stable: stabledoor
tatami-lamp behind .34 1 lights - -: paperlamp tatamilamp
`;
