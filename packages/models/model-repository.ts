/**
 * Model folders on disk, as Triton lays them out: `<name>/config.pbtxt`, `<name>/<version>/model.onnx`,
 * `<name>/packshot.json`. Beside `model.onnx`, `model.int8.onnx` may hold the same network with int8 weights. An image model has
 * `<name>/<version>/pipeline.json` with the graphs and the tokenizer beside it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type ModelConfig, parseModelConfig } from "./config-pbtxt.ts";
import { type ModelManifest, parseManifest } from "./manifest.ts";
import { pipelineFileName } from "./pipeline-file.ts";

export interface ModelFolder {
  readonly name: string;
  readonly manifest: ModelManifest | null;
  /** null: derived from the graph. */
  readonly config: ModelConfig | null;
  /** The versions that the version policy serves, oldest first; empty: the weights are not installed. */
  readonly versions: readonly ModelFiles[];
}

export interface ModelFiles {
  readonly version: string;
  readonly file: string;
  /** null: there are no int8 weights of this version. */
  readonly int8File: string | null;
}

/** Whether an image model is served by them, and no single graph. */
export function isPipeline({ file }: ModelFiles): boolean {
  return basename(file) === pipelineFileName;
}

export interface ModelRepository {
  readonly models: ReadonlyMap<string, ModelFolder>;
  /** `.onnx` files that no manifest describes. */
  readonly ignored: readonly string[];
}

/**
 * Reads all folders again. A later folder's model replaces an earlier one of the same name if it has weights. A bare
 * `<name>.onnx` is a model if a manifest of that name exists. Throws an error that names the file and its fault.
 */
export function readModelRepository(folders: readonly string[]): ModelRepository {
  const models = new Map<string, ModelFolder>();
  const ignored: string[] = [];
  for (const folder of folders) {
    if (!existsSync(folder)) throw new Error(`the model folder ${folder} does not exist`);
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isFile() && entry.name.endsWith(".onnx")) {
        const known = models.get(basename(entry.name, ".onnx"));
        if (!known?.manifest) ignored.push(path);
        else models.set(known.name, { ...known, versions: [{ version: "1", file: path, int8File: null }] });
      } else if (statSync(path).isDirectory() && isModelFolder(path)) {
        const model = readModelFolder(path, entry.name);
        if (model.versions.length > 0 || !models.has(model.name)) models.set(model.name, model);
      }
    }
  }
  return { models, ignored };
}

function isModelFolder(path: string): boolean {
  return (
    ["config.pbtxt", "packshot.json"].some((name) => existsSync(join(path, name))) ||
    versionsIn(path, "model.onnx").length > 0 ||
    versionsIn(path, pipelineFileName).length > 0
  );
}

function readModelFolder(path: string, name: string): ModelFolder {
  const configFile = join(path, "config.pbtxt");
  const manifestFile = join(path, "packshot.json");
  const config = existsSync(configFile) ? parseModelConfig(readFileSync(configFile, "utf8"), configFile) : null;
  const manifest = existsSync(manifestFile) ? parseManifest(readFileSync(manifestFile, "utf8"), manifestFile) : null;
  for (const [file, declared] of [
    [configFile, config?.name],
    [manifestFile, manifest?.name],
  ]) {
    if (declared !== undefined && declared !== name)
      throw new Error(`${file}: name "${declared}" in the folder ${name}; make them equal`);
  }
  const usual = versionsIn(path, pipelineFileName).length > 0 ? pipelineFileName : "model.onnx";
  const file = String(config?.message.default_model_filename || usual);
  return { name, manifest, config, versions: applyVersionPolicy(versionsIn(path, file), config) };
}

function versionsIn(path: string, file: string): ModelFiles[] {
  const int8 = `${basename(file, ".onnx")}.int8.onnx`;
  return readdirSync(path)
    .filter((name) => /^[1-9][0-9]*$/.test(name) && existsSync(join(path, name, file)))
    .sort((a, b) => Number(a) - Number(b))
    .map((version) => {
      const int8File = join(path, version, int8);
      return { version, file: join(path, version, file), int8File: existsSync(int8File) ? int8File : null };
    });
}

function applyVersionPolicy<T extends { version: string }>(versions: readonly T[], config: ModelConfig | null): T[] {
  const policy = config?.versions ?? { latest: 1 };
  if (policy === "all") return [...versions];
  if ("latest" in policy) return versions.slice(-policy.latest);
  return versions.filter(({ version }) => policy.specific.includes(Number(version)));
}

/**
 * Why edits that name no model would fail with model servers of these folders, and what to do; undefined when `model`,
 * `name` or `name@version`, has weights there. Also says why the folders cannot be read.
 */
export function findDefaultModelProblem(
  model: string,
  { bundledDir, modelDir }: { readonly bundledDir: string; readonly modelDir?: string },
): string | undefined {
  const [name = "", version] = model.split("@");
  let models: ReadonlyMap<string, ModelFolder>;
  try {
    ({ models } = readModelRepository([bundledDir, ...(modelDir ? [modelDir] : [])]));
  } catch (error) {
    return (error as Error).message;
  }
  const served = (folder: ModelFolder | undefined) => folder?.versions.filter((files) => !isPipeline(files)) ?? [];
  const found = models.get(name);
  if (served(found).some((files) => version === undefined || files.version === version)) return undefined;
  const installed = [...models.values()].filter((folder) => served(folder).length > 0).map((folder) => folder.name);
  const isPublished = version === undefined && found?.manifest?.source;
  const remedy = isPublished ? `packshot models pull ${name}, or set another` : "set another";
  return `PACKSHOT_DEFAULT_MODEL names ${model}, which has no weights here: ${remedy}; installed: ${installed.join(", ") || "none"}`;
}
