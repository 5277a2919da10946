/**
 * A ModelClient without a server: ONNX Runtime in this process, for tests and benches of the edits alone. The product
 * reaches its models over gRPC (services/inference/model-client); graphs there take u8 NHWC and normalize inside.
 */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PackshotError } from "@packshot/domain/errors.ts";
import { parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import type { InferenceSession as Session } from "onnxruntime-node";
import type { ModelClient, ModelInput, PredictRequest } from "../../services/inference/model-client/model-client.ts";
import { readReview } from "../../services/inference/model-client/review-limits.ts";
import { InferenceSession, Tensor } from "./silent-runtime.ts";

interface LoadedModel {
  readonly session: Session;
  readonly input: ModelInput;
  readonly isBytes: boolean;
}

/** @param files path of an .onnx file by model name */
export function createInProcessModels(files: Readonly<Record<string, string>>): ModelClient {
  const loaded = new Map<string, Promise<LoadedModel>>();
  const load = (model: string) => {
    const name = nameOf(model);
    const file = files[name];
    if (file === undefined) throw new PackshotError("model_unavailable", `No model is named ${name}.`);
    const loading = loaded.get(name) ?? loadModel(file);
    loaded.set(name, loading);
    return loading;
  };
  return {
    describe: async (model) => ({ ...(await load(model)).input, version: "1" }),
    predict: async (request) => {
      const model = await load(request.model);
      return { output: await runModel(model, request), modelName: nameOf(request.model), modelVersion: "1" };
    },
  };
}

/** Every file is version 1, so the version of `name@version` is not looked at. */
function nameOf(model: string): string {
  return model.split("@")[0]!;
}

async function loadModel(file: string): Promise<LoadedModel> {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const [meta] = session.inputMetadata;
  if (meta === undefined || !meta.isTensor) throw new Error(`${basename(file)} has no tensor input`);
  const isBytes = meta.type === "uint8";
  const dims = meta.shape.map((d) => (typeof d === "number" ? d : -1));
  const [height, width, channels] = isBytes ? [dims[1]!, dims[2]!, dims[3]!] : [dims[2]!, dims[3]!, dims[1]!];
  const side = (d: number) => (d > 0 ? d : 320);
  const parameters = await configuredParameters(file);
  const input = {
    width: side(width),
    height: side(height),
    channels: channels === 4 ? "rgb+backdrop" : "rgb",
    testTimeAugmentation: parameters["packshot.test_time_augmentation"] === "true",
    ...readReview(basename(file), (key) => parameters[key]),
  } as const;
  return { session, input, isBytes };
}

/** Those of config.pbtxt, where the file stands in a model repository. */
async function configuredParameters(file: string): Promise<Readonly<Record<string, string>>> {
  const config = join(dirname(file), "..", "config.pbtxt");
  if (!existsSync(config)) return {};
  return parseModelConfig(await readFile(config, "utf8"), config).parameters;
}

async function runModel({ session, isBytes }: LoadedModel, { input }: PredictRequest) {
  const [, height, width, channels] = input.shape as [number, number, number, number];
  const feed = isBytes
    ? new Tensor("uint8", input.data, [...input.shape])
    : new Tensor("float32", normalize(input.data, channels, width * height), [1, channels, height, width]);
  const outputs = await session.run({ [session.inputNames[0]!]: feed });
  const output = outputs[session.outputNames[0]!]!;
  const data =
    output.type === "uint8"
      ? (output.data as Uint8Array)
      : Uint8Array.from(output.data as Float32Array, (v) => Math.round(Math.min(1, Math.max(0, v)) * 255));
  return { shape: [1, height, width, 1], data };
}

/** U²-Net wants RGB over its maximum, then ImageNet's mean and deviation; our own network u8 / 255 with backdrop. */
function normalize(nhwc: Uint8Array, channels: number, count: number): Float32Array {
  const planar = new Float32Array(nhwc.length);
  const most = Math.max(
    1,
    nhwc.reduce((a, b) => Math.max(a, b), 0),
  );
  const [mean, deviation] = [
    [0.485, 0.456, 0.406],
    [0.229, 0.224, 0.225],
  ] as const;
  for (let c = 0; c < channels; c++) {
    for (let i = 0; i < count; i++) {
      const v = nhwc[i * channels + c]!;
      planar[c * count + i] = channels === 4 ? v / 255 : (v / most - mean[c as 0]) / deviation[c as 0];
    }
  }
  return planar;
}
