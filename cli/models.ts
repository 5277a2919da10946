import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ImageModelManifest, parseImageModelManifest } from "@packshot/models/image-model-manifest.ts";
import {
  isPulledBy,
  listImageModels,
  pullImageModel,
  verifyImageModel,
} from "@packshot/models/installed-image-models.ts";
import {
  installedSha256,
  type ListedModel,
  listModels,
  pullModel,
  verifyModel,
} from "@packshot/models/installed-models.ts";
import { dataDirDefault } from "./client/service-access.ts";
import { type Command, CommandError, calledFrom, readArguments } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { printJson, printLine, printTable, rewriteLine } from "./command-line/print.ts";

export const bundledDir = fileURLToPath(new URL("../models", import.meta.url));
const progressEveryMs = 1_000;

const help = `packshot models: the networks that edits can use.

  packshot models list           every known model, with its license, its size
                                 and whether its weights are installed
  packshot models pull NAME      download a segmentation model's weights, check
                                 them by the publisher's checksum and install
                                 them; resumes
  packshot models pull --manifest FILE   the same with an image model: each file
                                 of your manifest, by its SHA-256
  packshot models verify [NAME]  check the installed weights of one model, or of
                                 all without NAME

  --model-dir D           folder of pulled models (default PACKSHOT_MODEL_DIR,
                          or data/models, which make up uses)
  --accept-sha256 HASH    install weights with this hash, for a model without a
                          checksum, or in the place of what was pulled before
  --keep-verified         pull nothing where verify finds no fault, and the
                          manifest or HASH is what was pulled by
  --json                  print the list as JSON

  packshot models pull birefnet-general-lite`;

export function modelFolders(modelDir: string | undefined): { bundledDir: string; modelDir?: string } {
  return { bundledDir, ...(modelDir && { modelDir }) };
}

function size(bytes: number | null): string {
  if (bytes === null) return "?";
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

function show(models: readonly ListedModel[]): void {
  const rows = models.map(({ name, state, license, sizeBytes, description }) => [
    name,
    state,
    license,
    size(sizeBytes),
    description,
  ]);
  printTable(["name", "weights", "license", "size", "description"], rows);
}

/** Rewrites one line on a terminal; elsewhere writes a line every second. */
function progressOf(name: string): (bytes: number, total: number | null) => void {
  let shownAtMs = 0;
  return (bytes, total) => {
    if (Date.now() - shownAtMs < progressEveryMs) return;
    shownAtMs = Date.now();
    const line = `${name}: ${size(bytes)} of ${size(total)}`;
    if (process.stdout.isTTY) rewriteLine(line);
    else printLine(line);
  };
}

/** Before anything is downloaded: whose terms it has, what it was trained on, and where it comes from. */
function announce(model: ListedModel | undefined): void {
  if (model?.url == null) return;
  printLine(`${model.name}: license ${model.license}; trained on ${model.trainedOn}`);
  const isKnown = model.state !== "here" && model.sizeBytes !== null;
  printLine(`from ${model.url}${isKnown ? `, ${size(model.sizeBytes)}` : ""}`);
}

/** An image model's terms, and what will be fetched from where. */
function announceImageModel({ name, description, license, trainedOn, files }: ImageModelManifest): void {
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  printLine(`${name}: ${description}`);
  printLine(`license ${license}; trained on ${trainedOn}`);
  printLine(`${files.length} files, ${size(total)}:`);
  printTable(
    ["file", "size", "SHA-256", "from"],
    files.map(({ name: file, sizeBytes, sha256, url }) => [file, size(sizeBytes), sha256, url]),
  );
}

interface PullOrder {
  readonly modelDir: string;
  readonly keepVerified: boolean;
  readonly acceptSha256: string | undefined;
}

async function pullByManifest(file: string, { modelDir, keepVerified }: PullOrder): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the manifest ${file} cannot be read (${error.code})`);
  });
  const manifest = parseImageModelManifest(text, file);
  const isTaken = listModels(modelFolders(modelDir)).some(({ name }) => name === manifest.name);
  if (isTaken) throw new Error(`${file}: ${manifest.name} is the name of a segmentation model`);
  if (keepVerified && (await isVerified(manifest.name, modelDir))) {
    if (isPulledBy(manifest, modelDir)) return;
    printLine(`${manifest.name}: ${file} is not what was installed by`);
  }
  announceImageModel(manifest);
  const progress = new Map(manifest.files.map(({ name }) => [name, progressOf(name)]));
  const folder = await pullImageModel({
    manifest,
    modelDir,
    onProgress: ({ name, sizeBytes }, bytes) => progress.get(name)?.(bytes, sizeBytes),
  });
  if (process.stdout.isTTY) rewriteLine("");
  printLine(`${manifest.name} is installed: ${folder}`);
  printLine(`workers use it by PACKSHOT_IMAGE_MODEL=${manifest.name}`);
}

async function pullByName(name: string, { modelDir, keepVerified, acceptSha256 }: PullOrder): Promise<void> {
  const isAccepted = acceptSha256 === undefined || acceptSha256 === (await installedSha256(modelDir, name));
  if (keepVerified && isAccepted && (await isVerified(name, modelDir))) return;
  // What is in the model folder may be what this pull mends.
  announce(listModels(modelFolders(undefined)).find((model) => model.name === name));
  const pulled = await pullModel({
    name,
    bundledDir,
    modelDir,
    ...(acceptSha256 && { acceptSha256 }),
    onProgress: progressOf(name),
  });
  if (process.stdout.isTTY) rewriteLine("");
  printLine(`${name} is installed: ${pulled.file}`);
  printLine(`its download has the SHA-256 ${pulled.sha256}, which another pull into this folder must have`);
}

/** Says what verify finds, where there is something to verify. What cannot be verified is to be pulled. */
async function isVerified(name: string, modelDir: string): Promise<boolean> {
  const folders = modelFolders(modelDir);
  try {
    const known = [...listModels(folders), ...listImageModels(modelDir)];
    const isHere = known.some((model) => model.name === name && model.state === "here");
    return isHere && (await verify([name], folders)) === 0;
  } catch (error) {
    printLine(`${name}: ${(error as Error).message}`);
    return false;
  }
}

/** Where `packshot up` looks for models by itself. */
function defaultModelDir(): string {
  return join(dataDirDefault, "models");
}

async function verify(names: readonly string[], folders: { bundledDir: string; modelDir?: string }): Promise<number> {
  let status = 0;
  for (const name of names) {
    const imageModel = listImageModels(folders.modelDir).find((model) => model.name === name);
    const { file, problems, hashed } = await (imageModel
      ? verifyImageModel(imageModel)
      : verifyModel({ ...folders, name }));
    if (problems.length > 0) status = 1;
    const verdict =
      problems.length > 0
        ? problems.join("; ")
        : hashed
          ? "matches its recorded hash"
          : "readable (no hash was recorded)";
    printLine(`${name}: ${verdict} (${file})`);
  }
  return status;
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    {
      "model-dir": { type: "string", default: environment.PACKSHOT_MODEL_DIR ?? defaultModelDir() },
      "accept-sha256": { type: "string" },
      manifest: { type: "string" },
      "keep-verified": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
    { list: 0, pull: 1, verify: 1 },
  );
  const [verb, name] = positionals;
  const modelDir = values["model-dir"] || undefined;
  const folders = modelFolders(modelDir);
  const asCommandError = (error: Error) => Promise.reject(new CommandError(`${error.message}.`));

  switch (verb) {
    case "list": {
      const models = [...listModels(folders), ...listImageModels(modelDir)];
      if (values.json) printJson(models);
      else show(models);
      return 0;
    }
    case "verify": {
      const known = [...listModels(folders), ...listImageModels(modelDir)];
      const here = known.filter(({ state }) => state === "here");
      return await verify(name === undefined ? here.map((model) => model.name) : [name], folders).catch(asCommandError);
    }
    case "pull": {
      if (modelDir === undefined)
        throw new CommandError("models pull needs a folder for the weights: PACKSHOT_MODEL_DIR is empty.");
      const acceptSha256 = values["accept-sha256"];
      const order = { modelDir, keepVerified: values["keep-verified"], acceptSha256 };
      if (values.manifest !== undefined) {
        if (name !== undefined) throw new CommandError("models pull takes a name or --manifest, not both.");
        await pullByManifest(resolve(calledFrom(), values.manifest), order).catch(asCommandError);
        return 0;
      }
      if (name === undefined) throw new CommandError('models pull needs a name; "packshot models list" shows them.');
      await pullByName(name, order).catch(asCommandError);
      return 0;
    }
    default:
      throw new CommandError(`unknown subcommand of models: "${verb ?? ""}"; use list, pull or verify.`);
  }
}

export const models: Command = { summary: "list, pull and verify models", help, run };
