/**
 * What marketplaces say of a main image, and where they say it. `docs/presets.md` has the same values for people; a spec
 * keeps the two equal.
 */
import type { OutputPreset } from "@packshot/domain/edits/tools.ts";

export interface PresetRule {
  /** Width over height. */
  readonly aspect: number;
  /** As people write it, where it is checked; a square of ours is one without a check. */
  readonly aspectName?: string;
  /** Which side of the frame `sideMin`, `sideGoal` and `sideMax` mean. */
  readonly measuredSide: "longest" | "shortest";
  /** Fewer pixels are refused or cannot be zoomed. */
  readonly sideMin: number;
  /** A product that is slightly too small for it fills less of the frame, down to `fillMin`. */
  readonly sideGoal: number;
  readonly sideMax: number;
  /** Share of the frame's tighter side that the product takes. */
  readonly fill: number;
  readonly fillMin: number;
  readonly fillMax?: number;
  /** Whether the marketplace requires `fillMin` and `fillMax`; otherwise they are ours, and not checked. */
  readonly isFillRequired: boolean;
  readonly megabytesMax?: number;
  /** null: it is nobody's rule but ours. */
  readonly source: { readonly url: string; readonly readAt: string } | null;
}

const square = { aspect: 1, measuredSide: "shortest" } as const;
const readAt = "2026-11-22";

export const presetRules: Readonly<Record<OutputPreset, PresetRule>> = {
  "amazon-main": {
    aspect: 1,
    measuredSide: "longest",
    sideMin: 1600,
    sideGoal: 1600,
    sideMax: 3000,
    fill: 0.9,
    fillMin: 0.85,
    isFillRequired: true,
    source: { url: "https://sellercentral.amazon.com/help/hub/reference/G1881", readAt },
  },
  "google-shopping": {
    ...square,
    // 500 px from 31 January 2027 on; 1,500 px are recommended.
    sideMin: 500,
    sideGoal: 1500,
    sideMax: 2400,
    fill: 0.85,
    fillMin: 0.75,
    fillMax: 0.9,
    isFillRequired: true,
    megabytesMax: 16,
    source: { url: "https://support.google.com/merchants/answer/6324350", readAt },
  },
  ebay: {
    aspect: 1,
    measuredSide: "longest",
    sideMin: 500,
    sideGoal: 1600,
    sideMax: 1600,
    fill: 0.9,
    fillMin: 0.8,
    isFillRequired: false,
    megabytesMax: 12,
    source: { url: "https://www.ebay.com/help/policies/listing-policies/picture-policy?id=4370", readAt },
  },
  etsy: {
    aspect: 4 / 3,
    aspectName: "4:3",
    measuredSide: "shortest",
    sideMin: 2000,
    sideGoal: 2000,
    sideMax: 2250,
    fill: 0.8,
    fillMin: 0.7,
    isFillRequired: false,
    megabytesMax: 10,
    source: { url: "https://help.etsy.com/hc/en-us/articles/115015663347", readAt },
  },
  zalando: {
    aspect: 1801 / 2600,
    aspectName: "1:1.44",
    measuredSide: "shortest",
    sideMin: 762,
    sideGoal: 1801,
    sideMax: 1801,
    fill: 0.9,
    fillMin: 0.8,
    isFillRequired: false,
    megabytesMax: 20,
    source: { url: "https://partner.zalando.com/university/article/zalando-image-guidelines", readAt },
  },
  "shopify-square": {
    ...square,
    aspectName: "1:1",
    // From 800 px on, pages can zoom; 2,048 px are recommended for squares.
    sideMin: 800,
    sideGoal: 2048,
    sideMax: 2048,
    fill: 0.88,
    fillMin: 0.8,
    isFillRequired: false,
    megabytesMax: 20,
    source: { url: "https://help.shopify.com/en/manual/products/product-media/product-media-types", readAt },
  },
  "square-white": {
    ...square,
    sideMin: 1600,
    sideGoal: 1600,
    sideMax: 2400,
    fill: 0.88,
    fillMin: 0.85,
    isFillRequired: true,
    source: null,
  },
};
