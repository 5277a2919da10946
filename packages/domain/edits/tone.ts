/** What becomes of the color, the strength and the falloff of a photo's light. */

export const toneModes = ["none", "neutral", "match"] as const;
export type ToneMode = (typeof toneModes)[number];

/** Factors of linear light: what a job made of its photo's colors. */
export interface ToneGains {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

export const tone = {
  type: "string",
  enum: toneModes,
  examples: ["neutral"],
  description:
    "What becomes of the photo's light on the product. `neutral`: the color of a plain backdrop, which must be white or gray paper, says the light's color, from 2,500 to 10,000 K, and it is taken out; a falloff of the light across the photo is evened, by at most 25 %; and where nothing of the product is brighter than the backdrop, that is white paper, and all is brightened until it is, by at most 2 stops. Highlights roll off, and none is clipped. `match`: the backdrop, of any color, becomes that of `toneImage`, for photos of a set; by at most 2 stops, and each color by at most a factor of 4 beside the others. Without a plain backdrop nothing happens. `tone` in the report says what was done, or why nothing was. Ignored with `alphaOnly`. Default none: the product's opaque pixels stay the photo's own.",
} as const;
