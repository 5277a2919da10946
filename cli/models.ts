import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ModelManifest, parseManifest } from "@packshot/models/manifest.ts";
import { type Command, CommandFault, readArguments } from "./command-line.ts";
import { environment } from "./environment.ts";
import { print, printTable } from "./operator-access.ts";

const bundledModels = fileURLToPath(new URL("../models", import.meta.url));

const help = `packshot models: the segmentation networks of the model repository.

  packshot models list      every known model, its licence, and whether its weights are here
  packshot models verify    read every weights file and print its SHA-256

  --json                    print the answer as data

Looks into models/ and, when set, PACKSHOT_MODEL_DIR.`;

interface KnownModel {
  readonly folder: string;
  readonly manifest: ModelManifest;
  /** Paths of the versions' weights that are here. */
  readonly weights: readonly string[];
}

function modelsIn(repository: string): KnownModel[] {
  if (!existsSync(repository)) throw new CommandFault(`the model repository ${repository} is not there.`);
  const folders = readdirSync(repository, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const folder = join(repository, name);
    const manifestPath = join(folder, "packshot.json");
    if (!existsSync(manifestPath)) return [];
    const versions = readdirSync(folder).filter((version) => /^[1-9][0-9]*$/.test(version));
    const weights = versions.map((version) => join(folder, version, "model.onnx")).filter((path) => existsSync(path));
    return [{ folder, manifest: parseManifest(readFileSync(manifestPath, "utf8"), manifestPath), weights }];
  });
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest("hex");
}

export function knownModels(): KnownModel[] {
  const further = environment.PACKSHOT_MODEL_DIR;
  return [...modelsIn(bundledModels), ...(further && existsSync(further) ? modelsIn(further) : [])];
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { json: { type: "boolean", default: false } });
  const models = knownModels();
  if (positionals[0] === "list") {
    if (values.json) print(models.map(({ manifest, weights }) => ({ ...manifest, weights })));
    else {
      const rows = models.map(({ manifest, weights }) => [
        manifest.name,
        manifest.version,
        manifest.licence,
        weights.length > 0 ? "here" : "not here",
        manifest.description,
      ]);
      printTable(["name", "version", "licence", "weights", "what it is"], rows);
    }
    return 0;
  }
  if (positionals[0] === "verify") {
    for (const path of models.flatMap(({ weights }) => weights))
      process.stdout.write(`${await sha256Of(path)}  ${path}\n`);
    return 0;
  }
  throw new CommandFault(`models knows list and verify, not "${positionals[0] ?? ""}".`);
}

export const models: Command = { summary: "list and verify segmentation models", help, run };
