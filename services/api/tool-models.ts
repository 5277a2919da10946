/** The segmentation models that `GET /v1/tools/…` offers: those of the model repository whose weights are in place. */
import { fileURLToPath } from "node:url";
import { listModels } from "@packshot/models/installed-models.ts";
import type { ToolRouteDeps } from "./routes/tools.ts";

const bundledDir = fileURLToPath(new URL("../../models", import.meta.url));
/** Models are pulled while we run: the folders are read again this often. */
const knownForMs = 10_000;

export function createToolModels({
  modelDir,
  defaultModel,
}: {
  modelDir: string | undefined;
  defaultModel: string;
}): ToolRouteDeps["models"] {
  let known: ReturnType<ToolRouteDeps["models"]> = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - readAtMs > knownForMs) {
      known = listModels({ bundledDir, ...(modelDir === undefined ? {} : { modelDir }) })
        .filter(({ state }) => state === "here")
        .map(({ name, description, license, trainedOn, score }) => ({
          name,
          default: name === defaultModel,
          description,
          license: license,
          trainedOn,
          score: score ?? ("unmeasured" as const),
        }))
        .sort((a, b) => Number(b.default) - Number(a.default) || a.name.localeCompare(b.name));
      readAtMs = performance.now();
    }
    return known;
  };
}
