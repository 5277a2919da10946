/** The `Painter` over the Open Inference Protocol: an image model is one model there, whatever graphs it is made of. */

import { randomUUID } from "node:crypto";
import { PackshotError } from "@packshot/domain/errors.ts";
import { startDeadline } from "@packshot/platform/flow/deadline.ts";
import { statusNameOf } from "./grpc-channel.ts";
import { infer, qualifiedName, splitVersion } from "./infer-call.ts";
import { deadlineExceeded, toPackshotError } from "./inference-errors.ts";
import { InferenceError, type InferRequest } from "./inference-stream.ts";
import type { Painter, PainterDescription, PaintRequest } from "./painter.ts";
import type { ServerLink } from "./server-link.ts";
import type { ServerPool } from "./server-pool.ts";

interface Said {
  readonly config: { readonly parameters: Readonly<Record<string, { readonly string_value: string }>> };
}

const describeTimeoutMs = 5_000;

/** @param model `name`, or `name@version` */
export function createOpenInferencePainter(pool: ServerPool, model: string): Painter {
  const [name, version] = splitVersion(model);

  async function readDescription(server: ServerLink): Promise<PainterDescription> {
    const deadlineAtMs = Date.now() + describeTimeoutMs;
    const named = { name, version };
    try {
      const [metadata, { config }] = await Promise.all([
        server.call<{ readonly versions: readonly string[] }>("ModelMetadata", named, deadlineAtMs),
        server.call<Said>("ModelConfig", named, deadlineAtMs),
      ]);
      return toDescription(name, version || metadata.versions.at(-1) || "1", config.parameters);
    } catch (cause) {
      if (cause instanceof PackshotError) throw cause;
      const status = statusNameOf(cause);
      // Our own limit and not the job's: another server may answer.
      if (status === "DEADLINE_EXCEEDED")
        throw new InferenceError("UNAVAILABLE", (cause as Error).message, { wasLost: true });
      throw new InferenceError(status, (cause as Error).message);
    }
  }

  return {
    async describe() {
      try {
        return await pool.ask(readDescription, new AbortController().signal);
      } catch (cause) {
        if (!(cause instanceof InferenceError)) throw cause;
        throw toPackshotError(cause.status, cause.message, model, cause);
      }
    },

    async paint(request) {
      request.signal.throwIfAborted();
      const message = toInferRequest(request, name, version);
      const deadline = startDeadline(request.deadlineAtMs - Date.now());
      const signal = AbortSignal.any([request.signal, deadline.signal]);
      const options = { deadlineAtMs: request.deadlineAtMs, signal, onStep: request.onStep };
      try {
        const response = await pool.ask((server) => infer(server, message, options), signal);
        const { packshot_run_us: runUs, packshot_provider: provider } = response.parameters ?? {};
        return {
          picture: pictureOf(response.raw_output_contents[0], request),
          runMs: runUs === undefined ? undefined : Number(runUs.int64_param) / 1_000,
          provider: provider?.string_param ?? "unknown",
          modelName: name,
        };
      } catch (error) {
        request.signal.throwIfAborted();
        if (deadline.signal.aborted) throw deadlineExceeded();
        if (!(error instanceof InferenceError)) throw error;
        if (error.status === "DATA_LOSS")
          return { picture: null, runMs: undefined, provider: "unknown", modelName: name };
        throw toPackshotError(error.status, error.message, qualifiedName(name, version), error);
      } finally {
        deadline.end();
      }
    },
  };
}

function toDescription(name: string, version: string, parameters: Said["config"]["parameters"]): PainterDescription {
  const number = (key: string) => Number(parameters[`packshot.${key}`]?.string_value);
  const described = { steps: number("steps"), patchPixels: number("patch_pixels"), pixelsMax: number("pixels_max") };
  if (Object.values(described).every((value) => value >= 1)) return { model: `${name}@${version}`, ...described };
  throw new PackshotError("model_unavailable", `The model ${name} paints no pictures: it is no image model.`);
}

function toInferRequest(request: PaintRequest, name: string, version: string): InferRequest {
  const { prompt, seed, strength, width, height, reference, fill, style } = request;
  const text = Buffer.from(prompt);
  const strings = Buffer.alloc(4 + text.length);
  strings.writeUInt32LE(text.length);
  text.copy(strings, 4);
  const seeds = Buffer.alloc(8);
  seeds.writeBigInt64LE(BigInt(seed));
  const strengths = Buffer.alloc(4);
  strengths.writeFloatLE(strength);
  return {
    model_name: name,
    model_version: version,
    id: randomUUID(),
    parameters: {
      tenant: { string_param: request.tenant },
      deadline_ms: { int64_param: Math.floor(request.deadlineAtMs) },
      packshot_progress: { bool_param: true },
    },
    inputs: [
      { name: "PROMPT", datatype: "BYTES", shape: [1] },
      { name: "REFERENCE", datatype: "UINT8", shape: [height, width, 3] },
      { name: "FILL", datatype: "UINT8", shape: [height, width] },
      { name: "SEED", datatype: "INT64", shape: [1] },
      { name: "STRENGTH", datatype: "FP32", shape: [1] },
      ...(style === undefined ? [] : [{ name: "STYLE", datatype: "UINT8", shape: [style.height, style.width, 3] }]),
    ],
    raw_input_contents: [strings, reference, fill, seeds, strengths, ...(style === undefined ? [] : [style.rgb])],
  };
}

function pictureOf(data: Buffer | undefined, { width, height }: PaintRequest): Uint8Array {
  if (data?.length === width * height * 3) return data;
  throw new PackshotError("internal_error", `The image model answered no picture of ${width} × ${height}.`);
}
