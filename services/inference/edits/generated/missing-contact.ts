/**
 * How much of the product's contact shadow an image model's picture lacks. The rendered scene has it, and a model keeps it, or paints
 * one of its own, or loses it: laid over a picture that has it, it would be twice as dark. A pixel that looks as in the rendered
 * scene has it. Elsewhere the picture's darkness toward the product is compared with the shadow's: what of it is there, on a ground
 * that is brighter to one side, is one share for the whole picture.
 */
import type { Size } from "../../imaging/pixels/geometry.ts";
import { smoothstep } from "../../imaging/scene/canvas/noise.ts";
import type { ShadowLayer } from "../../imaging/shadow/cast-shadow.ts";

export interface PaintedOver extends Size {
  /** RGB, as are the rendered scene's. */
  readonly picture: Uint8Array;
  readonly reference: Uint8Array;
  /** 0 where the picture was not painted. */
  readonly fill: Uint8Array;
}

/** Less is no shadow that could be seen. */
const darknessMin = 0.02;
/** A pixel within the first of the rendered scene's is the same, and one beyond the second another; steps of 255. */
const sameWithin = [4, 12] as const;
/** A fit to fewer points says nothing. */
const pointsMin = 12;
/** The ground around the shadow that is looked at, as shares of the shadow's height and width. */
const surroundings = { height: 0.5, width: 0.25 } as const;
/** What a full shadow leaves of the light, as usual. */
const leftInShadow = 0.1;

/** @param product the size of the cut-out over which the shadow lies */
export function missingContact(contact: ShadowLayer, painted: PaintedOver, product: Size): ShadowLayer {
  const { width, height, stepPx } = contact;
  const column = (x: number) => Math.min(painted.width - 1, Math.floor((x * stepPx * painted.width) / product.width));
  const row = (y: number) => Math.min(painted.height - 1, Math.floor((y * stepPx * painted.height) / product.height));
  const placeOf = (at: number) => row(Math.floor(at / width)) * painted.width + column(at % width);
  const painting = shareThatIsThere(contact, painted, placeOf);
  const darkness = contact.darkness.map((value, at) => {
    if (value === 0) return 0;
    return value * (1 - Math.max(painting, likeness(painted, placeOf(at))));
  });
  return { width, height, stepPx, darkness };
}

/** 1 where the picture is the rendered scene's, 0 where it is another. */
function likeness({ picture, reference }: PaintedOver, place: number): number {
  let far = 0;
  for (let at = place * 3; at < place * 3 + 3; at++) far = Math.max(far, Math.abs(picture[at]! - reference[at]!));
  return 1 - smoothstep(...sameWithin, far);
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The least squares of the picture's brightness, as a logarithm, by place and by what the shadow would leave of it. */
function shareThatIsThere(
  contact: ShadowLayer,
  { picture, fill }: PaintedOver,
  placeOf: (at: number) => number,
): number {
  const box = boxAround(contact);
  if (box === undefined) return 0;
  const sums = new Float64Array(20);
  let shadowed = 0;
  for (let y = box.top; y <= box.bottom; y++) {
    for (let x = box.left; x <= box.right; x++) {
      const at = y * contact.width + x;
      const place = placeOf(at);
      if (fill[place] === 0) continue;
      const dark = contact.darkness[at]!;
      if (dark > darknessMin) shadowed += 1;
      const known = [
        1,
        (x - box.left) / (box.right - box.left + 1),
        (y - box.top) / (box.bottom - box.top + 1),
        Math.log(1 - (1 - leftInShadow) * dark),
      ];
      const [red, green, blue] = picture.subarray(place * 3, place * 3 + 3) as unknown as [number, number, number];
      const brightness = Math.log(1 + 0.2126 * red + 0.7152 * green + 0.0722 * blue);
      for (let i = 0; i < 4; i++) {
        for (let j = 0; j < 4; j++) sums[i * 5 + j]! += known[i]! * known[j]!;
        sums[i * 5 + 4]! += known[i]! * brightness;
      }
    }
  }
  return shadowed < pointsMin ? 0 : Math.min(1, Math.max(0, lastOfSolution(sums)));
}

/** The shadow with ground around it. */
function boxAround({ width, height, darkness }: ShadowLayer): Box | undefined {
  const box = { left: width, top: height, right: -1, bottom: -1 };
  for (let at = 0; at < darkness.length; at++) {
    if (darkness[at]! <= darknessMin) continue;
    box.left = Math.min(box.left, at % width);
    box.right = Math.max(box.right, at % width);
    box.top = Math.min(box.top, Math.floor(at / width));
    box.bottom = Math.max(box.bottom, Math.floor(at / width));
  }
  if (box.right < 0) return undefined;
  const more = Math.ceil(surroundings.height * (box.bottom - box.top + 1));
  const wider = Math.ceil(surroundings.width * (box.right - box.left + 1));
  return {
    left: Math.max(0, box.left - wider),
    top: Math.max(0, box.top - more),
    right: Math.min(width - 1, box.right + wider),
    bottom: Math.min(height - 1, box.bottom + more),
  };
}

/** The fourth of four unknowns, by elimination; 0 where the rows do not tell it. */
function lastOfSolution(rows: Float64Array): number {
  for (let pivot = 0; pivot < 4; pivot++) {
    const by = rows[pivot * 5 + pivot]!;
    if (Math.abs(by) < 1e-9) return 0;
    for (let row = pivot + 1; row < 4; row++) {
      const share = rows[row * 5 + pivot]! / by;
      for (let at = pivot; at < 5; at++) rows[row * 5 + at]! -= share * rows[pivot * 5 + at]!;
    }
  }
  return rows[19]! / rows[18]!;
}
