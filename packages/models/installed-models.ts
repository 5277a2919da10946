/**
 * `packshot models`: list, pull and verify. A pulled model is a folder in the model repository's layout, so that our
 * server and Triton both read it: `<name>/{config.pbtxt, packshot.json, 1/model.onnx, 1/weights.json}`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, syncName, writeDurably } from "@packshot/platform/storage/durable-file.ts";
import { type Checksum, type DownloadLimits, downloadWeights, sha256OfFile } from "./download-weights.ts";
import { isSha256, type ModelManifest, parseManifest } from "./manifest.ts";
import { decodeModel } from "./onnx-file.ts";
import { servedModel } from "./served-model.ts";

/** `1/weights.json`: the downloaded file and the wrapped model made of it. */
interface WeightsRecord {
  readonly url: string;
  readonly sourceSha256: string;
  readonly modelSha256: string;
  readonly pulledAt: string;
}

export interface ListedModel {
  readonly name: string;
  readonly description: string;
  readonly license: string;
  readonly trainedOn: string;
  /** Measured on the project's test photos; null: never measured. */
  readonly score: ModelManifest["score"];
  readonly url: string | null;
  /** Bytes of the installed model, otherwise of the download where known. */
  readonly sizeBytes: number | null;
  /**
   * `here`: installed. `available`: its checksum is known. `unverified`: there is none for the published file, so pulling
   * needs `--accept-sha256`.
   */
  readonly state: "here" | "available" | "unverified";
  readonly file: string | null;
}

/** Models of the bundled repository and of `modelDir`, by name. `modelDir`'s weights win, as in the server. */
export function listModels({ bundledDir, modelDir }: { bundledDir: string; modelDir?: string }): ListedModel[] {
  const folders = [bundledDir, ...(modelDir !== undefined && existsSync(modelDir) ? [modelDir] : [])];
  const listed = new Map<string, ListedModel>();
  for (const folder of folders) {
    for (const name of readdirSync(folder).sort()) {
      const manifestFile = join(folder, name, "packshot.json");
      if (!existsSync(manifestFile)) continue;
      const manifest = parseManifest(readFileSync(manifestFile, "utf8"), manifestFile);
      const file = newestModelFile(join(folder, name));
      if (file !== null || !listed.has(name)) listed.set(name, listedModel(manifest, file));
    }
    for (const entry of readdirSync(folder).filter((name) => name.endsWith(".onnx"))) {
      const known = listed.get(entry.slice(0, -".onnx".length));
      if (known) listed.set(known.name, { ...known, ...installed(join(folder, entry)) });
    }
  }
  return [...listed.values()];
}

function listedModel(manifest: ModelManifest, file: string | null): ListedModel {
  const { name, description, license, trainedOn, score, source } = manifest;
  const about = { name, description, license, trainedOn, score, url: source?.url ?? null };
  if (file !== null) return { ...about, ...installed(file) };
  return {
    ...about,
    sizeBytes: source?.sizeBytes ?? null,
    state: source?.sha256 || source?.md5 ? "available" : "unverified",
    file: null,
  };
}

function installed(file: string): Pick<ListedModel, "state" | "file" | "sizeBytes"> {
  return { state: "here", file, sizeBytes: statSync(file).size };
}

/** The model file of the newest version. */
function newestModelFile(folder: string): string | null {
  const versions = readdirSync(folder).filter(
    (name) => /^[1-9][0-9]*$/.test(name) && existsSync(join(folder, name, "model.onnx")),
  );
  const newest = versions.sort((a, b) => Number(a) - Number(b)).at(-1);
  return newest === undefined ? null : join(folder, newest, "model.onnx");
}

export interface PullOptions {
  readonly name: string;
  readonly bundledDir: string;
  /** The folder that the model is installed in: PACKSHOT_MODEL_DIR. */
  readonly modelDir: string;
  /** From `--accept-sha256`: the hash that the operator accepts for a file that this project has not hashed. */
  readonly acceptSha256?: string;
  readonly onProgress?: (bytes: number, total: number | null) => void;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<DownloadLimits>;
}

export interface PulledModel {
  readonly file: string;
  readonly sha256: string;
  readonly downloadedBytes: number;
}

/**
 * Downloads, verifies, wraps and installs a model. Nothing is visible in `modelDir` before all of it is done. An
 * interrupted pull resumes its download. Throws an error that names the remedy.
 */
export async function pullModel(options: PullOptions): Promise<PulledModel> {
  const { name, bundledDir, modelDir } = options;
  const manifest = await knownManifest(name, bundledDir);
  if (manifest.source === null) throw new Error(`${name} is part of Packshot; there is nothing to pull`);
  const { url, sizeBytes } = manifest.source;
  const checksum = expectedChecksum(manifest, await pinnedSha256(modelDir, name), options.acceptSha256);
  const partial = join(modelDir, ".partial");
  const staged = join(partial, name);
  await restoreFolder(staged, join(modelDir, name));
  const download = join(partial, `${name}-${checksum.hex.slice(0, 12)}.onnx`);
  const { bytes, sha256 } = await downloadWeights({ ...options, url, sizeBytes, file: download, checksum });

  await rm(staged, { recursive: true, force: true });
  await mkdir(join(staged, "1"), { recursive: true });
  for (const file of ["config.pbtxt", "packshot.json"])
    await copyFile(join(bundledDir, name, file), join(staged, file));
  const model = servedModel(await readFile(download), manifest).bytes;
  await writeFile(join(staged, "1", "model.onnx"), model, { flush: true });
  const modelSha256 = await sha256OfFile(join(staged, "1", "model.onnx"));
  const record: WeightsRecord = {
    url: manifest.source.url,
    sourceSha256: sha256,
    modelSha256,
    pulledAt: new Date().toISOString(),
  };
  await writeFile(join(staged, "1", "weights.json"), `${JSON.stringify(record, null, 2)}\n`, { flush: true });
  await pinSha256(modelDir, name, sha256);
  await replaceFolder(staged, join(modelDir, name));
  await rm(download);
  return { file: join(modelDir, name, "1", "model.onnx"), sha256, downloadedBytes: bytes };
}

/** Hashes of what was pulled into a folder before. They stay when a model is removed from it. */
const pinsFile = ".pins.json";

async function readPins(modelDir: string): Promise<Readonly<Record<string, string>>> {
  const file = join(modelDir, pinsFile);
  if (!existsSync(file)) return {};
  const pins: unknown = JSON.parse(await readFile(file, "utf8"));
  const isPins =
    typeof pins === "object" &&
    pins !== null &&
    Object.values(pins).every((sha256) => typeof sha256 === "string" && isSha256(sha256));
  if (!isPins) throw new Error(`${file} must be an object of SHA-256 hashes by model: mend it, or remove it`);
  return pins as Readonly<Record<string, string>>;
}

/** The SHA-256 of the download that the installed weights are of. undefined: there are none, or their record cannot be read. */
export async function installedSha256(modelDir: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(modelDir, name, "1", "weights.json"), "utf8").catch(() => "{}");
  try {
    return (JSON.parse(text) as Partial<WeightsRecord>).sourceSha256;
  } catch {
    return undefined;
  }
}

async function pinnedSha256(modelDir: string, name: string): Promise<string | undefined> {
  const pins = await readPins(modelDir);
  return Object.hasOwn(pins, name) ? pins[name] : undefined;
}

async function pinSha256(modelDir: string, name: string, sha256: string): Promise<void> {
  const pins = await readPins(modelDir);
  if (pins[name] === sha256) return;
  const file = join(modelDir, pinsFile);
  writeDurably(file, `${JSON.stringify({ ...pins, [name]: sha256 }, null, 2)}\n`, 0o644);
}

/** What it puts in place is whole after a power cut. A cut between its two renames leaves neither in place: see `restoreFolder`. */
export async function replaceFolder(staged: string, target: string): Promise<void> {
  const old = `${staged}.old`;
  await rm(old, { recursive: true, force: true });
  syncFolder(staged);
  if (existsSync(target)) await rename(target, old);
  await rename(staged, target);
  syncName(target);
  await rm(old, { recursive: true, force: true });
}

/** Puts back what a `replaceFolder` that was cut off had moved away. */
export async function restoreFolder(staged: string, target: string): Promise<void> {
  const old = `${staged}.old`;
  if (existsSync(old) && !existsSync(target)) await rename(old, target);
}

async function knownManifest(name: string, bundledDir: string): Promise<ModelManifest> {
  const file = join(bundledDir, name, "packshot.json");
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name) || !existsSync(file)) {
    const known = listModels({ bundledDir }).map((model) => model.name);
    throw new Error(`no model is called ${name}; known are ${known.join(", ")}`);
  }
  return parseManifest(await readFile(file, "utf8"), file);
}

/**
 * What a download is checked by: the hash that this project has recorded; else the one that the operator accepts, that of an
 * earlier pull into this folder, or the checksum of the publisher.
 */
function expectedChecksum(
  { name, source }: ModelManifest,
  pinned: string | undefined,
  accepted: string | undefined,
): Checksum {
  const { url, sha256, md5 } = source!;
  if (accepted !== undefined && !isSha256(accepted)) throw new Error("--accept-sha256 takes 64 lower-case hex digits");
  if (sha256 !== null) {
    if (accepted !== undefined && accepted !== sha256) {
      throw new Error(`--accept-sha256 differs from the manifest's ${sha256} for ${name}; leave it out`);
    }
    return { algorithm: "sha256", hex: sha256 };
  }
  const known = accepted ?? pinned;
  if (known !== undefined) return { algorithm: "sha256", hex: known };
  if (md5 !== null) return { algorithm: "md5", hex: md5 };
  throw new Error(
    `${name} has no checksum that this project knows: learn the SHA-256 of ${url} from a source that you trust, then add --accept-sha256 HASH`,
  );
}

export interface Verification {
  readonly name: string;
  readonly file: string;
  /** Empty: the model is as it should be. */
  readonly problems: readonly string[];
  /** False: no hash was recorded, so only the file format was checked. */
  readonly hashed: boolean;
}

/** Checks the installed model: its hash is the one recorded by the pull, and it is a valid ONNX model. */
export async function verifyModel(options: {
  name: string;
  bundledDir: string;
  modelDir?: string;
}): Promise<Verification> {
  const listed = listModels(options).find(({ name }) => name === options.name);
  if (!listed?.file) throw new Error(`${options.name} is not here: packshot models pull ${options.name}`);
  const problems: string[] = [];
  const recordFile = join(listed.file, "..", "weights.json");
  let record: WeightsRecord | null = null;
  try {
    if (existsSync(recordFile)) record = JSON.parse(await readFile(recordFile, "utf8")) as WeightsRecord;
  } catch (error) {
    problems.push(`${recordFile}: not JSON: ${(error as Error).message}: pull it again`);
  }
  if (record !== null) {
    const found = await sha256OfFile(listed.file);
    if (found !== record.modelSha256)
      problems.push(`its SHA-256 is ${found}, not ${record.modelSha256}: pull it again`);
  }
  try {
    decodeModel(await readFile(listed.file));
  } catch (error) {
    problems.push((error as Error).message);
  }
  return { name: listed.name, file: listed.file, problems, hashed: record !== null };
}
