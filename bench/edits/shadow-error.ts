/**
 * Compares shadows with the true ones of rendered products: `node bench/edits/shadow-error.ts FOLDER [OUT.json]`, where FOLDER was
 * made by `training/stance/trace_shadows.py` or by `render.py --shadows`. The truth is the light that each product takes from its
 * ground, traced by paths or projected from lamp and sky. It is compared where the product does not cover it, and as far as one of
 * the shadows reaches. The light is known; the camera and the stance are not.
 *
 * - ours: `castShadow` with the estimated pose; `ours, fixed pitch` with a camera that always looks down by 16°
 * - billboard: the outline, sheared onto the ground and blurred, as many editors do, with an ellipse below
 * - ellipse: a blurred ellipse below the product
 * - none
 *
 * Then where the far part of each shadow points, and how far it reaches; FAMILIES=1 prints it by family. Then the same for a light that
 * is not known: the true shadow is taken for that of the product's photo, and the light is aimed where its side is told.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { blurPlane } from "../../services/inference/imaging/pixels/blur.ts";
import { castShadow } from "../../services/inference/imaging/shadow/cast-shadow.ts";
import { sampleShadowRow } from "../../services/inference/imaging/shadow/compose-over-shadow.ts";
import type { Light } from "../../services/inference/imaging/shadow/light.ts";
import { photoLightOf } from "../../services/inference/imaging/shadow/light-side.ts";
import { estimatePose, type ProductPose } from "../../services/inference/imaging/shadow/pose.ts";
import { aimLight } from "../../services/inference/imaging/shadow/shadow-bearing.ts";
import { makeShadow } from "../../services/inference/imaging/shadow/shadow-kinds.ts";
import { median } from "../measuring/statistics.ts";
import { angleBetween, type GroundView, measureShadow } from "./shadow-shape.ts";

interface Rendered {
  readonly file: string;
  readonly family: string;
  readonly shadow: string;
  readonly pitch: number;
  readonly light: Light;
}

const [, , folder = ".", out] = process.argv;
const shownMin = 0.02;
const productMax = 8;
const fixedPitch = 0.28;

async function readPlane(file: string) {
  const image = sharp(path.join(folder, file)).extractChannel(0).raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

type Size = { readonly width: number; readonly height: number };

function enlarged(pose: ProductPose, light: Light, size: Size, kind: "cast" | "contact"): Float32Array {
  const layer = kind === "cast" ? castShadow(pose, light, size) : makeShadow(kind, pose, light, size);
  const plane = new Float32Array(size.width * size.height);
  const line = new Float32Array(layer.width);
  for (let y = 0; y < size.height; y++) {
    sampleShadowRow(layer, y, line);
    for (let x = 0; x < size.width; x++) plane[y * size.width + x] = line[Math.round(x / layer.stepPx)]!;
  }
  return plane;
}

/** Perceived darkness of a share of light that is taken. */
const perceived = (taken: number): number => 1 - Math.max(0, 1 - taken) ** (1 / 2.2);

function boundsOf(alpha: Uint8Array, { width, height }: Size) {
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  for (let at = 0; at < alpha.length; at++) {
    if (alpha[at]! < 128) continue;
    const x = at % width;
    const y = Math.floor(at / width);
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  return { left, right, top, bottom };
}

function ellipse(alpha: Uint8Array, size: Size): Float32Array {
  const { left, right, bottom } = boundsOf(alpha, size);
  const plane = new Float32Array(alpha.length);
  const rx = (right - left) * 0.5;
  const ry = (right - left) * 0.12;
  for (let at = 0; at < plane.length; at++) {
    const x = at % size.width;
    const y = Math.floor(at / size.width);
    if (((x - (left + right) / 2) / rx) ** 2 + ((y - bottom + ry * 0.5) / ry) ** 2 < 1) plane[at] = 0.45;
  }
  blurPlane(plane, size.width, size.height, (right - left) * 0.06);
  return plane;
}

function billboard(alpha: Uint8Array, size: Size, light: Light): Float32Array {
  const { bottom } = boundsOf(alpha, size);
  const plane = new Float32Array(alpha.length);
  const reach = 1 / Math.tan((light.elevationDeg * Math.PI) / 180);
  const angle = (light.directionDeg * Math.PI) / 180;
  const shear = -Math.sin(angle) * reach;
  const fall = Math.cos(angle) * reach * fixedPitch;
  for (let y = 0; y < bottom; y++) {
    for (let x = 0; x < size.width; x++) {
      if (alpha[y * size.width + x]! < 128) continue;
      const row = Math.round(bottom + (bottom - y) * fall);
      const column = Math.round(x + (bottom - y) * shear);
      if (row < 0 || row >= size.height || column < 0 || column >= size.width) continue;
      plane[row * size.width + column] = 0.4;
    }
  }
  blurPlane(plane, size.width, size.height, 2 + 6 * light.softness);
  const below = ellipse(alpha, size);
  return plane.map((value, i) => 1 - (1 - value) * (1 - 0.6 * below[i]!));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The lowest rows of the outline, where it stands. */
const footShare = 0.04;

function viewOf(alpha: Uint8Array, size: Size, pitch: number): GroundView {
  const { left, right, top, bottom } = boundsOf(alpha, size);
  const from = Math.floor(bottom - footShare * (bottom - top)) - 1;
  const columns = [...alpha.subarray(from * size.width, bottom * size.width).entries()]
    .filter(([, value]) => value >= 128)
    .map(([at]) => (at % size.width) + 0.5);
  return {
    ...size,
    footX: mean(columns),
    footY: bottom,
    size: Math.max(right - left, bottom - top),
    foreshortening: Math.max(0.12, Math.sin(pitch)),
  };
}

const ways = ["ours", "ours, fixed pitch", "contact", "billboard", "ellipse", "none"] as const;
const errors = new Map<string, Record<(typeof ways)[number], number[]>>();
const shapedWays = ["ours", "billboard"] as const;
type ShapeError = { readonly family: string; readonly angle: number; readonly length: number };
const shapeErrors: Record<(typeof shapedWays)[number], ShapeError[]> = { ours: [], billboard: [] };
const pitchErrors: number[] = [];
/** One entry for each view whose shadow tells the side of its light, which is not given; the lamp has the middle of the usual heights and sizes. */
const told: { readonly isSideRight: boolean; readonly angle: number }[] = [];
const usualLamp = { elevationDeg: 54, softness: 0.55 } as const;

/** The light as the product's photo shows it, if it had this shadow; undefined: it does not tell its side. */
function lightInPhoto(
  pose: ProductPose,
  dark: Float32Array,
  matte: Size & { readonly data: Uint8Array },
  light: Light,
) {
  const { width, data } = matte;
  const cut = { ...matte, alpha: data, rgb: new Uint8Array(3 * data.length) };
  const inPhoto = photoLightOf(cut, pose, { alpha: Uint8Array.from(dark, (value) => 255 * value), width });
  if (inPhoto?.shadowBearing === undefined) return undefined;
  const { side, shadowBearing } = inPhoto;
  return { side, light: aimLight(pose, { ...light, ...usualLamp }, shadowBearing) };
}

const rendered = JSON.parse(readFileSync(path.join(folder, "poses.json"), "utf8")) as readonly Rendered[];
for (const { file, family, shadow, light, pitch } of rendered) {
  const matte = await readPlane(file);
  const truth = (await readPlane(shadow)).data;
  const pose = estimatePose(matte.data, matte.width, matte.height, { pose: "standing" });
  if (pose === null) continue;
  pitchErrors.push(Math.abs(pose.pitch - Math.sin(pitch)));
  const fixed = estimatePose(matte.data, matte.width, matte.height, { pose: "standing", camera: "level" })!;
  const made = {
    ours: enlarged(pose, light, matte, "cast"),
    "ours, fixed pitch": enlarged({ ...fixed, pitch: fixedPitch }, light, matte, "cast"),
    contact: enlarged(pose, light, matte, "contact"),
    billboard: billboard(matte.data, matte, light),
    ellipse: ellipse(matte.data, matte),
    none: new Float32Array(truth.length),
  };
  const rows = errors.get(family) ?? {
    ours: [],
    "ours, fixed pitch": [],
    contact: [],
    billboard: [],
    ellipse: [],
    none: [],
  };
  errors.set(family, rows);
  const dark = Float32Array.from(truth, (value) => perceived(value / 255));
  const counts = dark.map((value, i) =>
    matte.data[i]! <= productMax && (value > shownMin || ways.some((way) => made[way][i]! > shownMin)) ? 1 : 0,
  );
  const area = counts.reduce((sum, one) => sum + one, 0);
  if (area === 0) continue;
  const view = viewOf(matte.data, matte, pitch);
  const trueShape = measureShadow(dark, counts, view);
  if (trueShape !== null) {
    for (const way of shapedWays) {
      const shape = measureShadow(made[way], counts, view);
      const angle = shape === null ? 180 : angleBetween(shape.directionDeg, trueShape.directionDeg);
      shapeErrors[way].push({ family, angle, length: shape === null ? -1 : shape.length / trueShape.length - 1 });
    }
  }
  const found = lightInPhoto(pose, dark, matte, light);
  if (trueShape !== null && found !== undefined) {
    const shape = measureShadow(enlarged(pose, found.light, matte, "cast"), counts, view);
    told.push({
      isSideRight: found.side === (light.directionDeg < 180 ? "right" : "left"),
      angle: shape === null ? 180 : angleBetween(shape.directionDeg, trueShape.directionDeg),
    });
  }
  for (const way of ways) {
    const squared = dark.reduce((sum, value, i) => (counts[i] === 0 ? sum : sum + (value - made[way][i]!) ** 2), 0);
    rows[way].push(Math.sqrt(squared / area));
  }
}

process.stdout.write(`| family | ${ways.join(" | ")} |\n|---|${ways.map(() => "---|").join("")}\n`);
const all = Object.fromEntries(ways.map((way) => [way, [...errors.values()].flatMap((rows) => rows[way])]));
const table = Object.fromEntries(
  [...errors.entries(), ["all", all] as const].map(([family, rows]) => [
    family,
    Object.fromEntries(ways.map((way) => [way, Number(mean(rows[way]!).toFixed(3))])),
  ]),
);
for (const [family, row] of Object.entries(table)) {
  process.stdout.write(`| ${family} | ${ways.map((way) => row[way]!.toFixed(3)).join(" | ")} |\n`);
}
const pitch = { mean: Number(mean(pitchErrors).toFixed(3)), median: Number(median(pitchErrors).toFixed(3)) };
process.stdout.write(
  `${rendered.length} images; sine of the pitch, error: mean ${pitch.mean}, median ${pitch.median}\n`,
);
const percent = <Row>(rows: readonly Row[], isRight: (row: Row) => boolean) =>
  Math.round((1000 * rows.filter(isRight).length) / rows.length) / 10;
const shapes = Object.fromEntries(
  shapedWays.map((way) => {
    const rows = shapeErrors[way];
    return [
      way,
      {
        views: rows.length,
        "direction within 12°, %": percent(rows, ({ angle }) => angle <= 12),
        "its median": Number(median(rows.map(({ angle }) => angle)).toFixed(1)),
        "length within 15 %, %": percent(rows, ({ length }) => Math.abs(length) <= 0.15),
        "its median, %": Number((100 * median(rows.map(({ length }) => Math.abs(length)))).toFixed(1)),
        "median of its signed error, %": Number((100 * median(rows.map(({ length }) => length))).toFixed(1)),
      },
    ];
  }),
);
console.table(shapes);
const known = {
  views: shapeErrors.ours.length,
  "side told": told.length,
  "right of these": told.filter(({ isSideRight }) => isSideRight).length,
  "direction within 12°, %": percent(told, ({ angle }) => angle <= 12),
  "its median": Number(median(told.map(({ angle }) => angle)).toFixed(1)),
};
console.table({ "from the photo's shadow": known });
if (process.env.FAMILIES === "1") {
  const byFamily = Map.groupBy(shapeErrors.ours, ({ family }) => family);
  console.table(
    [...byFamily].map(([family, rows]) => ({
      family,
      views: rows.length,
      "direction within 12°, %": percent(rows, ({ angle }) => angle <= 12),
      "median angle": Number(median(rows.map(({ angle }) => angle)).toFixed(1)),
      "length, %": Number((100 * median(rows.map(({ length }) => length))).toFixed(1)),
    })),
  );
}
if (out !== undefined)
  writeFileSync(out, `${JSON.stringify({ images: rendered.length, rmse: table, pitch, shapes, known }, null, 2)}\n`);
