import type { EditInput } from "../../services/inference/edits/edit.ts";
import type { ModelClient } from "../../services/inference/model-client/model-client.ts";

type Changes = Partial<Omit<EditInput, "parameters">> & { readonly parameters?: Partial<EditInput["parameters"]> };

/** Input of a `mask` edit with our own model and a deadline that no test meets, unless `changes` say otherwise. */
export function editInput(source: Uint8Array, models: ModelClient, changes: Changes = {}): EditInput {
  return {
    tool: "mask",
    source,
    tenant: "test",
    deadlineAtMs: Date.now() + 600_000,
    maxPixels: 100_000_000,
    models,
    signal: new AbortController().signal,
    onStage: () => {},
    ...changes,
    parameters: { seed: 1, model: "packshot-mask", ...changes.parameters },
  };
}
