/**
 * The models under measure: the published u2netp, and a light network of the same input that a CPU runs in
 * milliseconds.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseManifest } from "@packshot/models/manifest.ts";
import { encodeModel } from "@packshot/models/onnx-file.ts";
import { servedModel } from "@packshot/models/served-model.ts";
import { tinySegmenter } from "@packshot/models/tiny-segmenter.ts";

const bundled = fileURLToPath(new URL("../../models", import.meta.url));

export interface BenchModel {
  readonly name: string;
  readonly side: number;
  readonly channels: number;
  /** The wrapped graph, for the raw runner. */
  readonly file: string;
}

/** Writes a repository of both into `folder`; u2netp only where PACKSHOT_SHARED has it. */
export function writeBenchModels(folder: string, shared: string): { u2netp: BenchModel | null; light: BenchModel } {
  const published = join(shared, "models", "u2netp.onnx");
  const u2netp = existsSync(published) ? writeModel(folder, "u2netp", 320, readFileSync(published)) : null;
  const light = encodeModel(tinySegmenter({ width: 320, height: 320, channels: 3, depth: 2 }));
  return { u2netp, light: writeModel(folder, "light", 320, light) };
}

/** Also for the GPU's run: `side` 1024. */
export function writeModel(folder: string, name: string, side: number, core: Uint8Array, like = "u2netp"): BenchModel {
  const home = join(folder, name);
  mkdirSync(join(home, "1"), { recursive: true });
  const text = readFileSync(join(bundled, like, "packshot.json"), "utf8");
  const json = JSON.parse(text) as { pre: { width: number } };
  const manifest = JSON.stringify({ ...json, name, pre: { ...json.pre, width: side, height: side } });
  writeFileSync(join(home, "packshot.json"), manifest);
  const config = readFileSync(join(bundled, like, "config.pbtxt"), "utf8");
  writeFileSync(
    join(home, "config.pbtxt"),
    config
      .replace(/^name: .*$/m, `name: "${name}"`)
      .replaceAll(new RegExp(`\\b${json.pre.width}\\b`, "g"), String(side)),
  );
  const file = join(home, "1", "model.onnx");
  const parsed = parseManifest(manifest, name);
  writeFileSync(file, servedModel(core, parsed).bytes);
  copyFileSync(file, join(folder, `${name}-wrapped.bin`));
  return { name, side, channels: parsed.pre.mean.length, file };
}
