/** The protocol's calls (`inference.GRPCInferenceService`); each one only asks the registry. */
import { type ServerDuplexStream, type ServerUnaryCall, type sendUnaryData, status } from "@grpc/grpc-js";
import type { ModelConfig, TensorConfig } from "@packshot/models/config-pbtxt.ts";
import { InferError, type StatusName } from "./infer-error.ts";
import {
  buildResponse,
  checkRequest,
  type InferRequestMessage,
  type InferResponseMessage,
  requestDeadlineMs,
  requestPriority,
  requestTenant,
  timeParameters,
} from "./infer-request.ts";
import type { ModelRegistry } from "./model-registry.ts";
import { type InferCall, traceRequest } from "./request-spans.ts";
import type { InferOptions, ServedVersion } from "./served-version.ts";
import { datatypeFromConfig } from "./tensor-types.ts";

const serverName = "packshot";
/**
 * `packshot_cancel`: a streamed request with this parameter cancels the streamed request of the same id.
 * `packshot_progress`: a streamed request with this parameter gets a response without outputs after each step of its run.
 */
const serverExtensions = [
  "model_repository",
  "model_configuration",
  "statistics",
  "packshot_cancel",
  "packshot_progress",
];
const cancelParameter = "packshot_cancel";
const progressParameter = "packshot_progress";
/** Carries the gRPC status of a failed streamed request, for which the protocol has no field. */
const statusParameter = "packshot_status";

interface Named {
  readonly name: string;
  readonly version: string;
}
type Unary<Q, A> = (call: ServerUnaryCall<Q, A>, callback: sendUnaryData<A>) => void;

export interface InferenceServiceDeps {
  readonly registry: ModelRegistry;
  /** Callers may load and unload models. */
  readonly allowsControl: boolean;
  /** The server's own version. */
  readonly version: string;
}

export function createInferenceService({ registry, allowsControl, version: serverVersion }: InferenceServiceDeps) {
  /** Streams that clients hold open. A stopping server ends them; otherwise they would keep it from stopping. */
  const streams = new Set<ServerDuplexStream<InferRequestMessage, unknown>>();

  function startInference(message: InferRequestMessage, call: InferCall, onStep?: InferOptions["onStep"]) {
    return traceRequest(message, call, (span) => {
      const served = registry.find(message.model_name, message.model_version);
      const { maxBatchSize, input: inputs, output: outputs } = served.config;
      const request = checkRequest(message, { maxBatchSize, inputs, outputs });
      const pending = served.infer(request, { ...inferOptions(message, served.config, call), span, onStep });
      const response = pending.outputs.then((outputs) =>
        buildResponse(message, served.version, outputs, request.outputNames, timeParameters(pending.times())),
      );
      return { response, cancel: pending.cancel };
    });
  }

  function modelStreamInfer(call: ServerDuplexStream<InferRequestMessage, unknown>): void {
    streams.add(call);
    call.on("close", () => streams.delete(call));
    const open = new Map<string, () => void>();
    let running = 0;
    let ended = false;
    const finishIfDone = (): void => {
      if (ended && running === 0) call.end();
    };
    // A client that sends without reading is not read any further: its responses would pile up here without a limit.
    const send = (message: object): void => void (call.write(message) || call.pause());
    call.on("drain", () => call.resume());
    const fail = (id: string, error: unknown): void => {
      const { status: name, message } = toInferError(error);
      send({
        error_message: message,
        infer_response: { id, parameters: { [statusParameter]: { string_param: name } } },
      });
    };
    call.on("data", (message: InferRequestMessage) => {
      if (cancelParameter in message.parameters) {
        open.get(message.id)?.();
        return;
      }
      try {
        const { response, cancel } = startInference(message, call, (done, steps) => {
          if (progressParameter in message.parameters) send(stepResponse(message.id, done, steps));
        });
        running += 1;
        open.set(message.id, cancel);
        response
          .then(
            (response: InferResponseMessage) => send({ infer_response: response }),
            (error: unknown) => {
              // The client that cancelled the request expects no response to it.
              if (!(error instanceof InferError && error.status === "CANCELLED")) fail(message.id, error);
            },
          )
          .finally(() => {
            running -= 1;
            if (open.get(message.id) === cancel) open.delete(message.id);
            finishIfDone();
          });
      } catch (error) {
        fail(message.id, error);
      }
    });
    call.on("end", () => {
      ended = true;
      finishIfDone();
    });
    const cancelAll = (): void => {
      for (const cancel of [...open.values()]) cancel();
    };
    call.on("cancelled", cancelAll);
    call.on("error", cancelAll);
  }

  const served = (call: { request: Named }): ServedVersion => registry.find(call.request.name, call.request.version);

  const handlers = {
    ServerLive: unary(() => ({ live: true })),
    ServerReady: unary(() => ({ ready: registry.isReady() })),
    ModelReady: unary((call: { request: Named }) => ({ ready: isFound(() => served(call)) })),
    ServerMetadata: unary(() => ({ name: serverName, version: serverVersion, extensions: serverExtensions })),
    ModelMetadata: unary((call: { request: Named }) => {
      const { name, config } = served(call);
      const tensor = ({ name: tensorName, dataType, dims }: TensorConfig) => ({
        name: tensorName,
        datatype: datatypeFromConfig(dataType),
        shape: config.maxBatchSize > 0 ? [-1, ...dims] : dims,
      });
      return {
        name,
        versions: registry.versionsOf(name).map(({ version }) => version),
        platform: config.message.platform,
        inputs: config.input.map(tensor),
        outputs: config.output.map(tensor),
      };
    }),
    ModelConfig: unary((call: { request: Named }) => ({ config: served(call).config.message })),
    ModelStatistics: unary((call: { request: Named }) => {
      const { name, version } = call.request;
      const chosen =
        name === "" ? registry.all() : version === "" ? registry.versionsOf(name) : [registry.find(name, version)];
      if (name !== "" && chosen.length === 0) registry.find(name, version);
      return { model_stats: chosen.map((each) => each.statistics.message(each.name, each.version)) };
    }),
    RepositoryIndex: unary((call: { request: { ready: boolean } }) => ({
      models: registry.index().filter(({ state }) => !call.request.ready || state === "READY"),
    })),
    RepositoryModelLoad: unary(async (call: { request: { model_name: string; parameters: object } }) => {
      assertControl(allowsControl);
      if (Object.keys(call.request.parameters).length > 0) {
        throw new InferError(
          "UNIMPLEMENTED",
          "load parameters are not supported: put the configuration into config.pbtxt",
        );
      }
      await registry.load(call.request.model_name);
      return {};
    }),
    RepositoryModelUnload: unary(async (call: { request: { model_name: string } }) => {
      assertControl(allowsControl);
      await registry.unload(call.request.model_name);
      return {};
    }),
    ModelInfer: ((call, callback) => {
      try {
        const { response, cancel } = startInference(call.request, call);
        call.on("cancelled", cancel);
        response.then(
          (answer) => callback(null, answer),
          (error: unknown) => callback(toGrpcError(error)),
        );
      } catch (error) {
        callback(toGrpcError(error));
      }
    }) as Unary<InferRequestMessage, InferResponseMessage>,
    ModelStreamInfer: modelStreamInfer,
  };
  return {
    handlers,
    endStreams() {
      for (const call of streams) call.end();
    },
  };
}

/** One that comes after a cancellation finds no request at the client, which drops it. */
function stepResponse(id: string, done: number, steps: number): object {
  const count = (value: number) => ({ int64_param: String(value) });
  return { infer_response: { id, parameters: { packshot_step: count(done), packshot_steps: count(steps) } } };
}

function unary<C, A>(answer: (call: C) => A | Promise<A>): (call: C, callback: sendUnaryData<A>) => void {
  return (call, callback) => {
    Promise.resolve()
      .then(() => answer(call))
      .then(
        (message) => callback(null, message),
        (error: unknown) => callback(toGrpcError(error)),
      );
  };
}

function assertControl(isAllowed: boolean): void {
  if (isAllowed) return;
  const message =
    "this model server loads and unloads no models for its callers: start it with PACKSHOT_MODEL_CONTROL=on";
  throw new InferError("PERMISSION_DENIED", message);
}

function isFound(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch {
    return false;
  }
}

function inferOptions(
  message: InferRequestMessage,
  { dynamicBatching: batching }: ModelConfig,
  call: InferCall,
): Omit<InferOptions, "span" | "onStep"> {
  return {
    tenant: requestTenant(message),
    priority: requestPriority(message, batching?.priorityLevels ?? 1, batching?.defaultPriorityLevel ?? 1),
    deadlineAtMs: requestDeadlineMs(message, deadlineMsOf(call), batching?.defaultTimeoutMs ?? 0, Date.now()),
  };
}

function deadlineMsOf(call: { getDeadline(): Date | number }): number {
  const deadline = call.getDeadline();
  return deadline instanceof Date ? deadline.getTime() : deadline;
}

function toInferError(error: unknown): { status: StatusName; message: string } {
  if (error instanceof InferError) return error;
  return { status: "INTERNAL", message: error instanceof Error ? error.message : String(error) };
}

function toGrpcError(error: unknown): { code: number; details: string } {
  const { status: name, message } = toInferError(error);
  return { code: status[name], details: message };
}
