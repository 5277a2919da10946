import { describe, expect, it } from "vitest";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme, type Theme } from "./theme.ts";

const printOf = (theme: string) => {
  const { pattern, wallPattern } = parseTheme(theme);
  return { ground: pattern ?? null, wall: wallPattern ?? null };
};

const planOf = (theme: string) => planScene(parseTheme(theme), theme, 7);

const everywhere = {
  "art deco pattern with gold lines": "art-deco",
  "art deco fans in gold and emerald": "art-deco",
  "st patrick's day green clovers": "clovers",
  "pink and white stripes": "stripes",
  "scottish tartan": "tartan",
  "polka dot background": "dots",
  "chevron pattern in yellow and gray": "zigzag",
  "black and white houndstooth": "houndstooth",
  "star pattern, navy": "stars",
  "pattern of pink hearts": "hearts",
  "leopard print": "leopard",
  "zebra print backdrop": "zebra",
  "tie-dye": "tie-dye",
  "memphis pattern": "geometric",
  "toile de jouy": "toile",
  "blue damask": "damask",
  "wavy retro pattern": "waves",
  "schottenkaro rot": "tartan",
  leopardenmuster: "leopard",
  "hahnentritt schwarz weiß": "houndstooth",
  sternenmuster: "stars",
  "motif à fleurs": "floral",
  "pied de poule": "houndstooth",
  "estampado de leopardo": "leopard",
  "fantasia a rombi": "argyle",
  luipaardprint: "leopard",
  "geometryczny wzór": "geometric",
  "wzór w paski": "stripes",
  "tło moro": "camouflage",
};

const papered = {
  "damask wallpaper": "damask",
  "floral wallpaper": "floral",
  "tropical leaves wallpaper": "leaves",
  "wallpaper with yellow flowers": "floral",
  blumentapete: "floral",
  "papier peint fleuri": "floral",
  "papel pintado tropical": "leaves",
  "carta da parati floreale": "floral",
  "behang met bloemen": "floral",
  "tapeta w kwiaty": "floral",
};

describe("a print that a theme names", () => {
  it.each(Object.entries(everywhere))("is below and behind the product: %s", (theme, print) => {
    expect(printOf(theme)).toEqual({ ground: print, wall: print });
  });

  it.each(Object.entries(papered))("is on the wall alone where it is wallpaper: %s", (theme, print) => {
    expect(printOf(theme)).toEqual({ ground: null, wall: print });
  });

  it("is on the cloth that it is of", () => {
    expect(printOf("tartan blanket")).toEqual({ ground: "tartan", wall: null });
    expect(printOf("vintage floral fabric")).toEqual({ ground: "floral", wall: null });
    expect(parseTheme("tartan blanket in a cabin").setting).toBeDefined();
    expect(printOf("on a striped sofa")).toEqual({ ground: "stripes", wall: null });
    expect(printOf("ściana we wzór w paski")).toEqual({ ground: null, wall: "stripes" });
  });

  it("has the theme's colors, the ground's first", () => {
    const stripes = planOf("navy and white stripes").print!;
    expect(stripes.ground[2]).toBeGreaterThan(2 * stripes.ground[0]);
    expect(Math.min(...stripes.inks[0])).toBeGreaterThan(0.6);
    const navy = planOf("white stars pattern on navy").print!;
    expect(navy.ground[2]).toBeGreaterThan(2 * navy.ground[0]);
  });

  it("draws in gold on the other color", () => {
    const { ground, inks } = planOf("art deco fans in gold and emerald").print!;
    expect(ground[1]).toBeGreaterThan(2 * ground[0]);
    expect(inks[0][0]).toBeGreaterThan(4 * inks[0][2]);
  });

  it("has no strays beside it, and no glitter", () => {
    const clovers = planOf("st patrick's day green clovers");
    expect(clovers.things.map(({ name }) => name)).not.toContain("clover");
    expect(planOf("art deco pattern with gold lines").props).toEqual([]);
  });

  it("tells a word for a print alone as unrecognized", () => {
    expect(parseTheme("an ikat pattern").unrecognized).toContain("pattern");
  });
});

const roomsWithPaper = {
  "bedroom with striped wallpaper": ["bedroom", "stripes"],
  "striped wallpaper in a bedroom": ["bedroom", "stripes"],
  "nursery with stars wallpaper": ["nursery", "stars"],
  "cafe with leopard wallpaper": ["cafe", "leopard"],
  "Schlafzimmer mit Blumentapete": ["bedroom", "floral"],
  "salon avec papier peint fleuri": ["living-room", "floral"],
  "dormitorio con papel pintado tropical": ["bedroom", "leaves"],
  "camera da letto con carta da parati a righe": ["bedroom", "stripes"],
  "slaapkamer met bloemenbehang": ["bedroom", "floral"],
  "sypialnia, tapeta w paski": ["bedroom", "stripes"],
};

const walls = {
  "zellige wall": ["printed-wall", "zellige"],
  "mur en zellige": ["printed-wall", "zellige"],
  "agate wall": ["banded-wall", null],
  "malachite wall": ["banded-wall", null],
  "hammered copper wall": ["hammered-wall", null],
  "white herringbone wall": ["herringbone-wall", null],
};

describe("a wall that has the pattern", () => {
  it.each(Object.entries(roomsWithPaper))("is behind a room's furniture: %s", (theme, [decor, print]) => {
    const plan = planOf(theme);
    expect([plan.decor, plan.roomWall?.decor, plan.print?.print]).toEqual([decor, "printed-wall", print]);
    expect([plan.pattern, parseTheme(theme).notShown]).toEqual([null, []]);
  });

  it.each(Object.entries(walls))("is of that material: %s", (theme, [decor, print]) => {
    const plan = planOf(theme);
    expect([plan.decor, plan.print?.print ?? null, plan.pattern]).toEqual([decor, print, null]);
    expect(parseTheme(theme).notShown).toEqual([]);
  });

  it("goes on below the product where it is a backdrop", () => {
    const { decor, pattern } = planOf("agate background");
    expect([decor, pattern]).toEqual(["banded-wall", "banded"]);
    expect(planOf("white draped backdrop").pattern).toBe("folds");
  });

  it("is told where a room's tiles or shelves hide it", () => {
    expect(parseTheme("bathroom with tropical wallpaper").notShown).toEqual(["tropical"]);
    expect(parseTheme("striped wallpaper in a kitchen").notShown).toEqual(["striped"]);
    expect(parseTheme("hammered wall").notShown).toEqual(["hammered"]);
  });

  it("leaves the floor its own pattern", () => {
    for (const theme of ["herringbone floor, white wall", "herringbone floor with white wall"])
      expect([planOf(theme).pattern, planOf(theme).decor], theme).toEqual(["herringbone", null]);
    expect(printOf("bedroom with wallpaper, striped blanket")).toEqual({ ground: "stripes", wall: null });
  });
});

const ofProducts = `
striped shirt on oak
striped shirt, white background
a striped shirt on a white background
leopard print handbag on marble
polka dot dress, white background
polka dot dress hanging in a bright bedroom
floral dress, garden
floral print blouse on beige background
tartan scarf on oak table
plaid jacket on concrete
houndstooth coat in a city street
houndstooth blazer, gray backdrop
camouflage trousers on grass
camo backpack in the forest
argyle socks on wooden floor
heart pattern mug on marble
star pattern pajamas on bed
tie dye t-shirt on sand
chevron leggings in a gym
geometric pattern vase on oak shelf
toile lampshade in bedroom
cow print bag, pink background
animal print shoes on red
shirt with stripes on oak
mug with hearts on marble
dress with polka dots, white background
backpack with stars pattern on concrete
notebook with floral pattern on desk
gestreiftes Hemd auf Eiche
gestreiftes Shirt, weißer Hintergrund
Kleid mit Punkten auf Beton
Tasse mit Sternenmuster auf Marmor
Handtasche mit Leopardenmuster auf Marmor
karierter Rock auf Holz
robe à pois sur fond blanc
chemise à rayures sur chêne
sac imprimé léopard sur marbre
jupe tartan sur fond gris
camisa de rayas sobre roble
vestido de lunares, fondo blanco
bolso con estampado de leopardo sobre mármol
falda de cuadros sobre madera
camicia a righe su legno
vestito a pois su sfondo bianco
borsa leopardata su marmo
gonna scozzese su cemento
gestreept shirt op eiken
jurk met stippen op witte achtergrond
tas met luipaardprint op marmer
koszula w paski na dębie
sukienka w kropki na białym tle
torebka w panterkę na marmurze
striped umbrella at the beach
polka dot teapot on a lace tablecloth
striped beach chair by the pool
checkered flag on asphalt
floral perfume on marble
stripes of light on a white wall
striped tie on walnut
plaid scarf on snow
mug with stripes, white background
gepunktete Tasse auf Holz
kurtka moro
spodnie moro na betonie
houndstooth chair
chair with houndstooth
on a houndstooth chair
polka dot stool
striped sofa
plaid armchair by the fire
`;

describe("a product's own print", () => {
  it.each(ofProducts.trim().split("\n"))("is none of the scene's: %s", (theme) => {
    const read: Theme = parseTheme(theme);
    expect([read.pattern, read.wallPattern]).toEqual([undefined, undefined]);
  });
});
