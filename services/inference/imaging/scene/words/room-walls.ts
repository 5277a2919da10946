/** Walls that a theme names beside their room: "green wall in a bedroom", "brick wall in a loft". */

import { isRoomWall, type NamedWall, type Setting, settings } from "./lexicon.ts";
import { bareBrick, isKitchen, showsWall } from "./read-surfaces.ts";
import { wordSet } from "./word-set.ts";

/** The part of a theme that its walls decide. */
interface WallDraft {
  setting?: Setting;
  settingColor?: string;
  roomWall?: NamedWall;
}

const plainWalls = wordSet("wall wallpaper");

interface WallDeps {
  readonly theme: WallDraft;
  readonly takeColor: () => string | undefined;
  /** Makes the word's place the theme's, without the color of the one before it. */
  readonly moveTo: (word: string, setting: Setting) => true;
  /** The word for the theme's place. */
  readonly placeWord: () => string;
  /** Whether a place's word is rather a thing's. */
  readonly isOfThing: (word: string) => boolean;
}

export function createWallReader({ theme, takeColor, moveTo, placeWord, isOfThing }: WallDeps) {
  /** A wall without a material is the room's beside it: "green wall in a bedroom". Furniture before one brings no room. */
  function readPlain(place: Setting, word: string, other: Setting): boolean {
    const wallWord = word === "wall" ? word : placeWord();
    const [wall, room, roomWord] = word === "wall" ? [other, place, placeWord()] : [place, other, word];
    const isPlain = plainWalls.has(wallWord) && wall === settings.get(wallWord);
    const isRoomOfOwn = room.backdrop === "interior" || isKitchen(room) || room.decor === "bathroom";
    if (!isPlain || !isRoomOfOwn || isOfThing(roomWord)) return false;
    const own = takeColor() ?? theme.settingColor;
    if (room === other) moveTo(word, other);
    if (own !== undefined) theme.settingColor = own;
    return true;
  }

  /**
   * A wall of a material is that of the room beside it: "brick wall in a loft".
   *
   * @returns whether the scene has it; null: the word is none of such a wall
   */
  function readMaterial(place: Setting, word: string, other: Setting): boolean | null {
    const [wall, room] = isMaterialWall(word, other) ? [other, place] : [place, other];
    if (!isMaterialWall(wall === other ? word : placeWord(), wall)) return null;
    if (isKitchen(room) && wall.backdrop === "tiled-wall" && wall.decor === undefined) {
      const { backdrop, color: own } = wall;
      theme.setting = { ...room, backdrop, color: own };
      return true;
    }
    if (room.backdrop !== "interior") return null;
    const { decor } = wall;
    const isShown = isRoomWall(decor) && showsWall(room);
    if (decor === "bricks" && !isShown) return null;
    const own = takeColor() ?? theme.settingColor;
    if (room === other) moveTo(word, other);
    if (isShown) theme.roomWall = { decor, color: own ?? (decor === "bricks" ? bareBrick : wall.color) };
    else theme.settingColor = own ?? wall.color;
    return isShown || room === other;
  }

  return { readPlain, readMaterial };
}

/** Whether it is a wall of the material that the word names, and not a place that the word names. */
function isMaterialWall(word: string, { backdrop }: Setting): boolean {
  return !settings.has(word) && (backdrop === "wall" || backdrop === "tiled-wall");
}
