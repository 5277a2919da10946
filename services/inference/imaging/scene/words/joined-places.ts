/** Places that two words name together: "dunes by the sea". */

import { oldCities, towerCities } from "./cities.ts";
import { wordSet } from "./word-set.ts";

const streets = wordSet("street city lane alley oldtown piazza plaza cobblestone sidewalk pavement");
const towers = wordSet("skyline downtown businessdistrict street city urban");

/** Whether the theme names the city's streets or its towers, which are what a scene has of it. */
export const hasStreetsOf = (city: string, forms: ReadonlySet<string | null>): boolean =>
  [...(oldCities.has(city) ? streets : towerCities.has(city) ? towers : [])].some((form) => forms.has(form));

/** Two places that are one of their own where both are named: "dunes by the sea". */
const joinedPlaces: readonly (readonly [one: ReadonlySet<string>, other: ReadonlySet<string>, joined: string])[] = [
  [wordSet("dune"), wordSet("sea beach ocean coast shore seaside island"), "coastdune"],
  [wordSet("boardwalk"), wordSet("sea beach ocean coast shore seaside"), "boardwalk"],
  [wordSet("mountain alp peak alpine"), wordSet("meadow field hill valley"), "alpinemeadow"],
  [wordSet("mountain alp peak alpine"), wordSet("lake"), "mountainlake"],
  [wordSet("terrace patio porch veranda balcony deck"), wordSet("mountain alp peak alpine"), "mountainterrace"],
  [wordSet("market marketplace"), wordSet("marrakech morocco moroccan spice"), "souk"],
  [wordSet("terrace patio porch veranda deck"), wordSet("city skyline downtown urban rooftop"), "rooftop"],
  [wordSet("garden backyard terrace patio"), wordSet("olivegrove"), "olivegrove"],
  [wordSet("garden backyard"), wordSet("lemongrove"), "lemongrove"],
  [wordSet("garden backyard"), wordSet("outdoor"), "park"],
  [wordSet("terrace patio porch veranda deck"), wordSet("lake"), "lake"],
  [wordSet("stadium arena"), wordSet("runninglane athletics"), "runninglane"],
  [wordSet("mountain alp peak alpine winter"), wordSet("attic lodge skilodge"), "lodge"],
  [wordSet("desk"), wordSet("playroom toy toys kid kids child children nursery"), "playroom"],
  [wordSet("desk"), wordSet("writer"), "writer"],
  [wordSet("paris parisian"), wordSet("cafe bistro"), "cafeterrace"],
  [wordSet("paris parisian"), wordSet("street city"), "paris"],
  [wordSet("city urban downtown skyline"), wordSet("park"), "park"],
  [wordSet("city urban downtown skyline"), wordSet("parkbench"), "parkbench"],
  [wordSet("amalfi capri riviera mediterranean"), wordSet("lemongrove"), "amalfi"],
  [oldCities, streets, "oldtown"],
  [towerCities, towers, "skyline"],
  [wordSet("autumn fall"), wordSet("forestpath"), "autumn"],
  [wordSet("christmas xmas"), wordSet("forest woods woodland"), "christmassnow"],
  [wordSet("basketballcourt"), wordSet("outdoor street urban city park"), "streetball"],
  [wordSet("rooftop"), wordSet("bar pub cocktailbar lounge"), "rooftopbar"],
  [wordSet("pool poolside"), wordSet("bar pub cocktailbar"), "poolbar"],
  [wordSet("garden backyard"), wordSet("cafe bistro restaurant teahouse"), "gardencafe"],
  [wordSet("airport terminal departure"), wordSet("lounge"), "airport"],
  [wordSet("rooftop"), wordSet("garden backyard"), "rooftopgarden"],
  [wordSet("supermarket hypermarket grocery"), wordSet("aisle"), "supermarket"],
  [wordSet("garden backyard park barbecue bbq"), wordSet("deck"), "garden"],
  [wordSet("terrace patio porch veranda"), wordSet("vineyard"), "vineyard"],
  [wordSet("terrace patio porch veranda balcony"), wordSet("mountainlake fjord"), "mountainlake"],
  [wordSet("counter countertop"), wordSet("farmhouse"), "farmhousekitchen"],
  [wordSet("counter countertop"), wordSet("izakaya"), "izakaya"],
  [wordSet("counter countertop"), wordSet("cafe"), "cafe"],
  [wordSet("shop store"), wordSet("florist flowershop"), "florist"],
  [wordSet("hotel"), wordSet("bed bedroom"), "bedroom"],
  [wordSet("hotel"), wordSet("bar pub cocktailbar"), "bar"],
  [wordSet("industrial"), wordSet("loft"), "industrial"],
  [wordSet("loft"), wordSet("bedroom"), "bedroom"],
  [wordSet("industrial loft"), wordSet("kitchen"), "kitchen"],
  [wordSet("havana cuba cartagena"), wordSet("street city lane alley oldtown"), "havana"],
  [wordSet("chinatown"), wordSet("street city alley lane"), "chinatown"],
  [wordSet("garage"), wordSet("workshop"), "garage"],
  [wordSet("school"), wordSet("hallway corridor"), "locker"],
  [wordSet("industrial loft"), wordSet("bathroom"), "bathroom"],
  [wordSet("bali balinese caribbean tropical"), wordSet("villa hotel"), "poolside"],
  [wordSet("hotel vanity"), wordSet("bathroom bath bathtub"), "bathroom"],
  [wordSet("counter countertop"), wordSet("bar pub restaurant"), "bar"],
  [wordSet("counter countertop"), wordSet("bakery"), "bakery"],
  [wordSet("counter countertop"), wordSet("bathroom bath bathtub sink"), "bathroom"],
  [wordSet("river stream waterfall creek brook"), wordSet("tropical jungle rainforest"), "waterfall"],
  [wordSet("river stream creek brook"), wordSet("mountain alp peak alpine"), "mountainstream"],
  [wordSet("stream creek brook"), wordSet("forest woods woodland"), "foreststream"],
  [wordSet("jungle rainforest tropicalleaf"), wordSet("tropical"), "jungle"],
  [wordSet("market marketplace"), wordSet("flower blossom bouquet"), "flowershop"],
  [wordSet("picnic"), wordSet("lavenderfield"), "lavenderpicnic"],
  [wordSet("boat yacht sailboat deck"), wordSet("sea ocean mediterranean greece greek coast"), "boat"],
  [wordSet("mountain alp peak alpine"), wordSet("trail footpath forestpath"), "mountaintrail"],
  [wordSet("mountain alp peak alpine"), wordSet("camping campsite camp tent campfire"), "mountainterrace"],
  [wordSet("alley lane"), wordSet("village oldtown tuscany tuscan provence piazza"), "oldtown"],
  [wordSet("street urban city downtown alley crosswalk subway parkinggarage hiphop"), wordSet("graffiti"), "graffiti"],
  [wordSet("platform"), wordSet("railwaystation station subway metro"), "railwaystation"],
  [wordSet("cafe coffee bistro bar restaurant"), wordSet("terrace patio street sidewalk pavement"), "cafeterrace"],
  [
    wordSet("terrace patio porch veranda balcony deck garden backyard villa hotel tropical island"),
    wordSet("pool poolside"),
    "poolside",
  ],
  [
    wordSet("terrace patio porch veranda balcony"),
    wordSet("sea ocean coast shore seaside santorini greece greek mediterranean"),
    "mediterranean",
  ],
];

export function joinPlaces(one: string, other: string): string | undefined {
  return joinedPlaces.find(([a, b]) => (a.has(one) && b.has(other)) || (a.has(other) && b.has(one)))?.[2];
}

/** Nothing in a bedroom tells that it is a hotel's; a restaurant's kitchen is one of its own. */
const roomsOfAny = wordSet("bedroom bathroom kitchen bar");
const untold = wordSet("hotel loft industrial");

/** Whether the place that two words are together shows nothing of this one. */
export const losesJoined = (word: string, joined: string): boolean => untold.has(word) && roomsOfAny.has(joined);

/** A kitchen named with one of them is the cooks': "restaurant kitchen". A café has a kitchen like that of a house. */
const eateries = wordSet("restaurant hotel diner bistro steakhouse pizzeria");

export const isRestaurantKitchen = (one: string, other: string | undefined) => eateries.has(one) && other === "kitchen";
