/**
 * Renders images for review: `node bench/edits/render-samples.ts OUT_DIR shadow|scene NAME[,NAME…] [THEME|…] [SEED,…]`,
 * where NAME is a photo of the shared folder that has a `.mask.png` beside it. Cut-outs are made from that mask, not by
 * a model.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";

import { editWithScene } from "../../services/inference/edits/tools/ai-bg.ts";
import { editWithShadow } from "../../services/inference/edits/tools/ai-shadows.ts";
import { readCutOut } from "./read-cut-out.ts";

const [outDir = ".", tool = "scene", names = "", themes = "", seeds = "1"] = process.argv.slice(2);
mkdirSync(outDir, { recursive: true });
for (const name of names.split(",")) {
  const cut = await readCutOut(name);
  for (const theme of themes.split("|")) {
    for (const seed of seeds.split(",").map(Number)) {
      const input = {
        parameters: { seed, model: "mask", theme },
        signal: new AbortController().signal,
        maxPixels: 100_000_000,
        onStage: () => {},
      };
      const started = performance.now();
      const { edited: made } = await (tool === "shadow" ? editWithShadow(cut, input) : editWithScene(cut, input));
      const took = Math.round(performance.now() - started);
      const slug = theme.replaceAll(/[^a-z0-9]+/gi, "-") || "empty";
      const file = path.join(outDir, tool === "shadow" ? `${name}.${seed}.png` : `${name}.${slug}.${seed}.png`);
      const raw = { width: made.width, height: made.height, channels: made.channels };
      await sharp(made.pixels, { raw }).flatten({ background: "#f4f4f4" }).png({ compressionLevel: 3 }).toFile(file);
      process.stdout.write(`${file} ${took} ms ${JSON.stringify(made.report)}\n`);
    }
  }
}
