/**
 * Image models in a model folder, `<name>/1/{pipeline.json, tokenizer.json, *.onnx, files.json}`: pulled by an operator's manifest,
 * listed and verified.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { constants, copyFile, mkdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DownloadLimits, downloadWeights, sha256OfFile } from "./download-weights.ts";
import { filesRecordName, type ImageModelFile, type ImageModelManifest } from "./image-model-manifest.ts";
import { type ListedModel, replaceFolder, restoreFolder, type Verification } from "./installed-models.ts";
import { type PipelineFile, pipelineFileName, readPipelineFile } from "./pipeline-file.ts";

/** `files.json`: what the folder has, as it was pulled. */
interface FilesRecord {
  readonly trainedOn: string;
  readonly pulledAt: string;
  /** `pipeline.json` is no download: the manifest has its content. */
  readonly pipelineSha256: string;
  readonly files: readonly ImageModelFile[];
}

export interface ImageModelPull {
  readonly manifest: ImageModelManifest;
  /** The folder that the model is installed in: PACKSHOT_MODEL_DIR. */
  readonly modelDir: string;
  readonly onProgress?: (file: ImageModelFile, bytes: number) => void;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<DownloadLimits>;
}

/**
 * Downloads each file, checks it by its hash, and installs all of them together. A pull that was interrupted goes on with the file in
 * which it was; files that are complete or installed are not fetched again. Resolves with the folder. Throws an error that names the
 * remedy.
 */
export async function pullImageModel(options: ImageModelPull): Promise<string> {
  const { manifest, modelDir } = options;
  const home = join(modelDir, manifest.name);
  if (existsSync(home) && newestVersion(home) === undefined)
    throw new Error(`${home} is not an image model: give the manifest another name, or remove the folder`);
  const partial = join(modelDir, ".partial");
  const staged = join(partial, manifest.name);
  const version = join(staged, "1");
  await restoreFolder(staged, home);
  await rm(staged, { recursive: true, force: true });
  await mkdir(version, { recursive: true });
  const pipeline = pipelineText(manifest);
  await writeFile(join(version, pipelineFileName), pipeline);
  // By its hash, so that another manifest neither goes on with another file nor fetches the same one again.
  const downloadOf = ({ sha256 }: ImageModelFile) => join(partial, `${sha256}.download`);
  await checkSpace(partial, manifest.files, downloadOf);
  for (const file of manifest.files) await fetchFile(file, downloadOf(file), options);
  for (const file of manifest.files) await rename(downloadOf(file), join(version, file.name));
  const record: FilesRecord = {
    trainedOn: manifest.trainedOn,
    pulledAt: new Date().toISOString(),
    pipelineSha256: sha256OfText(pipeline),
    files: manifest.files,
  };
  await writeFile(join(version, filesRecordName), `${JSON.stringify(record, null, 2)}\n`);
  await replaceFolder(staged, home);
  return join(home, "1");
}

/** Whether the last pull into the folder was by this manifest, wherever its files are fetched from. */
export function isPulledBy(manifest: ImageModelManifest, modelDir: string): boolean {
  const { name, files, pipeline, trainedOn } = manifest;
  const folder = newestVersion(join(modelDir, name));
  const record = folder === undefined ? undefined : readableRecord(folder);
  const hashes = (each: readonly ImageModelFile[] = []) => new Set(each.map((file) => `${file.name} ${file.sha256}`));
  return (
    record?.pipelineSha256 === sha256OfText(pipelineText({ pipeline })) &&
    record.trainedOn === trainedOn &&
    hashes(record.files).symmetricDifference(hashes(files)).size === 0
  );
}

function pipelineText({ pipeline }: Pick<ImageModelManifest, "pipeline">): string {
  return `${JSON.stringify(pipeline, null, 2)}\n`;
}

function sha256OfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function fetchFile(file: ImageModelFile, download: string, options: ImageModelPull): Promise<void> {
  if (await isWhole(download, file)) return;
  const { url, sha256, sizeBytes } = file;
  const here = installedFile(join(options.modelDir, options.manifest.name), sha256);
  if (here !== undefined && (await isWhole(here, file))) {
    await copyFile(here, download, constants.COPYFILE_FICLONE);
    return;
  }
  await downloadWeights({
    url,
    file: download,
    sizeBytes,
    checksum: { algorithm: "sha256", hex: sha256 },
    onProgress: (bytes) => options.onProgress?.(file, bytes),
    ...(options.signal && { signal: options.signal }),
    limits: { bytesMax: sizeBytes, ...options.limits },
  });
}

/** A file that an earlier pull of the model has installed. */
function installedFile(home: string, sha256: string): string | undefined {
  const folder = existsSync(home) ? newestVersion(home) : undefined;
  const file = folder && readableRecord(folder)?.files?.find((each) => each.sha256 === sha256);
  return folder && file && join(folder, file.name);
}

async function isWhole(path: string, { sha256, sizeBytes }: ImageModelFile): Promise<boolean> {
  return (await sizeOf(path)) === sizeBytes && (await sha256OfFile(path)) === sha256;
}

async function checkSpace(
  folder: string,
  files: readonly ImageModelFile[],
  downloadOf: (file: ImageModelFile) => string,
): Promise<void> {
  let needed = 0;
  for (const file of files) needed += Math.max(0, file.sizeBytes - (await sizeOf(downloadOf(file))));
  const { bavail, bsize } = await statfs(folder);
  if (needed > bavail * bsize) {
    const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
    throw new Error(`${gigabytes(needed)} are to come, and ${folder} has ${gigabytes(bavail * bsize)} free`);
  }
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Those that are in place, by name, also those whose files say nothing of them: verify tells what such files lack. */
export function listImageModels(modelDir: string | undefined): ListedModel[] {
  if (modelDir === undefined || !existsSync(modelDir)) return [];
  return readdirSync(modelDir)
    .filter((name) => !name.startsWith(".") && isFolder(join(modelDir, name)))
    .map((name) => ({ name, folder: newestVersion(join(modelDir, name)) }))
    .filter((each): each is { name: string; folder: string } => each.folder !== undefined)
    .map(({ name, folder }) => {
      const file = join(folder, pipelineFileName);
      const { description, license } = readableJson<{ description?: string; license?: string }>(file) ?? {};
      return {
        name,
        description: description ?? "",
        license: license ?? "not recorded",
        trainedOn: readableRecord(folder)?.trainedOn ?? "not recorded",
        score: null,
        url: null,
        sizeBytes: readdirSync(folder).reduce((sum, each) => sum + statSync(join(folder, each)).size, 0),
        state: "here",
        file,
      };
    });
}

/** Through links, as a model server does; false for a link that leads nowhere. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function newestVersion(folder: string): string | undefined {
  const versions = readdirSync(folder).filter(
    (name) => /^[1-9][0-9]*$/.test(name) && existsSync(join(folder, name, pipelineFileName)),
  );
  const newest = versions.sort((a, b) => Number(a) - Number(b)).at(-1);
  return newest === undefined ? undefined : join(folder, newest);
}

function readRecord(folder: string): FilesRecord | undefined {
  const file = join(folder, filesRecordName);
  return existsSync(file) ? readJson<FilesRecord>(file) : undefined;
}

/** A power cut may have left the file empty: it is as good as none then. */
function readableRecord(folder: string): Partial<FilesRecord> | undefined {
  return readableJson<Partial<FilesRecord>>(join(folder, filesRecordName));
}

function readableJson<T>(file: string): T | undefined {
  try {
    return readJson<T>(file);
  } catch {
    return undefined;
  }
}

function readJson<T>(file: string): T {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch (cause) {
    throw new Error(`${file}: not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Bytes of its graphs and of the weights beside them: all that is no JSON. */
export function imageModelWeights({ file }: ListedModel): number {
  const folder = join(file!, "..");
  const names = readdirSync(folder).filter((name) => !name.endsWith(".json"));
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Whether each file is the one that was pulled, and whether a model server takes `pipeline.json`. */
export async function verifyImageModel({ name, file }: ListedModel): Promise<Verification> {
  const folder = join(file!, "..");
  const problems: string[] = [];
  let record: FilesRecord | undefined;
  try {
    record = readRecord(folder);
  } catch (error) {
    problems.push(`${(error as Error).message}: pull it again`);
  }
  for (const each of record?.files ?? []) {
    const path = join(folder, each.name);
    if (!existsSync(path)) problems.push(`${each.name} is missing: pull it again`);
    else if (!(await isWhole(path, each))) problems.push(`${each.name} is not what was pulled: pull it again`);
  }
  if (record !== undefined && (await sha256OfFile(file!)) !== record.pipelineSha256)
    problems.push(`${pipelineFileName} was changed since it was pulled: pull it again`);
  try {
    const pipeline = readPipelineFile(file!);
    if (existsSync(join(folder, tokenizerName))) problems.push(...paddingProblems(folder, pipeline));
    else {
      const isNamed = record?.files.some((each) => each.name === tokenizerName);
      if (!isNamed) problems.push(`${tokenizerName} is missing: the model server needs it`);
    }
  } catch (error) {
    problems.push((error as Error).message);
  }
  return { name, file: file!, problems, hashed: record !== undefined };
}

const tokenizerName = "tokenizer.json";
/** The publisher's own settings of the tokenizer, where the folder has them. */
const tokenizerConfigName = "tokenizer_config.json";

/** A prompt that is filled up by another token than in training gives another picture, and nothing fails. */
function paddingProblems(folder: string, pipeline: PipelineFile): string[] {
  const { padding } = pipeline;
  const paddings = [padding, ...("secondPadding" in pipeline ? [pipeline.secondPadding] : [])];
  const tokenizer = readJson<TokenizerFile>(join(folder, tokenizerName));
  const problems = paddings
    .filter((token) => token !== undefined && !hasToken(tokenizer, token))
    .map((token) => `${tokenizerName} has no token ${token}, the padding of ${pipelineFileName}`);
  const configured = configuredPadding(join(folder, tokenizerConfigName));
  if (configured !== undefined && configured !== padding)
    problems.push(`${tokenizerConfigName} pads with ${configured}, and ${pipelineFileName} with ${padding}`);
  return problems;
}

/** undefined: the file is not there, or names none. */
function configuredPadding(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const { pad_token: token } = readJson<{ readonly pad_token?: string | { readonly content: string } | null }>(file);
  return typeof token === "string" ? token : token?.content;
}

/** What tells its tokens. A tokenizer of unigrams lists them, and no pipeline that is served has one. */
interface TokenizerFile {
  readonly model?: { readonly vocab?: Readonly<Record<string, number>> };
  readonly added_tokens?: readonly { readonly content: string }[];
}

function hasToken({ model, added_tokens: added = [] }: TokenizerFile, token: string): boolean {
  return Object.hasOwn(model?.vocab ?? {}, token) || added.some(({ content }) => content === token);
}
