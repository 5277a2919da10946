/** Patterns of surfaces and walls, and their words in rows as in `lexicon-settings.ts`. */

/** Patterns that are printed on paper or cloth, woven into it, or laid in tiles of several colors. */
export const prints = [
  "art-deco",
  "tartan",
  "houndstooth",
  "argyle",
  "damask",
  "floral",
  "toile",
  "clovers",
  "stars",
  "hearts",
  "leopard",
  "zebra",
  "cow",
  "camouflage",
  "tie-dye",
  "geometric",
  "leaves",
  "zigzag",
  "waves",
  "zellige",
  "stripes",
  "dots",
  "checks",
] as const;
export type Print = (typeof prints)[number];

/** Patterns of surfaces. */
export const patternKinds = [
  ...prints,
  "herringbone",
  "leaf",
  "hammered",
  "banded",
  "court",
  "lanes",
  "slabs",
  "folds",
  "creases",
  "fur",
  "painted",
  "setts",
  "rust",
] as const;

export function isPrint(pattern: string | undefined): pattern is Print {
  return prints.some((print) => print === pattern);
}

/** Colors of prints whose theme names none. */
export const printColors: Readonly<Partial<Record<Print, string>>> = {
  checks: "#b8322c",
  stripes: "#4f6f94",
  dots: "#b8322c",
};

/** Patterns of what the product is put on. */
export const patternRows = `
herringbone: herringbone chevron fishbone parquet
checks: picnicblanket check checked checkered chequered checkerboard chequerboard checkerfloor gingham plaid
stripes: striped stripy stripe
tartan: tartan
houndstooth: houndstooth
argyle: argyle
art-deco: artdecoprint
damask: damaskprint
floral: floralprint
toile: toileprint
clovers: cloverprint
stars: starprint
hearts: heartprint
leopard: leopardprint
zebra: zebraprint
cow: cowprint
camouflage: camouflage
tie-dye: tiedye
geometric: geometricprint
leaves: leafprint
zigzag: zigzag
waves: waveprint
zellige: zellige zellij
leaf: goldleaf
hammered: hammered
banded: agate malachite
dots: dotted polkadot
court: basketballcourt streetball sportshall gymnasium tenniscourt
lanes: racetrack runninglane athletics parking bowling
slabs: slab flagstone paver
painted: azulejo talavera majolica maiolica delftware
folds: draped fold
creases: crumpled wrinkled creased rumpled crinkled
fur: fur sheepskin
`;
