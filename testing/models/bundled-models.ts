/** The bundled network, in this process. Specs that share a worker share it: it is loaded once, and sees each input once. */
import { fileURLToPath } from "node:url";
import { createInProcessModels } from "./in-process-models.ts";
import { rememberPredictions } from "./remembered-predictions.ts";

const model = fileURLToPath(new URL("../../models/packshot-mask/1/model.onnx", import.meta.url));

/** Predicts by itself, each time anew. */
export const createBundledModels = () => createInProcessModels({ "packshot-mask": model });

export const bundledModels = rememberPredictions(createBundledModels());
