import { mix32 } from "@packshot/domain/random.ts";
import { addressOf, inKernelMemory, kernelBytes, kernelFloats } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import type { ShadowLayer } from "../shadow/cast-shadow.ts";
import { pointsOfRow } from "./canvas/enlarge-rows.ts";
import type { Reflection } from "./reflection.ts";

export interface SceneLayers {
  /** Tone-mapped scene, interleaved RGB 0–255, sceneWidth × sceneHeight. It is enlarged to the cut-out's size. */
  readonly scene: Float32Array;
  readonly sceneWidth: number;
  readonly sceneHeight: number;
  readonly shadow: ShadowLayer | null;
  readonly reflection: Reflection | null;
  /** Remaining share of each channel in a full shadow, 0–1. */
  readonly shadowFloor: readonly [number, number, number];
  /** The color of a full shadow, 0–255, in place of what remains; null: none was asked for. */
  readonly shadowColor: readonly [number, number, number] | null;
  /** Standard deviation of the film grain, in steps of 255. */
  readonly grain: number;
  readonly seed: number;
}

/** Light wrap: the scene's share added to soft edges. Opaque pixels never change. */
export const lightWrap = 0.3;
export const grainTableSize = 1 << 16;

/** The share of the product in a pixel where its alpha, 0–1, is `share`. */
const wrapped = (share: number) => share * (1 - lightWrap * (1 - share));

/** Composes scene, reflection, shadow, film grain and product: RGB, the size of the cut-out. */
export function composeScene(cut: CutOut, layers: SceneLayers): Uint8Array {
  return inKernelMemory(() => composeRows(cut, layers));
}

function composeRows({ width, height, rgb, alpha }: CutOut, layers: SceneLayers): Uint8Array {
  const { sceneWidth, sceneHeight, shadow, reflection, shadowFloor, shadowColor } = layers;
  const taken = shadowColor === null ? shadowFloor.map((left) => 1 - left) : [1, 1, 1];
  const added = shadowColor ?? [0, 0, 0];
  const out = new Uint8Array(width * height * 3);
  const grain = addressOf(grainTable(layers.grain, layers.seed));
  const scenePoints = pointsOfRow(width, sceneWidth / width, -0.5, sceneWidth - 1, bytesPerPixel);
  const row = kernelFloats((sceneWidth + 1) * 3);
  const sceneRows = new RowsBetween(layers.scene, sceneWidth * 3, row, 3);
  const points = shadow && pointsOfRow(width, 1 / shadow.stepPx, 0, shadow.width - 1.001, 1);
  const shadowRow = kernelFloats(shadow?.width ?? 1);
  const shadowRows = shadow && new RowsBetween(shadow.darkness, shadow.width, shadowRow);
  const mirrored = kernelFloats(4 * (shadow?.width ?? 1)).fill(0);
  const rgbRow = kernelBytes(width * 3);
  const alphaRow = kernelBytes(width);
  const outRow = kernelBytes(width * 3);
  let mirroredRow = -1;
  let isMirrored = false;
  const [takenR = 0, takenG = 0, takenB = 0] = taken;
  const [addedR, addedG, addedB] = added;
  for (let y = 0; y < height; y++) {
    sceneRows.write(((y + 0.5) * sceneHeight) / height - 0.5);
    const isDark = shadow !== null && shadowRows?.write((y + 0.5) / shadow.stepPx) === true;
    if (shadow !== null && reflection !== null) {
      const gridRow = Math.min(shadow.height - 1, Math.floor((y + 0.5) / shadow.stepPx));
      if (gridRow !== mirroredRow) isMirrored = interleaveReflection(reflection, gridRow, shadow.width, mirrored);
      mirroredRow = gridRow;
    }
    const from = y * width;
    rgbRow.set(rgb.subarray(from * 3, (from + width) * 3));
    alphaRow.set(alpha.subarray(from, from + width));
    kernels.composeSceneRow(
      rgbRow.byteOffset,
      alphaRow.byteOffset,
      width,
      row.byteOffset,
      scenePoints.index,
      scenePoints.share,
      isDark || isMirrored ? shadowRow.byteOffset : 0,
      isMirrored ? mirrored.byteOffset : 0,
      points?.index ?? 0,
      points?.share ?? 0,
      takenR,
      takenG,
      takenB,
      addedR,
      addedG,
      addedB,
      grain,
      mix32(layers.seed ^ Math.imul(y, 0x9e3779b1)) & (grainTableSize - 1),
      lightWrap,
      outRow.byteOffset,
    );
    out.set(outRow, from * 3);
  }
  return out;
}

/** A pixel of the scene's rows is three floats. */
const bytesPerPixel = 12;

/**
 * Writes the part of a row that the reflection may be in.
 *
 * @returns whether that row has any
 */
function interleaveReflection({ alpha, color, box }: Reflection, y: number, width: number, row: Float32Array): boolean {
  if (y < box.top || y >= box.top + box.height) return false;
  const [red, green, blue] = color;
  const end = box.left + box.width;
  let most = 0;
  for (let x = box.left, at = y * width + x; x < end; x++, at++) {
    row[4 * x] = red[at]!;
    row[4 * x + 1] = green[at]!;
    row[4 * x + 2] = blue[at]!;
    row[4 * x + 3] = alpha[at]!;
    most = Math.max(most, alpha[at]!);
  }
  return most > 0;
}

/** The layers of a composed scene, of the cut-out's size, the lowest first: RGB, RGBA, RGBA. */
export interface ComposedLayers {
  readonly background: Uint8Array;
  /** All that the product does to the scene: its shadow and its reflection. */
  readonly shadow: Uint8Array;
  readonly product: Uint8Array;
}

export function composeSceneLayers(cut: CutOut, layers: SceneLayers): ComposedLayers {
  const empty = { ...cut, alpha: new Uint8Array(cut.alpha.length) };
  const background = composeScene(empty, { ...layers, shadow: null, reflection: null });
  return {
    background,
    shadow: differenceLayer(background, composeScene(empty, layers)),
    product: wrappedProduct(cut),
  };
}

/** The most transparent RGBA that makes `wanted` of `background`; both are RGB. */
function differenceLayer(background: Uint8Array, wanted: Uint8Array): Uint8Array {
  const layer = new Uint8Array((background.length / 3) * 4);
  for (let from = 0, to = 0; from < wanted.length; from += 3, to += 4) {
    let least = 0;
    for (let c = 0; c < 3; c++) {
      const below = background[from + c]!;
      const change = wanted[from + c]! - below;
      if (change !== 0) least = Math.max(least, change < 0 ? -change / below : change / (255 - below));
    }
    if (least === 0) continue;
    const alpha = Math.ceil(least * 255);
    const share = alpha / 255;
    for (let c = 0; c < 3; c++) {
      const value = (wanted[from + c]! - background[from + c]! * (1 - share)) / share;
      layer[to + c] = Math.min(255, Math.max(0, value)) + 0.5;
    }
    layer[to + 3] = alpha;
  }
  return layer;
}

function wrappedProduct({ rgb, alpha }: CutOut): Uint8Array {
  const layer = new Uint8Array(alpha.length * 4);
  for (let i = 0, from = 0, to = 0; i < alpha.length; i++, from += 3, to += 4) {
    const own = alpha[i]!;
    if (own === 0) continue;
    layer[to] = rgb[from]!;
    layer[to + 1] = rgb[from + 1]!;
    layer[to + 2] = rgb[from + 2]!;
    layer[to + 3] = 255 * wrapped(own / 255) + 0.5;
  }
  return layer;
}

interface KeptRow {
  y: number;
  isEmpty: boolean;
  readonly values: Float32Array;
}

/** Writes what lies between two of the rows of a plane, and behind it the last `tail` values once more. */
class RowsBetween {
  readonly #plane: Float32Array;
  readonly #length: number;
  readonly #last: number;
  readonly #tail: number;
  readonly #row: Float32Array;
  readonly #slots: readonly [KeptRow, KeptRow];

  constructor(plane: Float32Array, length: number, row: Float32Array, tail = 0) {
    const slot = () => ({ y: -1, isEmpty: true, values: kernelFloats(length + tail) });
    this.#plane = plane;
    this.#length = length;
    this.#last = Math.floor(plane.length / length) - 1;
    this.#tail = tail;
    this.#row = row;
    this.#slots = [slot(), slot()];
  }

  /** @returns whether any value of the two is above 0 */
  write(y: number): boolean {
    const within = Math.min(this.#last, Math.max(0, y));
    const upper = this.#keep(Math.floor(within));
    const lower = this.#keep(Math.min(this.#last, Math.floor(within) + 1));
    const share = within - Math.floor(within);
    const count = this.#length + this.#tail;
    kernels.mixRows(upper.values.byteOffset, lower.values.byteOffset, share, count, this.#row.byteOffset);
    return !upper.isEmpty || !lower.isEmpty;
  }

  #keep(y: number): KeptRow {
    const kept = this.#slots[y & 1]!;
    if (kept.y === y) return kept;
    const length = this.#length;
    const values = this.#plane.subarray(y * length, (y + 1) * length);
    kept.y = y;
    kept.isEmpty = !isAnyAboveZero(values);
    kept.values.set(values);
    kept.values.copyWithin(length, length - this.#tail, length);
    return kept;
  }
}

function isAnyAboveZero(values: Float32Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i]! > 0) return true;
  return false;
}

/** Approximately normal noise, drawn once and read from a new offset in each row. */
export function grainTable(deviation: number, seed: number): Float32Array {
  const table = new Float32Array(grainTableSize);
  for (let i = 0; i < table.length; i++) {
    const bits = mix32(seed + i);
    const sum = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
    table[i] = ((sum - 510) / 148) * deviation;
  }
  return table;
}
