import { fileURLToPath } from "node:url";
import { type ListedModel, listModels, pullModel, verifyModel } from "@packshot/models/installed-models.ts";
import { type Command, CommandError, readArguments } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { print, printTable } from "./operator/operator-access.ts";

export const bundledDir = fileURLToPath(new URL("../models", import.meta.url));
const progressEveryMs = 1_000;

const help = `packshot models: the segmentation networks that edits can use.

  packshot models list           every known model: license, size, and whether its weights are here
  packshot models pull NAME      fetch a model's weights, check their hash, install them; goes on where it stopped
  packshot models verify [NAME]  read the weights that are here and check them (all of them without NAME)

  --model-dir D           where pulled models go and are looked for (default PACKSHOT_MODEL_DIR)
  --accept-sha256 HASH    for a model whose published file this project has not hashed itself: your own word for it
  --json                  list as data`;

export function modelFolders(modelDir: string | undefined): { bundledDir: string; modelDir?: string } {
  return { bundledDir, ...(modelDir && { modelDir }) };
}

function size(bytes: number | null): string {
  return bytes === null ? "?" : `${(bytes / 1e6).toFixed(1)} MB`;
}

function show(models: readonly ListedModel[]): void {
  const rows = models.map(({ name, state, license, sizeBytes, description }) => [
    name,
    state,
    license,
    size(sizeBytes),
    description,
  ]);
  printTable(["name", "weights", "license", "size", "what it is"], rows);
}

/** A line that is rewritten on a terminal, and written now and then elsewhere. */
function progressOf(name: string): (bytes: number, total: number | null) => void {
  let shownAtMs = 0;
  return (bytes, total) => {
    if (Date.now() - shownAtMs < progressEveryMs) return;
    shownAtMs = Date.now();
    const line = `${name}: ${size(bytes)} of ${size(total)}`;
    process.stdout.write(process.stdout.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
}

async function verify(names: readonly string[], folders: { bundledDir: string; modelDir?: string }): Promise<number> {
  let status = 0;
  for (const name of names) {
    const { file, problems, hashed } = await verifyModel({ ...folders, name });
    if (problems.length > 0) status = 1;
    const verdict =
      problems.length > 0 ? problems.join("; ") : hashed ? "as it was pulled" : "readable (no hash was recorded)";
    process.stdout.write(`${name}: ${verdict} (${file})\n`);
  }
  return status;
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    "model-dir": { type: "string", default: environment.PACKSHOT_MODEL_DIR ?? "" },
    "accept-sha256": { type: "string" },
    json: { type: "boolean", default: false },
  });
  const [verb, name] = positionals;
  const modelDir = values["model-dir"] || undefined;
  const folders = modelFolders(modelDir);
  const asFault = (error: Error) => Promise.reject(new CommandError(`${error.message}.`));

  switch (verb) {
    case "list": {
      const models = listModels(folders);
      if (values.json) print(models);
      else show(models);
      return 0;
    }
    case "verify": {
      const here = listModels(folders).filter(({ state }) => state === "here");
      return await verify(name === undefined ? here.map((model) => model.name) : [name], folders).catch(asFault);
    }
    case "pull": {
      if (name === undefined) throw new CommandError('models pull needs a name; "packshot models list" shows them.');
      if (modelDir === undefined)
        throw new CommandError("models pull needs --model-dir or PACKSHOT_MODEL_DIR: where the weights go.");
      const acceptSha256 = values["accept-sha256"];
      const pulled = await pullModel({
        name,
        bundledDir,
        modelDir,
        ...(acceptSha256 && { acceptSha256 }),
        onProgress: progressOf(name),
      }).catch(asFault);
      process.stdout.write(`${process.stdout.isTTY ? "\r\u001b[K" : ""}${name} is installed: ${pulled.file}\n`);
      return 0;
    }
    default:
      throw new CommandError(`models knows list, pull and verify, not "${verb ?? ""}".`);
  }
}

export const models: Command = { summary: "list, pull and verify segmentation models", help, run };
