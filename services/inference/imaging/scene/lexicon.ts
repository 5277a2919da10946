/** What the words of a theme mean to the scene. All words are singular and in lower case. */

export type SurfaceKind =
  | "wood"
  | "marble"
  | "concrete"
  | "stone"
  | "sand"
  | "grass"
  | "fabric"
  | "tile"
  | "metal"
  | "water"
  | "snow"
  | "plain"
  | "gloss"
  | "pebble"
  | "soil"
  | "asphalt";

export type BackdropKind =
  | "sweep"
  | "wall"
  | "tiled-wall"
  | "interior"
  | "shelves"
  | "foliage"
  | "sea"
  | "dunes"
  | "hills"
  | "skyline"
  | "sky"
  | "stars"
  | "snowfield";

export type LightKind =
  | "studio"
  | "soft"
  | "window"
  | "morning"
  | "golden"
  | "sunset"
  | "noon"
  | "overcast"
  | "dramatic"
  | "night"
  | "neon"
  | "dappled"
  | "candle";

export type Mood = "warm" | "cold" | "pastel" | "minimal" | "luxury" | "dark" | "bright" | "vivid" | "vintage" | "cosy";

export interface Surface {
  readonly kind: SurfaceKind;
  readonly colour: string;
}

export interface Setting {
  readonly backdrop: BackdropKind;
  readonly colour: string;
  readonly surface: Surface;
  readonly light: LightKind;
}

const wood = (colour: string): Surface => ({ kind: "wood", colour });
const stone = (colour: string): Surface => ({ kind: "stone", colour });
const fabric = (colour: string): Surface => ({ kind: "fabric", colour });
const plain = (colour: string): Surface => ({ kind: "plain", colour });

export const surfaces: Readonly<Record<string, Surface>> = {
  oak: wood("#b98a5a"),
  wood: wood("#a8743f"),
  wooden: wood("#a8743f"),
  walnut: wood("#5e3d26"),
  pine: wood("#d3a46a"),
  birch: wood("#dcc39a"),
  maple: wood("#cfa06a"),
  mahogany: wood("#6b2f1e"),
  teak: wood("#9b6a3c"),
  bamboo: wood("#d2b377"),
  cherry: wood("#9a5436"),
  ebony: wood("#2c221d"),
  plank: wood("#9a7450"),
  timber: wood("#a8743f"),
  parquet: wood("#a8743f"),
  driftwood: wood("#a79a8b"),
  cork: { kind: "stone", colour: "#b98d5e" },
  marble: { kind: "marble", colour: "#ece9e4" },
  granite: { kind: "stone", colour: "#77747a" },
  onyx: { kind: "marble", colour: "#1b1a1c" },
  quartz: { kind: "marble", colour: "#e9e4e0" },
  terrazzo: { kind: "pebble", colour: "#dcd4ca" },
  concrete: { kind: "concrete", colour: "#9c9a96" },
  cement: { kind: "concrete", colour: "#a3a09b" },
  plaster: { kind: "concrete", colour: "#d8d0c5" },
  stucco: { kind: "concrete", colour: "#d9cdbd" },
  stone: stone("#8b8680"),
  rock: stone("#77716a"),
  slate: stone("#3f454b"),
  travertine: stone("#cdbda4"),
  limestone: stone("#cfc4ae"),
  sandstone: stone("#c39c6d"),
  terracotta: { kind: "concrete", colour: "#b9633f" },
  clay: { kind: "concrete", colour: "#b4704e" },
  brick: { kind: "tile", colour: "#9a4b36" },
  sand: { kind: "sand", colour: "#d9bd8e" },
  sandy: { kind: "sand", colour: "#d9bd8e" },
  grass: { kind: "grass", colour: "#5d8a33" },
  lawn: { kind: "grass", colour: "#5d8a33" },
  moss: { kind: "grass", colour: "#5c6b22" },
  mossy: { kind: "grass", colour: "#5c6b22" },
  hay: { kind: "grass", colour: "#c2a04f" },
  straw: { kind: "grass", colour: "#c9ab5c" },
  linen: fabric("#d8ccb8"),
  fabric: fabric("#bdb3a6"),
  cloth: fabric("#d5cdc1"),
  cotton: fabric("#ece8e1"),
  silk: fabric("#d9c3c0"),
  satin: fabric("#cdb2b4"),
  velvet: fabric("#5c1f33"),
  wool: fabric("#b7aa98"),
  denim: fabric("#3c5274"),
  canvas: fabric("#cdbfa5"),
  tablecloth: fabric("#efece6"),
  blanket: fabric("#c7b59d"),
  carpet: fabric("#a3958a"),
  rug: fabric("#a0826b"),
  towel: fabric("#eae6df"),
  felt: fabric("#8a8d88"),
  leather: { kind: "stone", colour: "#6b4429" },
  tile: { kind: "tile", colour: "#dfe3e2" },
  tiled: { kind: "tile", colour: "#dfe3e2" },
  ceramic: { kind: "tile", colour: "#e6e2da" },
  mosaic: { kind: "tile", colour: "#5fa0a5" },
  metal: { kind: "metal", colour: "#a9abae" },
  steel: { kind: "metal", colour: "#a7abb0" },
  aluminium: { kind: "metal", colour: "#bfc2c5" },
  aluminum: { kind: "metal", colour: "#bfc2c5" },
  brass: { kind: "metal", colour: "#b58d46" },
  copper: { kind: "metal", colour: "#b06a45" },
  chrome: { kind: "metal", colour: "#b9bdc2" },
  metallic: { kind: "metal", colour: "#a9abae" },
  glass: { kind: "gloss", colour: "#cfdadb" },
  acrylic: { kind: "gloss", colour: "#e6e6e8" },
  mirror: { kind: "gloss", colour: "#c9ced2" },
  glossy: { kind: "gloss", colour: "#dcdcdc" },
  plexiglass: { kind: "gloss", colour: "#e6e6e8" },
  water: { kind: "water", colour: "#5d95a3" },
  pool: { kind: "water", colour: "#4fb3c4" },
  lake: { kind: "water", colour: "#55808a" },
  snow: { kind: "snow", colour: "#eaf0f6" },
  snowy: { kind: "snow", colour: "#eaf0f6" },
  ice: { kind: "gloss", colour: "#cfe3ee" },
  icy: { kind: "gloss", colour: "#cfe3ee" },
  paper: plain("#e8e3da"),
  cardboard: plain("#b78f62"),
  podium: plain("#e5ded6"),
  pedestal: plain("#e5ded6"),
  platform: plain("#dcd6ce"),
  plinth: plain("#e5ded6"),
  pebble: { kind: "pebble", colour: "#9a958e" },
  gravel: { kind: "pebble", colour: "#8d8881" },
  shingle: { kind: "pebble", colour: "#8a8883" },
  soil: { kind: "soil", colour: "#4b3526" },
  earth: { kind: "soil", colour: "#54402f" },
  mud: { kind: "soil", colour: "#4a382a" },
  dirt: { kind: "soil", colour: "#5b4531" },
  leave: { kind: "soil", colour: "#6b4a26" },
  leaf: { kind: "soil", colour: "#6b4a26" },
  asphalt: { kind: "asphalt", colour: "#3a3b3e" },
  tarmac: { kind: "asphalt", colour: "#38393c" },
};

const setting = (backdrop: BackdropKind, colour: string, surface: Surface, light: LightKind): Setting => ({
  backdrop,
  colour,
  surface,
  light,
});
const sand = surfaces.sand!;
const grass = surfaces.grass!;
const snow = surfaces.snow!;
const asphalt = surfaces.asphalt!;
const moss = surfaces.moss!;

export const settings: Readonly<Record<string, Setting>> = {
  studio: setting("sweep", "#dedbd7", plain("#dedbd7"), "studio"),
  backdrop: setting("sweep", "#dedbd7", plain("#dedbd7"), "studio"),
  background: setting("sweep", "#dedbd7", plain("#dedbd7"), "studio"),
  sweep: setting("sweep", "#dedbd7", plain("#dedbd7"), "studio"),
  wall: setting("wall", "#d9d2c8", wood("#b98a5a"), "soft"),
  room: setting("interior", "#d3c7b7", wood("#a57b50"), "window"),
  kitchen: setting("shelves", "#d9d4ca", { kind: "marble", colour: "#e4e0da" }, "window"),
  counter: setting("shelves", "#d8d2c8", { kind: "marble", colour: "#e2ded8" }, "window"),
  countertop: setting("shelves", "#d8d2c8", { kind: "marble", colour: "#e2ded8" }, "window"),
  restaurant: setting("interior", "#6a4c35", wood("#6b4529"), "candle"),
  cafe: setting("interior", "#7a5a41", wood("#7d5433"), "window"),
  bar: setting("interior", "#4b2f22", wood("#4e3020"), "candle"),
  pub: setting("interior", "#4b2f22", wood("#4e3020"), "candle"),
  bakery: setting("shelves", "#c59f74", wood("#b98a5a"), "morning"),
  library: setting("shelves", "#5a3f2a", wood("#5e3d26"), "candle"),
  shop: setting("shelves", "#cfc6ba", wood("#b98a5a"), "soft"),
  store: setting("shelves", "#cfc6ba", wood("#b98a5a"), "soft"),
  shelf: setting("shelves", "#cdbba3", wood("#b98a5a"), "soft"),
  bathroom: setting("tiled-wall", "#cfdcdc", { kind: "marble", colour: "#e6e6e3" }, "soft"),
  spa: setting("tiled-wall", "#c9d3c8", stone("#4b4f4e"), "candle"),
  bedroom: setting("interior", "#d9cdc0", fabric("#e7e1d8"), "morning"),
  bed: setting("interior", "#d9cdc0", fabric("#e7e1d8"), "morning"),
  office: setting("interior", "#c9ced1", wood("#a88a68"), "window"),
  desk: setting("interior", "#cac7c1", wood("#a98257"), "window"),
  loft: setting("interior", "#a9836a", { kind: "concrete", colour: "#8f8c88" }, "window"),
  livingroom: setting("interior", "#d3c7b7", wood("#a57b50"), "window"),
  sofa: setting("interior", "#cfc3b4", fabric("#b9a992"), "window"),
  fireplace: setting("interior", "#5b3a28", wood("#5e3d26"), "candle"),
  gym: setting("interior", "#54585c", { kind: "asphalt", colour: "#2f3134" }, "dramatic"),
  garage: setting("interior", "#54575a", { kind: "concrete", colour: "#6f6e6c" }, "dramatic"),
  workshop: setting("shelves", "#6b5240", wood("#8a623c"), "window"),
  gallery: setting("wall", "#eceae6", { kind: "concrete", colour: "#b8b5b0" }, "soft"),
  beach: setting("sea", "#4f9bb5", sand, "noon"),
  sea: setting("sea", "#3f87a6", sand, "noon"),
  ocean: setting("sea", "#2f7596", sand, "noon"),
  coast: setting("sea", "#4a8aa3", stone("#8b8378"), "noon"),
  shore: setting("sea", "#4f9bb5", sand, "golden"),
  island: setting("sea", "#35a6b8", sand, "noon"),
  tropical: setting("sea", "#2fb0b5", sand, "noon"),
  seaside: setting("sea", "#4f9bb5", wood("#b9a68e"), "noon"),
  forest: setting("foliage", "#3f5c2c", moss, "dappled"),
  woods: setting("foliage", "#3f5c2c", moss, "dappled"),
  woodland: setting("foliage", "#46602f", moss, "dappled"),
  jungle: setting("foliage", "#2f6a33", moss, "dappled"),
  tree: setting("foliage", "#4a6a2f", grass, "dappled"),
  garden: setting("foliage", "#5d8a3c", wood("#a98a66"), "dappled"),
  park: setting("foliage", "#5f8f3c", grass, "noon"),
  meadow: setting("foliage", "#7ea048", grass, "golden"),
  field: setting("hills", "#8fa058", grass, "golden"),
  nature: setting("foliage", "#56803a", moss, "dappled"),
  outdoor: setting("foliage", "#5d8a3c", stone("#8b8680"), "noon"),
  plant: setting("foliage", "#4d7a3c", wood("#b98a5a"), "window"),
  flower: setting("foliage", "#c77f9b", wood("#d9c6ad"), "soft"),
  floral: setting("foliage", "#c77f9b", fabric("#eee3dc"), "soft"),
  blossom: setting("foliage", "#e0a5b5", wood("#cdb79c"), "morning"),
  autumn: setting("foliage", "#b06a28", surfaces.leaf!, "golden"),
  fall: setting("foliage", "#b06a28", surfaces.leaf!, "golden"),
  spring: setting("foliage", "#8fb357", grass, "morning"),
  summer: setting("foliage", "#6fa03e", wood("#c9a878"), "noon"),
  winter: setting("snowfield", "#a9bccb", snow, "overcast"),
  christmas: setting("interior", "#5a2a22", wood("#6b4529"), "candle"),
  mountain: setting("hills", "#6f8296", stone("#7d7a75"), "morning"),
  hill: setting("hills", "#7c945c", grass, "golden"),
  valley: setting("hills", "#6f8a5c", grass, "morning"),
  desert: setting("dunes", "#c98f55", { kind: "sand", colour: "#cf9a5f" }, "golden"),
  dune: setting("dunes", "#d3a066", { kind: "sand", colour: "#d6a76c" }, "golden"),
  sahara: setting("dunes", "#c98f55", { kind: "sand", colour: "#cf9a5f" }, "golden"),
  canyon: setting("dunes", "#a8562f", stone("#a35f3d"), "golden"),
  sky: setting("sky", "#7fb0dc", plain("#e9eef2"), "noon"),
  cloud: setting("sky", "#8fb7dd", plain("#eef2f6"), "noon"),
  heaven: setting("sky", "#9fc3ea", plain("#f3f1f2"), "soft"),
  space: setting("stars", "#1a1c3c", stone("#5a5a60"), "night"),
  galaxy: setting("stars", "#2a1c4c", { kind: "gloss", colour: "#1b1830" }, "night"),
  star: setting("stars", "#1a1c3c", stone("#4a4a52"), "night"),
  moon: setting("stars", "#15171f", { kind: "sand", colour: "#8b8a88" }, "night"),
  city: setting("skyline", "#6d7c8d", { kind: "concrete", colour: "#8f8e8c" }, "overcast"),
  street: setting("skyline", "#7c7f85", asphalt, "overcast"),
  urban: setting("skyline", "#70767e", { kind: "concrete", colour: "#85837f" }, "overcast"),
  rooftop: setting("skyline", "#7d7c87", { kind: "concrete", colour: "#8d8b88" }, "sunset"),
  skyline: setting("skyline", "#6d7c8d", { kind: "concrete", colour: "#8f8e8c" }, "sunset"),
  downtown: setting("skyline", "#6d7c8d", asphalt, "night"),
  tokyo: setting("skyline", "#3b3350", asphalt, "neon"),
  cyberpunk: setting("skyline", "#2a1c44", asphalt, "neon"),
  club: setting("skyline", "#33204a", { kind: "gloss", colour: "#17131f" }, "neon"),
  party: setting("skyline", "#5a2a55", { kind: "gloss", colour: "#2a1a2a" }, "neon"),
  road: setting("hills", "#7c8a78", asphalt, "golden"),
  balcony: setting("skyline", "#8b8d95", wood("#a98a66"), "golden"),
  terrace: setting("foliage", "#6f8a4c", stone("#c0b4a0"), "golden"),
  patio: setting("foliage", "#6f8a4c", stone("#b8a994"), "golden"),
};

export const lights: Readonly<Record<string, LightKind>> = {
  morning: "morning",
  sunrise: "morning",
  dawn: "morning",
  sunset: "sunset",
  dusk: "sunset",
  twilight: "sunset",
  evening: "sunset",
  golden: "golden",
  sunny: "noon",
  sunlight: "window",
  sunlit: "window",
  sunshine: "noon",
  noon: "noon",
  midday: "noon",
  daylight: "noon",
  day: "noon",
  night: "night",
  midnight: "night",
  moonlight: "night",
  neon: "neon",
  soft: "soft",
  diffuse: "soft",
  diffused: "soft",
  dramatic: "dramatic",
  moody: "dramatic",
  spotlight: "dramatic",
  contrast: "dramatic",
  window: "window",
  overcast: "overcast",
  cloudy: "overcast",
  foggy: "overcast",
  fog: "overcast",
  misty: "overcast",
  mist: "overcast",
  rainy: "overcast",
  rain: "overcast",
  candle: "candle",
  candlelight: "candle",
  cozy: "candle",
  dappled: "dappled",
  shade: "dappled",
  backlit: "golden",
};

export const moods: Readonly<Record<string, Mood>> = {
  warm: "warm",
  cold: "cold",
  cool: "cold",
  pastel: "pastel",
  minimal: "minimal",
  minimalist: "minimal",
  minimalistic: "minimal",
  clean: "minimal",
  simple: "minimal",
  scandinavian: "minimal",
  nordic: "minimal",
  luxury: "luxury",
  luxurious: "luxury",
  elegant: "luxury",
  premium: "luxury",
  dark: "dark",
  black: "dark",
  moody: "dark",
  light: "bright",
  bright: "bright",
  airy: "bright",
  fresh: "bright",
  vivid: "vivid",
  vibrant: "vivid",
  colorful: "vivid",
  colourful: "vivid",
  pop: "vivid",
  vintage: "vintage",
  retro: "vintage",
  rustic: "vintage",
  old: "vintage",
  cozy: "cosy",
  cosy: "cosy",
  romantic: "cosy",
  hygge: "cosy",
};

export const colours: Readonly<Record<string, string>> = {
  white: "#f2f1ef",
  black: "#1c1b1d",
  grey: "#8d8d8f",
  gray: "#8d8d8f",
  silver: "#b9bcc0",
  gold: "#c39a45",
  red: "#b8322c",
  crimson: "#9c1f2f",
  burgundy: "#5e1a2a",
  wine: "#5e1a2a",
  pink: "#eaa6b8",
  rose: "#dca0a4",
  magenta: "#c43a8c",
  coral: "#ee8267",
  peach: "#f4c1a0",
  salmon: "#ee9f8c",
  orange: "#e2802f",
  amber: "#d8932f",
  yellow: "#efc94a",
  mustard: "#c89b32",
  cream: "#f1e6d2",
  beige: "#dccbb2",
  ivory: "#f1ebdd",
  tan: "#c6a47c",
  brown: "#74502f",
  chocolate: "#4a2f20",
  caramel: "#b3793f",
  olive: "#76773b",
  green: "#5b8f4c",
  emerald: "#1f7a5a",
  mint: "#b5dfc9",
  sage: "#a6b59a",
  lime: "#a7c944",
  teal: "#2a7d80",
  turquoise: "#48b5b0",
  cyan: "#4fb8cc",
  aqua: "#7fcdd0",
  blue: "#4577b5",
  navy: "#1f2f52",
  azure: "#6fa8de",
  indigo: "#3a3a7a",
  violet: "#7b56a8",
  purple: "#6f4590",
  lavender: "#c3b3de",
  lilac: "#c9aed6",
  mauve: "#b693a8",
  charcoal: "#36383b",
  nude: "#dfc0aa",
};

/** Words that say nothing about the picture; not reported as unknown. */
export const fillers: ReadonlySet<string> = new Set(
  "a an the on in at of with and or by from to for over under near against next into its it is very some scene photo picture image product table tabletop top surface floor ground light lighting lit hour time view style look feel feeling mood tone shot colour color coloured colored hint touch lot bit beautiful nice pretty modern natural realistic professional high quality".split(
    " ",
  ),
);
