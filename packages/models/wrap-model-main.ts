/**
 * Writes a repository's model in its served form, so that Triton can read the same folder:
 *
 *     node packages/models/wrap-model-main.ts models/packshot-mask
 *
 * Every version's `model.onnx` that is still a bare f32 network is replaced, atomically; one that takes bytes already
 * is left alone.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseManifest } from "./manifest.ts";
import { servedModel } from "./served-model.ts";

/** Returns the files that were rewritten. */
export function wrapModelFolder(folder: string): string[] {
  const manifestFile = join(folder, "packshot.json");
  const manifest = parseManifest(readFileSync(manifestFile, "utf8"), manifestFile);
  const written: string[] = [];
  for (const version of readdirSync(folder).filter((name) => /^[1-9][0-9]*$/.test(name))) {
    const file = join(folder, version, "model.onnx");
    const { bytes, changed } = servedModel(readFileSync(file), manifest);
    if (!changed) continue;
    writeFileSync(`${file}.part`, bytes);
    renameSync(`${file}.part`, file);
    written.push(file);
  }
  return written;
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  for (const folder of positionals) {
    for (const file of wrapModelFolder(folder)) process.stdout.write(`wrapped ${file}\n`);
  }
}
