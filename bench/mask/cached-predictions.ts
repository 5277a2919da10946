/**
 * A model client that caches predictions on disk by weights and input, so that scoring refinement again needs no
 * inference.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelClient } from "../../services/inference/model-client/model-client.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";

/** @param files path of an .onnx file by model name */
export async function createCachedModels(
  files: Readonly<Record<string, string>>,
  folder: string,
): Promise<ModelClient> {
  await mkdir(folder, { recursive: true });
  const client = createInProcessModels(files);
  const hashes = new Map<string, string>();
  for (const [name, file] of Object.entries(files)) {
    hashes.set(
      name,
      createHash("sha256")
        .update(await readFile(file))
        .digest("hex"),
    );
  }
  return {
    describe: client.describe,
    predict: async (request) => {
      const { data, shape } = request.input;
      const key = createHash("sha256").update(hashes.get(request.model)!).update(data).digest("hex");
      const file = join(folder, `${key}.matte`);
      if (existsSync(file)) {
        const matte = new Uint8Array(await readFile(file));
        const output = { shape: [1, shape[1]!, shape[2]!, 1], data: matte };
        return { output, modelName: request.model, modelVersion: "1" };
      }
      const prediction = await client.predict(request);
      await writeFile(file, prediction.output.data);
      return prediction;
    },
  };
}
