/**
 * Draws random products, makes a random marketplace's file of each, and counts how many pass the checks of their own preset:
 * `node bench/edits/preset-checks.ts [500] [SEED]`. Every third asks for at most so many bytes, too. A failing file is printed with what it failed, and ends the run with 1.
 */

import type { Check } from "@packshot/domain/edits/edit-report.ts";
import { type OutputPreset, outputPresets } from "@packshot/domain/edits/tools.ts";
import { encodeEdited } from "../../services/inference/edits/result/encode-edited.ts";
import { reportMatte } from "../../services/inference/imaging/matting/report/matte-report.ts";
import { cutOutImage } from "../../services/inference/imaging/output/cut-out-image.ts";
import type { CutOut } from "../../services/inference/imaging/pixels/cut-out.ts";
import type { ModelClient } from "../../services/inference/model-client/model-client.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createSeededRandom } from "../sim/seeded-random.ts";

const [count = "500", seed = "1"] = process.argv.slice(2);
const { uniform: random } = createSeededRandom(Number(seed));
const between = (low: number, high: number) => low + random() * (high - low);

/** A superellipse, from a diamond to nearly a box, with a soft edge and stripes in one of the colors from black to nearly white. */
function drawProduct(): CutOut {
  const width = Math.round(between(160, 2600));
  const height = Math.round(between(160, 2600));
  const radiusX = between(0.06, 0.5) * width;
  const radiusY = between(0.06, 0.5) * height;
  const centerX = between(radiusX, width - radiusX);
  const centerY = between(radiusY, height - radiusY);
  const exponent = between(1, 8);
  const soft = between(0.5, 4);
  const colors = [0, 1, 2].map(() => between(0, 250));
  const stripes = between(3, 40);
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const reach =
        (Math.abs((x - centerX) / radiusX) ** exponent + Math.abs((y - centerY) / radiusY) ** exponent) **
        (1 / exponent);
      alpha[at] = 255 * Math.min(1, Math.max(0, ((1 - reach) * Math.min(radiusX, radiusY)) / soft));
      const shade = 0.75 + 0.25 * Math.sin((x + 2 * y) / stripes);
      for (let c = 0; c < 3; c++) rgb[at * 3 + c] = colors[c]! * shade;
    }
  }
  return { width, height, rgb, alpha };
}

const made = new Map<OutputPreset, { files: number; passed: number; limited: number }>();
let failures = 0;
for (let index = 0; index < Number(count); index++) {
  const preset = outputPresets[Math.floor(random() * outputPresets.length)]!;
  const cut = drawProduct();
  const isLimited = index % 3 === 0;
  const output = isLimited ? { maxBytes: Math.round(between(150_000, 600_000)) } : {};
  const { width, height, rgb } = cut;
  const { result, report } = await encodeEdited({
    input: editInput(new Uint8Array(), {} as ModelClient, { parameters: { preset, output } }),
    photo: { format: "png", width, height, rgb },
    flat: rgb,
    cut,
    matteReport: reportMatte(cut.alpha, cut, { uncertainty: 0, expectedOverlap: 1, filledGaps: 0 }),
    edited: cutOutImage(cut),
  });
  const failed = (report.checks as Check[]).filter(({ passed }) => !passed);
  const isTooLarge = output.maxBytes !== undefined && result.bytes.length > output.maxBytes;
  const row = made.get(preset) ?? { files: 0, passed: 0, limited: 0 };
  const hasPassed = failed.length === 0 && !isTooLarge;
  made.set(preset, {
    files: row.files + 1,
    passed: row.passed + (hasPassed ? 1 : 0),
    limited: row.limited + (isLimited ? 1 : 0),
  });
  if (hasPassed) continue;
  failures++;
  const what = JSON.stringify({
    preset,
    width,
    height,
    output,
    encoding: report.encoding,
    bytes: result.bytes.length,
    failed,
  });
  process.stdout.write(`${index}: ${what}\n`);
}
process.stdout.write("| preset | files | with maxBytes | passed |\n|---|---|---|---|\n");
for (const [preset, { files, limited, passed }] of [...made].sort()) {
  process.stdout.write(`| ${preset} | ${files} | ${limited} | ${passed} |\n`);
}
process.exitCode = failures === 0 ? 0 : 1;
