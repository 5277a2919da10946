/**
 * The segmentation models that `GET /v1/tools/…` lists and edits may name: those of the model repository whose weights are
 * in place, and those that only the model servers have.
 */
import { fileURLToPath } from "node:url";
import { listModels } from "@packshot/models/installed-models.ts";
import type { Schemas } from "../http/call.ts";
import { invalidRequest } from "../http/validation-messages.ts";

const bundledDir = fileURLToPath(new URL("../../../models", import.meta.url));
/** An operator may pull a model at any time: the folders are read again after so long. */
const cacheMs = 10_000;

export type ToolModel = Schemas["ToolModel"];

/** The default model stands first. */
export type ListToolModels = () => readonly ToolModel[];

export interface ToolModelSettings {
  readonly modelDir: string | undefined;
  readonly defaultModel: string;
  /** Names; unknown ones are left out. */
  readonly served?: readonly string[];
}

export function createToolModelList({ modelDir, defaultModel, served = [] }: ToolModelSettings): ListToolModels {
  let cached: readonly ToolModel[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - readAtMs > cacheMs) {
      cached = listModels({ bundledDir, modelDir })
        .filter(({ name, state }) => state === "here" || served.includes(name))
        .map(({ name, description, license, trainedOn, score }) => ({
          name,
          default: name === defaultModel,
          description,
          license,
          trainedOn,
          score: score ?? ("unmeasured" as const),
        }))
        .sort((a, b) => Number(b.default) - Number(a.default) || a.name.localeCompare(b.name));
      readAtMs = performance.now();
    }
    return cached;
  };
}

/** Another one for each version of a model's weights; undefined: of the default model. */
export type ModelIdentity = (model: string | undefined) => string;

/** A model that only the model servers have is identified by its name: its version is not known here. */
export function createModelIdentity({ modelDir, defaultModel }: ToolModelSettings): ModelIdentity {
  let cached: ReadonlyMap<string, string> = new Map();
  let readAtMs = Number.NEGATIVE_INFINITY;
  return (model = defaultModel) => {
    if (performance.now() - readAtMs > cacheMs) {
      const listed = listModels({ bundledDir, modelDir });
      cached = new Map(
        listed.map(({ name, file, sizeBytes }) => [name, `${file?.split("/").slice(-2).join("/")} ${sizeBytes}`]),
      );
      readAtMs = performance.now();
    }
    return `${model} ${cached.get(model.split("@")[0]!) ?? ""}`;
  };
}

/**
 * Checks the name only: whether a version, as in `name@2`, exists is known to the model server. Throws
 * `invalid_request`.
 */
export function assertModel(models: ListToolModels, model: string): void {
  const names = models().map(({ name }) => name);
  if (names.includes(model.split("@")[0]!)) return;
  throw invalidRequest(`Model "${model}" not found; available: ${names.join(", ") || "none"}.`, {
    field: "parameters.model",
  });
}
