/**
 * Writes models in their served form, as a repository that Triton reads unchanged:
 *
 *     node packages/models/wrap-model-main.ts --to triton-models models/packshot-mask models/u2netp
 *
 * Our own server wraps a bare network when it loads it, so it does not need this step.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { parseManifest } from "./manifest.ts";
import { servedModel } from "./served-model.ts";

/** Returns the files that were written. */
function exportServedModel(folder: string, to: string): string[] {
  const manifestFile = join(folder, "packshot.json");
  const manifest = parseManifest(readFileSync(manifestFile, "utf8"), manifestFile);
  const target = join(to, manifest.name);
  const versions = readdirSync(folder).filter((name) => /^[1-9][0-9]*$/.test(name));
  if (versions.length === 0) throw new Error(`${folder} has no weights: packshot models pull ${basename(folder)}`);
  mkdirSync(target, { recursive: true });
  for (const file of ["config.pbtxt", "packshot.json"]) copyFileSync(join(folder, file), join(target, file));
  return versions.map((version) => {
    mkdirSync(join(target, version), { recursive: true });
    const file = join(target, version, "model.onnx");
    writeFileSync(file, servedModel(readFileSync(join(folder, version, "model.onnx")), manifest).bytes);
    return file;
  });
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { to: { type: "string" } } });
  if (values.to === undefined || positionals.length === 0) {
    process.stderr.write("usage: wrap-model-main.ts --to FOLDER MODEL_FOLDER…\n");
    process.exit(2);
  }
  for (const folder of positionals) {
    for (const file of exportServedModel(folder, values.to)) process.stdout.write(`${file}\n`);
  }
}
