/** English words for looks, light, materials, colors and things, in the form of `synonyms.ts`. */
export const lookSynonyms = `
cozy: homey homely comfy comfortable snug heartwarming cosiness coziness snuggly
warm: inviting welcoming
calm: quiet peaceful relaxing relaxed soothing calming restful stillness silence mindful mindfulness
minimal: clinical sterile tonal understated restrained sleek crisp neat tidy uncluttered pared_down decluttered muted muted_colors muted_tones pure_and_simple minimalism reduced
luxury: lavish plush posh upscale deluxe expensive swanky classy refined sumptuous ornate regal stately palatial high_class exquisite grand
glamour: glam hollywood_glam glitz glitzy
playful: whimsical cheerful joyful quirky soft_girl whimsy childlike
dreamy: ethereal dreamlike fairylike heavenly dreamcore
vivid: lively energetic upbeat energizing kitsch multicolored multicolor multicoloured multicolour color_blocking color_blocked colorblock jewel_tones jewel_toned saturated primary_colors
moody: low_key lowkey chiaroscuro rembrandt_lighting mysterious film_noir gritty
dark: spooky eerie sinister shadowy murky ebonized stained_dark
bright: radiant luminous light_filled light_flooded sun_filled
vintage: distressed aged timeworn old_fashioned old_timey period_style patina patinated nineties seventies sixties eighties bygone heirloom traditional heritage folk folksy country_style country rural pastoral french_country
rustic: rugged rustic_charm country_chic rural_style artisanal artisan
retro: space_age
midcentury: mcm
organic: eco_friendly earth_toned
futuristic: retro_futurism dystopian
romantic: sensual
soft: ambient ambient_light ring_light octabox lightbox softly_lit evenly_lit shadowless
photostudio: infinity_cove infinity_curve cyclorama cyc cyc_wall white_cyc paper_roll colorama
spotlight: single_spotlight rimlit circle_of_light spotlight_circle
backlit: backlighting
hardlight: paparazzi_flash on_camera_flash flash_photography
leafshade: gobo gobo_shadow gobo_light gobo_lighting palm_leaf_gobo palm_gobo leaf_gobo leaves_gobo foliage_gobo gobo_pattern shadow_play
windowshade: window_gobo window_frame_shadow shadow_of_a_window_frame window_pane_shadow
blind: blinds_gobo slatted_light slatted_shadow
neon: neon_glow neon_tube laser_beams laser_light ultraviolet ultraviolet_light uv_light blacklight gelled_light
stringlights: festoon_lights festoon_lighting festoon light_chain lights_chain twinkle_lights twinkling_lights hanging_lights bulb_string
pendant: edison_bulb filament_bulb hanging_lamp hanging_bulbs
bokeh: defocused_lights light_spots
waterlight: water_light_reflections light_refraction prism_light rippled_light water_ripple_light
holographic: rainbow_reflections dichroic iridescent_film holographic_film
reflective: glossy_reflection soft_reflection subtle_reflection floor_reflection mirror_like
gradient: color_fade fade_of_colors color_transition
flatlay: bird_s_eye bird_s_eye_view seen_from_above laid_flat
column: pillar pillars roman_column
podium: riser risers pedestals
hexagonpodium: hexagon_block
arch: alcove niche niches alcoves rounded_arch
geometric: geometrical_forms abstract_shapes abstract_forms 3d_shapes geometric_objects curved_shapes half_circle semicircle
curtain: sheer_curtain voile
smoke: dry_ice fog_machine swirling_smoke
watersplash: liquid_splash splash_of_liquid
paintsplash: paint_drip paint_splatter paint_strokes brush_strokes brushstrokes paint_smear
sparks: embers
petal: falling_petals
ribbon: ribbon_bow
checkered: checkerboard_pattern
striped: striped_pattern
creased: tousled unironed scrunched
wave: ripples_of_the_sea
watersurface: water_ripple shallow_water still_water rippled_water
basil: fresh_parsley arugula
spice: star_anise peppercorn peppercorns chili_flakes saffron_threads cinnamon_powder garam_masala
mushroom: chanterelles porcini
pumpkin: gourd gourds
nut: nuts_and_seeds
chocolatebar: chocolate_pieces chocolate_shavings
honey: honey_dipper honey_drizzle dripping_honey
cake: cheesecake layer_cake sponge_cake
pie: tartlet tartlets
icecream: ice_cream_cone gelato_cone ice_cream_scoops
candy: gummy_candy jelly_beans sprinkles gumdrops
coffeebean: coffee_grounds roasted_coffee
matcha: matcha_powder
cocktail: mojito mojitos martini martinis negroni gin_tonic gin_and_tonic daiquiri highball spritzer mocktail mocktails sangria punch_bowl pina_colada cosmopolitan tropical_drinks
beer: beer_mug pint_of_beer craft_beers
decanter: rum_bottle whiskey_bottle liquor_bottles cognac_glass
winebottle: bottles_of_wine bottle_of_wine bottle_of_red_wine
champagneglass: champagne_tower
carafe: glasses_of_water
cutlery: knife_and_fork
cheese: brie camembert parmesan mozzarella burrata feta gouda cheddar
tapas: antipasti antipasto mezze canapes finger_food appetizers
sausage: cold_cuts
fruit: exotic_fruit mixed_fruit
vegetable: veggies fresh_produce produce
lemonslice: lime_slices lemon_wedge lemon_halves halved_lemons lemon_half
berry: mixed_berries wild_berries
creamswirl: cream_texture cream_swatch dollop_of_cream skincare_texture
gelsmear: gel_texture serum_texture
vinyl: vinyl_record
peony: ranunculus carnation carnations dahlia dahlias lisianthus
daisy: gerbera gerberas cosmos_flowers cornflower cornflowers chrysanthemum chrysanthemums feverfew
lily: calla calla_lily calla_lilies amaryllis
tulip: crocus crocuses
jasmine: baby_s_breath babys_breath gypsophila
blossom: blossoming_branches blooming_branches
lavenderbunch: lupines
flower: flowering blossoming blooming in_bloom in_full_bloom full_bloom flowery blooms
houseplant: snake_plant rubber_plant pothos philodendron ficus areca areca_palm zz_plant calathea air_plant spider_plant bird_of_paradise indoor_plant potted_plant
plant: jungle_plants
pampas: bunny_tails bunny_tail_grass dry_grass pressed_flowers ornamental_grass
wheat: wheat_stalks ears_of_wheat wheat_ears
cottontwig: cotton_stems
drybranch: dry_twigs bare_twigs
pinecone: pine_sprigs fir_sprigs evergreen_branches evergreens spruce_sprigs evergreen
ivy: climbing_plants climbing_roses_leaves
candles: pillar_candle taper_candles tealights tealight
teddy: stuffed_animal plush_toy stuffed_toys
toybrick: lego_bricks
envelope: love_letters
pencil: school_supplies
crate: wooden_box wooden_boxes
jackolantern: jack_o_lantern
apothecarybottle: amber_bottle glass_vials
paintbrush: brushes_and_paint
makeupbrush: make_up_brush make_up_brushes
yarn: knitting_needle balls_of_yarn ball_of_yarn wool_balls
book: hardcover_books
painting: framed_print framed_art framed_picture artworks art_print
mirror: full_length_mirror
wickerbasket: woven_basket seagrass_basket
treasure: treasure_map_chest
bulbmirror: lighted_mirror
taxi: yellow_taxi yellow_cab taxis taxicab
steel: stainless stainless_steel
zinc: galvanized galvanised galvanized_steel galvanised_steel corrugated_metal corrugated_iron corrugated_steel
rusty: corten corten_steel rusted rusted_metal rusted_iron rusted_steel rusty_iron weathering_steel rust_texture
verdigris: copper_patina patinated_copper oxidized_copper
wroughtiron: wrought_iron cast_iron blackened_iron
brass: brushed_brass
goldfoil: brushed_gold
foil: crinkled_foil tin_foil
pale: bleached limed blonde whitewashed
tile: penny_tile hexagon_tile hexagonal_tile glazed_tile kit_kat_tiles scallop_tiles vertical_tiles
azulejo: encaustic_tile encaustic portuguese_tile delft_tile patterned_tile ornamental_tiles decorative_tiles spanish_tile
mosaic: glass_mosaic
acrylic: perspex lucite
wood: wood_grain live_edge live_edge_wood reclaimed reclaimed_wood salvaged_wood wood_slab
charredwood: shou_sugi_ban yakisugi burnt_wood charred_wood
plywood: birch_plywood
osb: mdf chipboard osb_board particle_board
paneling: slatted_wood slatted_wall slat_panel wooden_panel wood_panel
bark: tree_bark birch_bark
statuario: statuary arabescato
marquina: nero_marquina
emperador: emperador_marble
verdealpi: verde_guatemala
marfil: botticino
lapis: lapis_lazuli
rosequartz: rose_quartz_stone
microcement: screed
limewash: lime_wash limewashed
plaster: venetian_plaster
rammedearth: rammed_earth
adobe: mud_brick
resin: epoxy epoxy_resin
cotton: gauze cheesecloth
burlap: hessian sackcloth seagrass
wool: chunky_knit knit_blanket
sheepskin: faux_fur_rug
fur: faux_fur
leather: leather_hide
brocade: jacquard
pattern: print motif
tartan: scottish_plaid tartan_plaid scottish_tartan tartan_check
artdecoprint: art_deco_fan art_deco_line art_deco_shapes art_deco_background art_deco_backdrop art_deco_wall art_deco_geometry
damaskprint: damask
leopardprint: leopard_print leopard_pattern leopard_skin leopard_fur animal_print cheetah_print cheetah_pattern
zebraprint: zebra_print zebra_pattern zebra_stripe
cowprint: cow_hide cowhide
tiedye: tie_dye tie_dyed
toileprint: toile_de_jouy
camouflage: camo
geometricprint: memphis_pattern memphis_design memphis_background memphis_shapes geometric_background
waveprint: wavy_retro_pattern retro_wavy_pattern wavy_pattern groovy_pattern retro_waves wavy_lines seventies_pattern 70s_pattern
zigzag: zig_zag
blanket: patchwork throw_blanket
canvas: hand_painted_backdrop painted_backdrop mottled_backdrop
paper: tissue_paper cardstock card_stock construction_paper graph_paper washi washi_paper origami_paper wrapping_paper drawing_paper deckled_paper
kraftpaper: craft_paper
cardboard: corrugated_cardboard
soil: potting_soil potting_mix
grass: turf artificial_grass blades_of_grass grassy
rock: rocky
flour: flour_dusted dusting_of_flour
white: pure_white
black: jet_black obsidian_black matt_black
yellow: canary_yellow buttercup
teal: peacock_blue
ultramarine: klein_blue
silver: dove_gray dove_grey
cognac: saddle_brown
emerald: jade_green malachite_green
periwinkle: cornflower_blue
umber: burnt_umber raw_umber
sienna: burnt_sienna raw_sienna
seafoam: seafoam_green sea_foam_green
blush: powder_rose
purple: wisteria_purple
stop: shades_of in_shades_of amazon_listing amazon_product_photo eye_level close_up straight_on front_view side_view low_angle wide_angle hero_shot hero_image lifestyle_shot magazine_style magazine_cover in_the_style_of color_palette apple_store_style in_the_foreground in_the_distance drop_shadow pop_up set_for_two with_a_view ready_to_serve solid_color full_frame three_quarter_view
firework: sparklers sparkler
`;
