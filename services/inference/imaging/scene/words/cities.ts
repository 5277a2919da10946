/** The cities that themes name. */

import { wordSet } from "./word-set.ts";

/** Cities of old houses, of which any street is one of these. */
export const oldCities = wordSet(
  "amsterdam lisbon rome istanbul barcelona vienna prague budapest seville florence lyon brussels copenhagen stockholm warsaw krakow " +
    "dublin edinburgh bruges antwerp ghent zurich geneva basel salzburg innsbruck koeln dresden leipzig strasbourg bilbao " +
    "malaga naples turin bologna verona palermo gdansk poznan wroclaw riga tallinn helsinki oslo",
);
/** Cities of towers, whose skyline is like another. */
export const towerCities = wordSet(
  "dubai singapore hongkong chicago sydney sanfrancisco shanghai losangeles miami toronto vancouver seattle boston " +
    "philadelphia houston dallas atlanta montreal melbourne brisbane auckland frankfurt rotterdam beijing shenzhen bangkok " +
    "kualalumpur jakarta mumbai taipei abudhabi doha saopaulo buenosaires",
);
/** Cities that any other place replaces, and after which products are named. */
export const cities: ReadonlySet<string> = new Set([...oldCities, ...towerCities]);
/** More cities of old houses, but a thing that is named beside one may stand in it: "Berlin chair". */
export const otherOldCities = wordSet("berlin hamburg madrid milan munich");
