import { opacityInScenes } from "@packshot/domain/edits/shadow.ts";
import type { Random } from "@packshot/domain/random.ts";
import type { Light } from "../../shadow/light.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, luminance, mix, scale } from "../canvas/color.ts";
import { type BackdropKind, type LightKind, outdoorBackdrops } from "../words/lexicon.ts";

/** The pattern of a stencil in front of the key light, projected on ground and wall. */
export type Gobo = "none" | "window" | "blinds" | "leaves" | "fronds" | "spot" | "caustics";

export interface Lighting {
  /** The lamp of the product's shadow; the scene is lit from the same side. */
  readonly lamp: Light;
  readonly key: LinearRgb;
  readonly ambient: LinearRgb;
  readonly gobo: Gobo;
  /** Gain of the whole scene before tone mapping. */
  readonly exposure: number;
  /** 0: even; 1: the corners fall to black. */
  readonly vignette: number;
  /** Colors of the sky at the horizon and at the zenith, for backdrops that show it. */
  readonly horizon: LinearRgb;
  readonly zenith: LinearRgb;
}

interface Preset {
  readonly key: string;
  readonly keyPower: number;
  readonly ambient: string;
  readonly ambientPower: number;
  readonly gobo: Gobo;
  readonly elevation: readonly [number, number];
  readonly side: readonly [number, number];
  readonly softness: readonly [number, number];
  readonly vignette: number;
  readonly horizon: string;
  readonly zenith: string;
}

const presets: Readonly<Record<LightKind, Preset>> = {
  studio: {
    key: "#fffaf2",
    keyPower: 0.62,
    ambient: "#f6f8ff",
    ambientPower: 0.5,
    gobo: "none",
    elevation: [48, 60],
    side: [35, 95],
    softness: [0.45, 0.75],
    vignette: 0.16,
    horizon: "#eef0f2",
    zenith: "#cfd8e2",
  },
  soft: {
    key: "#fff8ee",
    keyPower: 0.5,
    ambient: "#f4f6fb",
    ambientPower: 0.58,
    gobo: "none",
    elevation: [50, 62],
    side: [35, 95],
    softness: [0.6, 0.9],
    vignette: 0.18,
    horizon: "#eceef0",
    zenith: "#c5d2de",
  },
  window: {
    key: "#fff1d9",
    keyPower: 0.9,
    ambient: "#e6edf8",
    ambientPower: 0.36,
    gobo: "window",
    elevation: [34, 44],
    side: [55, 100],
    softness: [0.18, 0.32],
    vignette: 0.24,
    horizon: "#f4efe6",
    zenith: "#c6d6e6",
  },
  blinds: {
    key: "#fff1d9",
    keyPower: 0.9,
    ambient: "#e6edf8",
    ambientPower: 0.36,
    gobo: "blinds",
    elevation: [34, 44],
    side: [55, 100],
    softness: [0.18, 0.32],
    vignette: 0.24,
    horizon: "#f4efe6",
    zenith: "#c6d6e6",
  },
  caustics: {
    key: "#fff6e4",
    keyPower: 0.95,
    ambient: "#dfeaf6",
    ambientPower: 0.38,
    gobo: "caustics",
    elevation: [40, 52],
    side: [40, 85],
    softness: [0.16, 0.28],
    vignette: 0.18,
    horizon: "#f2f2ee",
    zenith: "#bcd6ea",
  },
  morning: {
    key: "#ffe6bd",
    keyPower: 1.0,
    ambient: "#e3ebf8",
    ambientPower: 0.36,
    gobo: "window",
    elevation: [27, 36],
    side: [50, 85],
    softness: [0.18, 0.34],
    vignette: 0.22,
    horizon: "#ffe7c4",
    zenith: "#9cc3e6",
  },
  golden: {
    key: "#ffd9a3",
    keyPower: 1.05,
    ambient: "#d9dcec",
    ambientPower: 0.32,
    gobo: "none",
    elevation: [22, 30],
    side: [35, 75],
    softness: [0.16, 0.3],
    vignette: 0.26,
    horizon: "#ffd699",
    zenith: "#88a9cf",
  },
  sunset: {
    key: "#ffcfa3",
    keyPower: 0.95,
    ambient: "#b9a9cf",
    ambientPower: 0.34,
    gobo: "none",
    elevation: [20, 27],
    side: [18, 50],
    softness: [0.2, 0.36],
    vignette: 0.3,
    horizon: "#ffb066",
    zenith: "#5a6ba6",
  },
  noon: {
    key: "#fff6e6",
    keyPower: 1.0,
    ambient: "#cfe2fa",
    ambientPower: 0.38,
    gobo: "none",
    elevation: [48, 60],
    side: [40, 100],
    softness: [0.1, 0.2],
    vignette: 0.14,
    horizon: "#dcecf7",
    zenith: "#5b9bd8",
  },
  "blue-hour": {
    key: "#c3d0ff",
    keyPower: 0.5,
    ambient: "#7f9ae6",
    ambientPower: 0.36,
    gobo: "none",
    elevation: [42, 54],
    side: [40, 90],
    softness: [0.5, 0.8],
    vignette: 0.3,
    horizon: "#93a2dc",
    zenith: "#1d2f70",
  },
  hard: {
    key: "#fff4e0",
    keyPower: 1.15,
    ambient: "#d6e4f6",
    ambientPower: 0.3,
    gobo: "none",
    elevation: [34, 46],
    side: [25, 65],
    softness: [0, 0.03],
    vignette: 0.16,
    horizon: "#dcecf7",
    zenith: "#5b9bd8",
  },
  overcast: {
    key: "#f1f4f8",
    keyPower: 0.3,
    ambient: "#e6ecf3",
    ambientPower: 0.66,
    gobo: "none",
    elevation: [58, 66],
    side: [30, 90],
    softness: [0.8, 1],
    vignette: 0.2,
    horizon: "#dfe5ea",
    zenith: "#aab8c6",
  },
  dramatic: {
    key: "#ffe9cf",
    keyPower: 1.5,
    ambient: "#c9d2e6",
    ambientPower: 0.12,
    gobo: "spot",
    elevation: [38, 48],
    side: [55, 95],
    softness: [0.2, 0.4],
    vignette: 0.5,
    horizon: "#6a6f7a",
    zenith: "#23262e",
  },
  night: {
    key: "#cfdcff",
    keyPower: 0.5,
    ambient: "#6f86c4",
    ambientPower: 0.14,
    gobo: "spot",
    elevation: [42, 54],
    side: [40, 90],
    softness: [0.3, 0.5],
    vignette: 0.45,
    horizon: "#2c3a63",
    zenith: "#070b1c",
  },
  neon: {
    key: "#ff7fe0",
    keyPower: 0.5,
    ambient: "#4a64ff",
    ambientPower: 0.22,
    gobo: "spot",
    elevation: [40, 52],
    side: [50, 90],
    softness: [0.4, 0.6],
    vignette: 0.4,
    horizon: "#3a1f63",
    zenith: "#0a0720",
  },
  dappled: {
    key: "#fff0c9",
    keyPower: 1.0,
    ambient: "#cfe3c9",
    ambientPower: 0.34,
    gobo: "leaves",
    elevation: [46, 58],
    side: [35, 90],
    softness: [0.22, 0.4],
    vignette: 0.28,
    horizon: "#eef3d8",
    zenith: "#b9d6e6",
  },
  candle: {
    key: "#ffb870",
    keyPower: 0.75,
    ambient: "#c88a5e",
    ambientPower: 0.2,
    gobo: "spot",
    elevation: [38, 48],
    side: [50, 90],
    softness: [0.35, 0.55],
    vignette: 0.42,
    horizon: "#8a5a34",
    zenith: "#2a1a12",
  },
  lamps: {
    key: "#ffe3bf",
    keyPower: 0.72,
    ambient: "#ecd6bd",
    ambientPower: 0.4,
    gobo: "none",
    elevation: [42, 54],
    side: [45, 90],
    softness: [0.4, 0.65],
    vignette: 0.28,
    horizon: "#a98c6c",
    zenith: "#3a2c22",
  },
};

const lampLit: ReadonlySet<LightKind> = new Set<LightKind>([
  "blue-hour",
  "night",
  "neon",
  "candle",
  "lamps",
  "dramatic",
]);

/** Lights in which lamps are brighter than daylight. */
export function isLampLit(kind: LightKind): boolean {
  return lampLit.has(kind);
}

/** The low sun in a room: it comes through a window, and walls throw back a light that is nearly neutral. */
const indoors: Partial<Readonly<Record<LightKind, Partial<Preset>>>> = {
  golden: { key: "#ffe4c2", keyPower: 0.95, ambient: "#e4e5ea", ambientPower: 0.42, gobo: "window" },
  // Walls throw back what the sky would color.
  hard: { ambient: "#eceae6" },
  // No wood colors the light.
  dappled: { key: "#fff3dc", ambient: "#e6e7e6", ambientPower: 0.4 },
  // Lamps are lit in the room, and the windows are blue.
  "blue-hour": { key: "#dcdcf2", ambient: "#a3b3e2", ambientPower: 0.4 },
  sunset: { key: "#ffcd9e", keyPower: 1, ambient: "#d2d4df", ambientPower: 0.4, gobo: "window", side: [45, 80] },
};

/** Before a bare wall nothing but the light tells the hour. */
const goldenStudio: Partial<Preset> = { ...indoors.golden, key: "#ffc268", keyPower: 1.1, ambient: "#f0d3a6" };

/** Far from lamps the night is blue, sand and grass too. */
const moonlight: Partial<Preset> = { key: "#a9bdf0", keyPower: 0.66, ambient: "#5a78c8", ambientPower: 0.2 };

/** Lights of a mood or an evening, by which powder pink would be orange. */
const moodLights: ReadonlySet<LightKind> = new Set<LightKind>(["candle", "lamps", "sunset", "blue-hour", "dramatic"]);
/** What is left of such a light's color on a colored wall, and a warm one's on a wall without a hue. */
const colorLeft = 0.12;
const colorLeftOnGray = 0.4;
/** A wall with this saturation has a hue. */
const coloredMin = 0.2;
/** The least luminance of what comes from all sides to a pale wall. */
const ambientMin = 0.4;
/** The luminance of a wall that is pale. */
const paleMin = 0.35;

/** The light by which a bare wall has the color that is asked for: hardly colored, and on a pale wall not dim. */
export function showingColor(
  { backdropColor: wall }: { readonly backdropColor: LinearRgb },
  lighting: Lighting,
  kind: LightKind,
): Lighting {
  if (!moodLights.has(kind)) return lighting;
  const { key, ambient, vignette } = lighting;
  // A spot's light falls off, as it is asked to.
  const paleness = kind === "dramatic" ? 0 : Math.min(1, luminance(wall) / paleMin);
  const saturation = 1 - Math.min(...wall) / Math.max(0.001, ...wall);
  const onGray = kind === "dramatic" ? 1 : colorLeftOnGray;
  const left = onGray + (colorLeft - onGray) * Math.min(1, saturation / coloredMin);
  const neutral = (light: LinearRgb, least: number): LinearRgb => {
    const most = luminance(light);
    return scale(mix([most, most, most], light, left), Math.max(1, least / most));
  };
  return {
    ...lighting,
    key: neutral(key, 0),
    ambient: neutral(ambient, ambientMin * paleness),
    vignette: vignette + (Math.min(vignette, 0.28) - vignette) * paleness,
  };
}

/** Rooms show their window in the wall behind: its light comes from behind the product, so that the shadow falls forward. */
const windowSideMax = 68;

export function createLighting(kind: LightKind, backdrop: BackdropKind, random: Random): Lighting {
  const isMoonlit =
    kind === "night" && outdoorBackdrops.has(backdrop) && backdrop !== "skyline" && backdrop !== "stars";
  const isGoldenStudio = kind === "golden" && (backdrop === "sweep" || backdrop === "wall");
  const inRoom = isGoldenStudio ? goldenStudio : indoors[kind];
  const own = outdoorBackdrops.has(backdrop) ? (isMoonlit ? moonlight : {}) : inRoom;
  const preset = { ...presets[kind], ...own };
  const [least, most] = preset.side;
  const hasPanes = preset.gobo === "window" || preset.gobo === "blinds";
  const isThroughWindow = backdrop === "interior" && hasPanes;
  const side = random.between(least, isThroughWindow ? windowSideMax : most);
  // Outdoors no window casts its pattern.
  const isOutdoors = outdoorBackdrops.has(backdrop);
  const gobo = hasPanes && isOutdoors ? "none" : preset.gobo === "leaves" && !isOutdoors ? "fronds" : preset.gobo;
  const key = scale(fromHex(preset.key), preset.keyPower);
  const ambient = scale(fromHex(preset.ambient), preset.ambientPower);
  return {
    lamp: {
      directionDeg: random.chance(0.5) ? side : 360 - side,
      elevationDeg: random.between(...preset.elevation),
      softness: random.between(...preset.softness),
      opacity: opacityInScenes,
      keyShare: keyShareOf(kind, { key, ambient }),
    },
    key,
    ambient,
    gobo,
    exposure: hasPanes ? 1.16 : kind === "candle" ? 1.2 : kind === "studio" || kind === "soft" ? 1.14 : 1,
    vignette: preset.vignette,
    horizon: fromHex(preset.horizon),
    zenith: fromHex(preset.zenith),
  };
}

/** Whoever asks for hard light wants a dark shadow, though the sky brightens the rest of the picture. */
const hardKeyShare = 0.95;

/** The lamp's share of the light by which the scene is painted: the product's shadow is as dark as what else is in the shade. */
function keyShareOf(kind: LightKind, { key, ambient }: Pick<Lighting, "key" | "ambient">): number {
  return kind === "hard" ? hardKeyShare : luminance(key) / (luminance(key) + luminance(ambient));
}

/** The light whose lamp has the share of it that its colors tell, where they were changed. */
export function withKeyShare(lighting: Lighting, kind: LightKind): Lighting {
  return { ...lighting, lamp: { ...lighting.lamp, keyShare: keyShareOf(kind, lighting) } };
}
