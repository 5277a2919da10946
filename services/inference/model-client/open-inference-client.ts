/** The `ModelClient` over the Open Inference Protocol: any server of it will do, Packshot's or Triton. */
import { randomUUID } from "node:crypto";
import { PackshotError } from "@packshot/domain/errors.ts";
import { callUnary, openChannel, statusNameOf, type StatusName } from "./grpc-channel.ts";
import { createInferenceStream, type InferResponse, InferFailure, type InferRequest } from "./inference-stream.ts";
import type { ModelClient, ModelInput, PredictRequest, Prediction } from "./model-client.ts";
import { watchReadiness } from "./readiness-watch.ts";

export interface OpenInferenceClient extends ModelClient {
  /** False while the server warms up, stops, or is out of reach: then a worker should take no jobs. */
  ready(): boolean;
  /** Returns what takes the listener away. */
  onReadyChange(listener: (ready: boolean) => void): () => void;
  close(): void;
}

interface Metadata {
  readonly versions: readonly string[];
  readonly inputs: readonly { readonly name: string; readonly datatype: string; readonly shape: readonly string[] }[];
}
interface Description extends ModelInput {
  readonly version: string;
  readonly inputName: string;
  readonly datatype: string;
  readonly knownUntilMs: number;
}

const describeTimeoutMs = 5_000;
/** A reloaded model may see another size: what we know of it is asked for again this often. */
const describedForMs = 5_000;
const inFlightMax = 256;
/** What a timer can hold; a deadline further away is as good as none. */
const timerMsMax = 2 ** 31 - 1;

/** `address`: host:port, or unix:PATH. Connects at once and keeps trying. */
export function createOpenInferenceClient({ address }: { address: string }): OpenInferenceClient {
  const channels = openChannel(address);
  const { inference } = channels;
  const readiness = watchReadiness(channels);
  const descriptions = new Map<string, Description>();
  let extensions: readonly string[] = [];
  let streams = true;
  let inFlight = 0;
  const stream = createInferenceStream(inference, () => extensions.includes("packshot_cancel"));

  async function learnExtensions(): Promise<void> {
    const options = { deadlineAtMs: Date.now() + describeTimeoutMs };
    const metadata = await callUnary<{ extensions: string[] }>(inference, "ServerMetadata", {}, options).catch(
      () => null,
    );
    if (metadata) extensions = metadata.extensions;
  }
  readiness.onChange((ready) => {
    descriptions.clear();
    if (ready) void learnExtensions();
  });

  async function described(model: string, version: string): Promise<Description> {
    const key = `${model}@${version}`;
    const known = descriptions.get(key);
    if (known && known.knownUntilMs > Date.now()) return known;
    const options = { deadlineAtMs: Date.now() + describeTimeoutMs };
    try {
      const [metadata, config] = await Promise.all([
        callUnary<Metadata>(inference, "ModelMetadata", { name: model, version }, options),
        callUnary<{ config: { parameters: Record<string, { string_value: string }> } }>(
          inference,
          "ModelConfig",
          { name: model, version },
          options,
        ),
      ]);
      const description = descriptionOf(model, metadata, config.config.parameters);
      descriptions.set(key, description);
      return description;
    } catch (cause) {
      if (cause instanceof PackshotError) throw cause;
      throw packshotErrorOf(statusNameOf(cause), (cause as Error).message, wholeName(model, version), cause);
    }
  }

  async function predict(request: PredictRequest): Promise<Prediction> {
    request.signal.throwIfAborted();
    if (inFlight >= inFlightMax) throw refused(`more than ${inFlightMax} pictures are with the model server`);
    const [model, version] = nameAndVersion(request.model, request.version);
    const patienceMs = Math.ceil(Math.max(0, Math.min(request.deadlineAtMs - Date.now(), timerMsMax)));
    const timeOut = AbortSignal.timeout(patienceMs);
    const signal = AbortSignal.any([request.signal, timeOut]);
    inFlight += 1;
    try {
      const { inputName, datatype } = await described(model, version);
      const answer = await send(messageOf(request, model, version, inputName, datatype), request.deadlineAtMs, signal);
      // A busy event loop reads an answer before it looks at a timer that was due earlier.
      if (Date.now() > request.deadlineAtMs) throw tooLate();
      return predictionOf(answer, model);
    } catch (error) {
      request.signal.throwIfAborted();
      if (timeOut.aborted) throw tooLate();
      if (error instanceof InferFailure)
        throw packshotErrorOf(error.status, error.message, wholeName(model, version), error);
      throw error;
    } finally {
      inFlight -= 1;
    }
  }

  async function send(message: InferRequest, deadlineAtMs: number, signal: AbortSignal): Promise<InferResponse> {
    if (streams) {
      try {
        return await stream.infer(message, signal);
      } catch (error) {
        if (!(error instanceof InferFailure) || error.status !== "UNIMPLEMENTED") throw error;
        streams = false;
      }
    }
    try {
      return await callUnary<InferResponse>(inference, "ModelInfer", message, { deadlineAtMs, signal });
    } catch (error) {
      throw new InferFailure(statusNameOf(error), (error as Error).message);
    }
  }

  return {
    async describe(model) {
      const { width, height, channels, testTimeAugmentation, version } = await described(
        ...nameAndVersion(model, undefined),
      );
      return { width, height, channels, testTimeAugmentation, version };
    },
    predict,
    ready: readiness.ready,
    onReadyChange: readiness.onChange,
    close() {
      readiness.close();
      stream.close();
      channels.health.close();
      inference.close();
    },
  };
}

/** `name@version`, as an edit's `model` parameter may say. */
function nameAndVersion(model: string, version: string | undefined): [string, string] {
  const [name, inName] = model.split("@");
  return [name!, version ?? inName ?? ""];
}

function wholeName(name: string, version: string): string {
  return version === "" ? name : `${name}@${version}`;
}

function descriptionOf(
  model: string,
  metadata: Metadata,
  parameters: Record<string, { string_value: string }>,
): Description {
  const input = metadata.inputs[0];
  const [batch, height, width, depth] = (input?.shape ?? []).map(Number);
  if (metadata.inputs.length !== 1 || batch !== -1 || !height || !width || (depth !== 3 && depth !== 4)) {
    throw new PackshotError(
      "model_unavailable",
      `The model ${model} does not take pictures: its input is not [-1, height, width, 3 or 4].`,
    );
  }
  const channels = parameters["packshot.channels"]?.string_value;
  // `packshot.second_look` is the name of version 0.1, read for one version more.
  const augmentation = parameters["packshot.test_time_augmentation"] ?? parameters["packshot.second_look"];
  return {
    width,
    height,
    channels: channels === "rgb" || channels === "rgb+backdrop" ? channels : depth === 3 ? "rgb" : "rgb+backdrop",
    testTimeAugmentation: augmentation?.string_value === "true",
    version: metadata.versions.at(-1) ?? "1",
    inputName: input!.name,
    datatype: input!.datatype,
    knownUntilMs: Date.now() + describedForMs,
  };
}

function messageOf(
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

function predictionOf(answer: InferResponse, model: string): Prediction {
  const output = answer.outputs[0];
  const data = answer.raw_output_contents[0];
  if (!output || !data) throw new PackshotError("internal_error", `The model ${model} answered without an output.`);
  return {
    output: { shape: output.shape.map(Number), data },
    modelName: answer.model_name,
    modelVersion: answer.model_version,
  };
}

function refused(message: string, cause?: unknown): PackshotError {
  return new PackshotError("model_unavailable", message, { details: { refused: true }, cause });
}

function tooLate(cause?: unknown): PackshotError {
  return new PackshotError("deadline_exceeded", "The model did not answer before the edit's deadline.", { cause });
}

/**
 * `details.refused` tells the worker that the request cost nothing and that giving the job back is right: the server is
 * busy, stopping or out of reach. A model that does not exist is not refused: it fails the edit.
 */
function packshotErrorOf(status: StatusName, message: string, model: string, cause: unknown): PackshotError {
  switch (status) {
    case "UNAVAILABLE":
    case "RESOURCE_EXHAUSTED":
    case "CANCELLED":
      return refused(`The model server does not take work for ${model} now.`, cause);
    case "NOT_FOUND":
      return new PackshotError("model_unavailable", `The model ${model} is not loaded.`, { cause });
    case "DEADLINE_EXCEEDED":
      return tooLate(cause);
    default:
      return new PackshotError("internal_error", `The model server failed on ${model}: ${message}`, { cause });
  }
}
