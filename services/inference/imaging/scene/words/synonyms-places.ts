/** English words for places, feasts and regions, in the form of `synonyms.ts`. */
export const placeSynonyms = `
restaurant: eatery gastropub restaurant_booth banquette fine_dining_restaurant food_court dining_hall banquet_hall
cafe: tearoom creperie coffee_cart coffee_station snack_bar bagel_shop book_cafe internet_cafe hotel_cafe
bar: taproom brewpub sports_bar irish_pub dive_bar karaoke_bar gin_bar rum_bar bartop lobby_bar alehouse
lounge: cigar_lounge shisha_lounge hookah_lounge smoking_lounge vip_lounge
diner: diner_booth burger_joint american_diner
taco: taqueria
club: dance_club dance_floor
steakhouse: chophouse grillhouse
bakery: bakery_window bakery_case
sweetshop: chocolaterie chocolatier
deli: delicatessen delicatessen_shop
market: food_market farmer_s_market flea_market bric_a_brac_market craft_market sunday_market
foodtruck: food_stall street_food_stall ice_cream_truck coffee_truck taco_truck
oven: wood_fired_oven brick_oven
bread: loaves bread_loaf bread_roll buns brioche ciabatta focaccia flatbread pita naan rye_bread bagel bagels
boutique: clothing_store clothing_shop clothing_boutique menswear_store womenswear_store lingerie_boutique lingerie_shop bridal_shop bridal_boutique bridal_salon dress_shop designer_store designer_boutique handbag_store fitting_room thrift_store thrift_shop second_hand_shop
jewelrystore: jewelry_window jewelry_showcase jeweller jewellers jewelry_case jewellery_display jewellery_window
shop: retail_store retail_shelf retail_display general_store souvenir_shop souvenir_store homeware_store home_decor_store homeware_shop pop_up_store pop_up_shop
storefront: window_display
showroom: furniture_store furniture_shop car_dealership electronics_store electronics_shop phone_store department_store
perfumery: beauty_store beauty_shop makeup_store beauty_counter makeup_counter duty_free_shop fragrance_store skincare_store skincare_shop
bookstore: bookshop antiquarian_bookshop
recordshop: music_shop music_store
workshop: shoemaker_workshop hardware_store hardware_shop diy_store tool_shed toolshed farm_shed potting_shed woodshop machine_shop repair_shop goldsmith_workshop watchmaker_bench watchmaker_s_bench craft_workshop
florist: florist_shop florist_studio flower_studio flower_boutique
greenhouse: sunroom solarium orangery orangerie hothouse
salon: beauty_studio hair_studio blow_dry_bar makeup_studio
barbershop: barbers gentlemen_s_barber
atelier: tattoo_parlor tattoo_parlour tattoo_shop craft_room printmaking_studio print_studio ceramicist_studio sculptor_studio sculptor_s_studio art_supply_store painters_studio drawing_studio
pottery: potters_wheel potter_s_wheel pottery_class
livingroom: great_room media_room tv_room hangout home_lounge
sofa: sectional_sofa
dining: dining_nook dining_area set_table laid_table tablescape banquet_table banquet family_dinner lunch_table eating_area set_dining_table laid_for_dinner
kitchen: kitchenette galley_kitchen kitchen_nook kitchen_cabinet scullery shaker_kitchen kitchen_cabinetry
hallway: mudroom entry_table entry_hall boot_room coat_hooks
bedroom: guest_room guest_bedroom spare_room master_bedroom main_bedroom primary_bedroom honeymoon_suite bunk_bed guesthouse guest_house toddler_bedroom tween_bedroom boy_s_bedroom girl_s_bedroom boys_bedroom girls_bedroom
closet: walk_in_closet walk_in_wardrobe
bathroom: ensuite en_suite en_suite_bathroom bath_caddy clawfoot_bathtub soaking_tub shower_niche shower_shelf
showerhead: walk_in_shower shower_stall shower_cabin shower_cubicle
dressingroom: make_up_table
gym: home_gym weight_room weights_room workout_room training_room
library: home_library reading_room study_room
pooltable: game_room games_room rec_room
hall: music_hall dance_hall dojo martial_arts_studio
lobby: mansion manor manor_house reception_desk ballroom_foyer
room: tiny_house living_space living_area
balcony: loggia french_balcony
terrace: lanai roofed_terrace
porch: doorsteps front_stoop stoop
garden: flower_bed flowerbed garden_bed front_yard frontyard cottage_garden english_garden formal_garden backyard_deck garden_deck
vegetablegarden: vegetable_patch veggie_patch veggie_garden community_garden
pavement: driveway
fireplace: mantelpiece fireside
logcabin: forest_hut wooden_hut
teepee: play_tent yurt
vase: flower_arrangement floral_arrangement flower_bouquet bouquet_of_flowers bunch_of_flowers
playroom: play_area
nursery: changing_table
bed: unmade_bed double_bed
poolside: infinity_pool resort_pool pool_house
beach: beach_resort beach_holiday beach_vacation seashore beachy beach_house_terrace beachfront oceanfront seafront sandbar seashore_sand
spa: thermal_bath thermal_spa treatment_room relaxation_room spa_like float_tank wellness_spa spa_treatment
onsen: thermal_pool geyser
saltheap: salt_flakes sea_salt_flakes
clinic: beauty_clinic operating_room operating_theatre physiotherapy_room treatment_clinic examination_room
doctor: medical_office
dentist: dental_practice
laboratory: medical_lab research_lab cleanroom testing_lab
airport: airport_lounge
climbingwall: climbing_gym climbing_hall
tenniscourt: padel_court pickleball_court squash_court badminton_court
pitch: rugby_field rugby_pitch artificial_turf football_turf playing_field sports_field cricket_pitch
stadium: bleachers stadium_seats
podium: podium_winner winner_podium winners_podium
racetrack: velodrome
skatepark: pump_track bmx_park
forestpath: running_path jogging_path jogging_track jogging_trail running_trail woodland_trail nature_trail
highway: cycling_road country_road open_road desert_road route_66
stable: riding_arena riding_stable horse_stable
athletics: track_and_field
ski: ski_resort_slope snowboard_park
swimlane: swimming_pool_lane pool_lanes
forest: beech_forest redwood_forest forest_clearing woodland_clearing glade forest_glade undergrowth copse coniferous_forest deciduous_forest
jungle: amazon_rainforest amazon_jungle costa_rica borneo rain_forest cloud_forest
prairie: grassland grasslands moorland moorlands heathland heather_field rolling_hills
field: canola_field rapeseed_field hop_field sugarcane_field crop_field farmland
lemongrove: citrus_grove orange_grove
lake: marshland fjord_lake lakefront
river: riverbed river_bed estuary
bay: rocky_cove rocky_bay
rock: tide_pool rocky_shore_pool
coast: coastline rocky_coast rocky_coastline rocky_shore rocky_shoreline sea_shoreline brittany normandy cornwall tenerife canary_islands gran_canaria lanzarote algarve_coast big_sur
shore: shoreline waterfront
sea: sea_foam
ocean: ocean_spray sea_spray
underwater: kelp_forest seaweed_forest
maldives: atoll
island: archipelago desert_island deserted_island
winter: snowfield snowdrift snowdrifts snowscape wintry wintery winter_wonderland arctic lapland greenland polar tundra_snow north_pole
peak: mountain_ridge mountaintop mountain_pass rock_formation
hill: foothills foothill hillside hillsides
valley: ravine highlands highland scottish_highlands scotland irish_countryside irish_hills lake_district peak_district
volcano: lava_field mount_fuji mt_fuji
haybale: haystack haystacks
lane: country_lane village_lane village_street village_road side_street cobbled_path
bird: seagulls
stone: fieldstone ledgestone dry_stone_wall_stone
moss: moss_ball
tree: trees_in_bloom
autumn: falling_leaves autumnal indian_summer
spring: springlike springtime spring_bloom
summer: summery summertime midsummer
leaf: new_leaves
golden: magic_hour
night: starlight nighttime
moonlit: milky_way
sunlight: sun_ray sunrays sunray sunbeam sunbeams rays_of_sun rays_of_sunlight rays_of_sunshine rays_of_light light_rays light_beams beams_of_light god_rays shaft_of_light shafts_of_light ray_of_light sunlight_rays beam_of_sunlight sun_flares
sunny: sun_drenched sundrenched sun_soaked sun_kissed sunkissed sun_bathed
morning: early_hours
rainy: drizzle rainstorm downpour drizzly
rain: raining
snowfall: snowstorm blizzard snowing heavy_snow
snow: first_snow
frosty: hoar_frost icicles freezing chilly
noon: summer_heat
cloud: puffy_clouds
candle: firelight by_firelight
lamp: ambient_lamps
street: intersection zebra_crossing main_street bus_stop tram_stop town_street city_road
alley: alleyway back_alley backalley
urban: inner_city
townhouse: notting_hill greenwich_village
businessdistrict: glass_facade office_building office_tower high_rises highrises wall_street
parking: car_wash
crosswalk: pedestrian_crossing
oldtown: medieval_town small_town hilltop_village town_center historic_center historic_town trastevere gamla_stan
bridge: tower_bridge charles_bridge rialto_bridge
airplane: private_jet
carinterior: car_seat_interior
railwaystation: train_compartment train_carriage
streetlamp: lamp_post lamppost lampposts
santorini: mykonos cyclades
mediterranean: crete cyprus malta ibiza menorca formentera sardinia sicily corsica puglia croatia dubrovnik algarve cinque_terre corfu adriatic aegean italian_coast italian_riviera spanish_coast costa_brava balearic balearics
amalfi: positano sorrento amalfi_coast ischia ravello
riviera: french_riviera saint_tropez st_tropez monte_carlo portofino
tuscany: italy italian_countryside tuscan_countryside tuscan_hills umbria chianti val_d_orcia
provence: france french_countryside luberon
andalusia: spain spanish_courtyard
mountainlake: lake_como lake_garda lake_maggiore lake_lucerne lago_di_como lake_bled hallstatt lake_louise moraine_lake
cliff: irish_cliffs cliffs_of_moher white_cliffs
village: cotswolds cotswold english_village alsace english_countryside english_country
alpinemeadow: bavaria bavarian_alps austria tyrol tirol south_tyrol allgau bavarian_meadow
alp: zermatt zakopane chamonix rockies rocky_mountains yosemite matterhorn new_zealand
nordic: sweden denmark
caribbean: dominican_republic punta_cana cancun tulum riviera_maya antigua_island saint_lucia puerto_rico virgin_islands
phuket: thailand koh_samui koh_phi_phi krabi philippines palawan boracay indonesia sri_lanka lombok langkawi malaysia_beach thai_beach vietnam_beach
seychelles: mauritius zanzibar cook_islands
hawaii: waikiki maui oahu honolulu kauai
tropical: copacabana ipanema exotic
malibu: key_west santa_monica bondi_beach bondi
palm: beverly_hills
riceterrace: ubud rice_terraces_bali
canyon: monument_valley zion_canyon bryce_canyon antelope_canyon
desert: atacama uluru wadi_rum
arizona: joshua_tree
safari: tanzania serengeti botswana kruger masai_mara
marrakech: fes casablanca chefchaouen tunisia
tajmahal: jaipur rajasthan udaipur
tokyo: shibuya shinjuku harajuku akihabara osaka seoul
timessquare: times_square vegas_strip
kyoto: okinawa
park: central_park hyde_park
paris: champs_elysees montmartre saint_germain le_marais
newyork: nyc
picnic: 4th_of_july july_4th july_fourth
stpatrick: patrick_s_day patricks_day st_patricks_day st_patrick_s_day saint_patrick saint_patrick_s_day
birthday: anniversary_party gender_reveal housewarming housewarming_party
wedding: bridal_shower engagement engagement_party wedding_reception
dayofthedead: day_of_the_dead
cincodemayo: cinco_de_mayo
paperlantern: lantern_festival mid_autumn_festival moon_festival chuseok obon tet dragon_boat_festival chinese_lantern
firework: bastille_day new_year_countdown
festivaltent: music_festival summer_festival harvest_festival festivals
sinterklaas: saint_nicholas st_nicholas
christmas: three_kings_day santa_lucia
bunting: king_s_day kings_day
carnival: rio_carnival
candles: kwanzaa
mardigras: purim
romantic: anniversary
warehouse: factory_hall industrial_hall industrial_building assembly_line power_plant steel_mill steelworks refinery loading_dock production_hall machine_hall warehouse_shelves warehouse_racks storehouse storage_hall distribution_center
harbor: shipyard boatyard fishing_port dockyard at_the_port
trafficcone: safety_cone
serverroom: control_room
tool: machine_tools hanging_tools garden_tools
clothesrack: rack_of_dresses rack_of_clothes dress_rack rack_of_clothing
cardboardboxes: stacked_boxes shipping_boxes
architect: drafting_table drawing_board drafting_desk
shoestore: shoe_store shoe_shop sneaker_store sneaker_shop shoe_boutique footwear_store
petshop: pet_store pet_supply_store
surfshop: surf_shop surf_store
izakaya: sushi_restaurant sushi_bar japanese_bar sake_bar japanese_pub
hotel: design_hotel grand_hotel luxury_hotel spa_hotel
coworking: coworking_space co_working_space coworking_office
office: office_space work_space executive_office corporate_office
stop: empty_space open_space blank_space room_for_text space_for_text white_space eau_de_toilette eau_de_parfum eau_de_cologne
supermarket: supermarket_shelf supermarket_shelves grocery_shelf
breakfast: breakfast_nook breakfast_table breakfast_corner
brunch: brunch_table
`;
