/**
 * How often lettering in a scene is known, and how often a scene without any is taken for one: a hundred rendered scenes of
 * the named themes, with and without a drawn word.
 *
 *   node bench/generative/lettering.ts
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { namedThemes } from "@packshot/domain/edits/themes.ts";
import sharp from "sharp";
import { lettersMin } from "../../services/inference/edits/generated/judge-picture.ts";
import { longestLine } from "../../services/inference/edits/generated/lettering.ts";
import { runEdit } from "../../services/inference/edits/tools/run-edit.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const models = createInProcessModels({ "packshot-mask": `${root}models/packshot-mask/1/model.onnx` });
const photo = readFileSync(`${root}cli/demo/sample/bottle.jpg`);
const side = 768;
const scenesMax = 100;
const output = { width: side, height: side, format: "png" } as const;

/** Letters as strokes in a box of 10 × 16: no font is needed. */
const glyphs = [
  "M9 0H0V16H9M0 8H7",
  "M0 0V16H9",
  "M0 0H10M5 0V16",
  "M0 0V16M9 0V16M0 8H9",
  "M1 1H9V15H1Z",
  "M9 0H0V16M0 8H7",
];

function word(x: number, y: number, letterSize: number, color: string): string {
  const scale = letterSize / 16;
  const letters = Array.from({ length: 9 }, (_, at) => {
    const place = `translate(${x + at * 15 * scale} ${y}) scale(${scale})`;
    return `<path d="${glyphs[(at * 5) % glyphs.length]}" transform="${place}"/>`;
  });
  return `<g fill="none" stroke="${color}" stroke-width="2.5">${letters.join("")}</g>`;
}

const words: Readonly<Record<string, string>> = {
  none: "",
  "dark word": word(60, 90, 28, "#222222"),
  "white word": word(60, 90, 28, "#ffffff"),
  "small word": word(40, 90, 16, "#222222"),
  "large word": word(30, 90, 52, "#442211"),
};

const found: Record<string, number> = Object.fromEntries(Object.keys(words).map((kind) => [kind, 0]));
const seeds = Array.from({ length: Math.ceil(scenesMax / namedThemes.length) }, (_, at) => at + 1);
const scenes = seeds.flatMap((seed) => namedThemes.map(({ theme }) => ({ theme, seed }))).slice(0, scenesMax);
const { result: cutOut } = await runEdit(editInput(photo, models, { tool: "mask", parameters: { output } }));
const alpha = new Uint8Array(await sharp(cutOut.bytes).extractChannel("alpha").raw().toBuffer());
for (const { theme, seed } of scenes) {
  const { result } = await runEdit(editInput(photo, models, { tool: "ai-bg", parameters: { theme, seed, output } }));
  for (const [kind, text] of Object.entries(words)) {
    const over = { input: Buffer.from(`<svg width="${side}" height="${side}">${text}</svg>`) };
    const drawn = await sharp(result.bytes).composite([over]).png().toBuffer();
    const rgb = new Uint8Array(await sharp(drawn).removeAlpha().raw().toBuffer());
    if (longestLine({ width: side, height: side, rgb }, alpha) >= lettersMin) found[kind]! += 1;
  }
}
console.log(`${scenes.length} scenes of ${side}²; those that are taken for lettered:`);
for (const [kind, count] of Object.entries(found)) console.log(`${kind.padEnd(12)}${count}`);
