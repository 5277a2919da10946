/**
 * The `ModelClient` over the Open Inference Protocol, of one server or of several behind one name. Any server of that
 * protocol works: Packshot's own, Triton, or one that offers no more than the protocol asks for.
 */

import { createHash, randomUUID } from "node:crypto";
import { PackshotError } from "@packshot/domain/errors.ts";
import { startDeadline } from "@packshot/platform/flow/deadline.ts";
import { Counter, Gauge, Registry } from "prom-client";
import { statusNameOf } from "./grpc-channel.ts";
import { infer, qualifiedName, splitVersion } from "./infer-call.ts";
import { deadlineExceeded, toPackshotError, unavailable } from "./inference-errors.ts";
import { InferenceError, type InferRequest, type InferResponse } from "./inference-stream.ts";
import type { ModelClient, ModelInput, Prediction, PredictionTimes, PredictRequest } from "./model-client.ts";
import { createOpenInferencePainter } from "./open-inference-painter.ts";
import type { Painter } from "./painter.ts";
import { readReview } from "./review-limits.ts";
import type { ServerLink } from "./server-link.ts";
import { createServerPool, type RetryReason, type ServerPool, type ServerPoolDeps } from "./server-pool.ts";

export interface OpenInferenceClient extends ModelClient {
  /** False while no server is ready: each warms up, stops or cannot be reached. A worker should take no jobs then. */
  ready(): boolean;
  /** Why it is not ready, and what to do about it; undefined while it is. */
  problem(): string | undefined;
  /** How many servers there are in each state. */
  servers: ServerPool["counts"];
  /** Returns a function that removes the listener. */
  onReadyChange(listener: (ready: boolean) => void): () => void;
  /** @param model an image model's `name`, or `name@version` */
  painter(model: string): Painter;
  close(): void;
}

interface Metadata {
  readonly versions: readonly string[];
  readonly inputs: readonly { readonly name: string; readonly datatype: string; readonly shape: readonly string[] }[];
}
interface ModelConfig {
  readonly parameters: Readonly<Record<string, { readonly string_value: string }>>;
}
interface ModelDescription extends ModelInput {
  readonly version: string;
  readonly inputName: string;
  readonly datatype: string;
  readonly expiresAtMs: number;
}

const describeTimeoutMs = 5_000;
/** A reloaded model may have another input size, so descriptions are read again this often. */
const descriptionTtlMs = 5_000;
const inFlightMax = 256;

export interface OpenInferenceClientDeps extends Omit<ServerPoolDeps, "target" | "onRetry"> {
  /** host:port, dns:///host:port or unix:PATH. A host with several addresses has a server at each. */
  readonly address: string;
  readonly metricsRegistry?: Registry;
}

/** Connects at once and keeps trying. */
export function createOpenInferenceClient(deps: OpenInferenceClientDeps): OpenInferenceClient {
  const { address, metricsRegistry, ...poolDeps } = deps;
  const metrics = createModelClientMetrics(metricsRegistry);
  const pool = createServerPool({ ...poolDeps, target: address, onRetry: metrics.retried });
  metrics.watch(pool.counts);
  const describeModel = createDescriptions(pool);
  let inFlight = 0;

  async function predict(request: PredictRequest): Promise<Prediction> {
    request.signal.throwIfAborted();
    if (inFlight >= inFlightMax) throw unavailable(`more than ${inFlightMax} images are with the model servers`);
    const [model, version] = splitVersion(request.model);
    const deadline = startDeadline(request.deadlineAtMs - Date.now());
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    inFlight += 1;
    try {
      const { inputName, datatype, version: described } = await describeModel(model, version, signal);
      const message = toInferRequest(request, model, version, inputName, datatype);
      const options = { deadlineAtMs: request.deadlineAtMs, signal };
      const response = await pool.ask((server) => infer(server, message, options), signal);
      // A busy event loop may read a response before it fires a timer that was due earlier.
      if (Date.now() > request.deadlineAtMs) throw deadlineExceeded();
      return toPrediction(response, model, described);
    } catch (error) {
      request.signal.throwIfAborted();
      if (deadline.signal.aborted) throw deadlineExceeded();
      if (error instanceof InferenceError)
        throw toPackshotError(error.status, error.message, qualifiedName(model, version), error);
      throw error;
    } finally {
      deadline.end();
      inFlight -= 1;
    }
  }

  return {
    async describe(model) {
      const { signal } = new AbortController();
      const described = await describeModel(...splitVersion(model), signal);
      const { inputName: _input, datatype: _type, expiresAtMs: _expires, ...input } = described;
      return input;
    },
    predict,
    ready: pool.isReady,
    problem: pool.problem,
    servers: pool.counts,
    onReadyChange: pool.onReadyChange,
    painter: (model) => createOpenInferencePainter(pool, model),
    close: pool.close,
  };
}

/** What models take, as any server says, kept for some seconds. */
function createDescriptions(pool: ServerPool) {
  const descriptions = new Map<string, ModelDescription>();
  pool.onReadyChange(() => descriptions.clear());

  async function read(server: ServerLink, model: string, version: string): Promise<ModelDescription> {
    const deadlineAtMs = Date.now() + describeTimeoutMs;
    const named = { name: model, version };
    try {
      const [metadata, parameters] = await Promise.all([
        server.call<Metadata>("ModelMetadata", named, deadlineAtMs),
        server.call<{ config: ModelConfig }>("ModelConfig", named, deadlineAtMs).then(
          ({ config }) => config.parameters,
          // The protocol has it as an extension.
          (error: unknown) => {
            if (statusNameOf(error) === "UNIMPLEMENTED") return {};
            throw error;
          },
        ),
      ]);
      return toDescription(model, metadata, parameters);
    } catch (cause) {
      if (cause instanceof PackshotError) throw cause;
      const status = statusNameOf(cause);
      const { message } = cause as Error;
      // Our own limit and not the job's: another server may answer.
      if (status === "DEADLINE_EXCEEDED") throw new InferenceError("UNAVAILABLE", message, { wasLost: true });
      throw new InferenceError(status, message);
    }
  }

  /** Throws a PackshotError. */
  return async (model: string, version: string, signal: AbortSignal): Promise<ModelDescription> => {
    const key = qualifiedName(model, version);
    const known = descriptions.get(key);
    if (known && known.expiresAtMs > Date.now()) return known;
    try {
      const description = await pool.ask((server) => read(server, model, version), signal);
      descriptions.set(key, description);
      return description;
    } catch (cause) {
      if (!(cause instanceof InferenceError)) throw cause;
      throw toPackshotError(cause.status, cause.message, key, cause);
    }
  };
}

function toDescription(model: string, metadata: Metadata, parameters: ModelConfig["parameters"]): ModelDescription {
  const input = metadata.inputs[0];
  const [batch, height, width, depth] = (input?.shape ?? []).map(Number);
  if (metadata.inputs.length !== 1 || batch !== -1 || !height || !width || (depth !== 3 && depth !== 4)) {
    throw new PackshotError(
      "model_unavailable",
      `The model ${model} does not take images: its input is not [-1, height, width, 3 or 4].`,
    );
  }
  const channels = parameters["packshot.channels"]?.string_value;
  return {
    width,
    height,
    channels: channels === "rgb" || channels === "rgb+backdrop" ? channels : depth === 3 ? "rgb" : "rgb+backdrop",
    testTimeAugmentation: parameters["packshot.test_time_augmentation"]?.string_value === "true",
    ...readReview(model, (key) => parameters[key]?.string_value),
    precision: parameters["packshot.precision"]?.string_value,
    digest: digestOf(metadata, parameters),
    version: metadata.versions.at(-1) ?? "1",
    inputName: input!.name,
    datatype: input!.datatype,
    expiresAtMs: Date.now() + descriptionTtlMs,
  };
}

function digestOf({ inputs }: Metadata, parameters: ModelConfig["parameters"]): string {
  const known = Object.entries(parameters).map(([name, { string_value }]) => [name, string_value]);
  const said = [inputs.map(({ name, datatype, shape }) => [name, datatype, shape]), known.sort()];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}

function toInferRequest(
  request: PredictRequest,
  model: string,
  version: string,
  inputName: string,
  datatype: string,
): InferRequest {
  return {
    model_name: model,
    model_version: version,
    id: randomUUID(),
    parameters: {
      tenant: { string_param: request.tenant },
      deadline_ms: { int64_param: Math.floor(request.deadlineAtMs) },
    },
    inputs: [{ name: inputName, datatype, shape: [...request.input.shape] }],
    raw_input_contents: [request.input.data],
  };
}

function toPrediction(response: InferResponse, model: string, version: string): Prediction {
  const output = response.outputs[0];
  const data = response.raw_output_contents[0] ?? typedBytes(output);
  if (!output || !data) throw new PackshotError("internal_error", `The model ${model} responded without an output.`);
  const times = toTimes(response.parameters);
  return {
    output: { shape: output.shape.map(Number), data },
    modelName: response.model_name,
    modelVersion: response.model_version || version,
    times,
  };
}

/** A server may answer with one number for each byte, as the protocol has it, even when it was sent raw bytes. */
function typedBytes(output: InferResponse["outputs"][number] | undefined): Uint8Array | undefined {
  const numbers = output?.contents?.uint_contents ?? [];
  return numbers.length === 0 ? undefined : Uint8Array.from(numbers);
}

/** Packshot's own server says them. */
function toTimes(parameters: InferResponse["parameters"]): PredictionTimes | undefined {
  const provider = parameters?.packshot_provider?.string_param;
  if (provider === undefined) return undefined;
  const ms = (name: string) => Number(parameters?.[name]?.int64_param ?? 0) / 1000;
  return {
    queueMs: ms("packshot_queue_us"),
    runMs: ms("packshot_run_us"),
    shareMs: ms("packshot_share_us"),
    provider,
  };
}

/**
 * What a worker's client does with its model servers. No label names a server, because pods come and go: each server
 * counts its own requests, which Prometheus tells apart by instance.
 */
export interface ModelClientMetrics {
  retried(reason: RetryReason): void;
  /** Reports the servers that `counts` returns at each scrape. */
  watch(counts: ServerPool["counts"]): void;
}

function createModelClientMetrics(registry: Registry = new Registry()): ModelClientMetrics {
  const registers = [registry];
  const retries = new Counter({
    name: "packshot_model_server_retries_total",
    help: "Requests that another model server was asked after one did not answer them, by reason: refused, failed (the run failed), lost (the connection broke).",
    labelNames: ["reason"] as const,
    registers,
  });
  for (const reason of ["refused", "failed", "lost"] as const) retries.inc({ reason }, 0);
  return {
    retried: (reason) => retries.inc({ reason }),
    watch(counts) {
      new Gauge({
        name: "packshot_model_servers",
        help: "Model servers that this worker knows, by state: ready, not_ready, ejected (none of its last requests was answered).",
        labelNames: ["state"] as const,
        registers,
        collect() {
          for (const [state, count] of Object.entries(counts())) this.set({ state }, count);
        },
      });
    },
  };
}
