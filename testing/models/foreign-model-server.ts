/**
 * A model server that is not ours, as far as a client can tell: ours, with calls, extensions and parameters of its own taken
 * away. What is left is what the Open Inference Protocol asks of every server, or what Triton offers.
 */
import { createGrpcEndpoint } from "@packshot/inference/model-server/grpc-endpoint.ts";
import { createInferenceMetrics } from "@packshot/inference/model-server/inference-metrics.ts";
import { createInferenceService } from "@packshot/inference/model-server/inference-service.ts";
import { createModelRegistry } from "@packshot/inference/model-server/model-registry.ts";
import { loadGrpcServices } from "@packshot/inference/protocol/grpc-services.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";

const protocolCalls = ["ServerLive", "ServerReady", "ModelReady", "ServerMetadata", "ModelMetadata", "ModelInfer"];
const tritonCalls = [...protocolCalls, "ModelConfig", "ModelStatistics", "RepositoryIndex", "ModelStreamInfer"];

/**
 * `plain`: the calls of the protocol only, and answers of typed numbers, as servers in Python give them. `triton`: raw bytes,
 * a model's configuration, and health without Watch.
 */
export type ForeignKind = "plain" | "triton";

export interface ForeignModelServer {
  readonly address: string;
  /** What inference requests carried, in order. */
  readonly requests: readonly { readonly id: string; readonly rawInputs: number; readonly method: string }[];
  stop(): Promise<void>;
}

interface Answer {
  readonly outputs: readonly { readonly name: string; readonly datatype: string; readonly shape: readonly number[] }[];
  readonly raw_output_contents: readonly Uint8Array[];
}
type Handler = (call: { request: never }, callback: (error: unknown, answer?: never) => void) => void;

export async function startForeignModelServer(kind: ForeignKind, modelDir: string): Promise<ForeignModelServer> {
  const logger = createLogger({ name: "test", level: "fatal" });
  const registry = createModelRegistry({
    modelDirs: [modelDir],
    settings: {
      executionProviders: ["cpu"],
      requireGpu: false,
      threads: 1,
      int8: "off",
      instances: 0,
      imageModelTimeoutMs: 120_000,
    },
    metrics: createInferenceMetrics(),
    logger,
    onFatal: () => {},
  });
  const own = createInferenceService({ registry, allowsControl: false, version: "2.41.0" });
  const handlers = own.handlers as unknown as Record<string, Handler>;
  const requests: { id: string; rawInputs: number; method: string }[] = [];

  /** Passes the call on to our server, and changes its answer. */
  const changed =
    (name: string, change: (answer: never) => object): Handler =>
    (call, callback) =>
      handlers[name]!(call, (error, answer) => callback(error, error ? undefined : (change(answer!) as never)));

  const foreign: Record<string, Handler> = {
    ...handlers,
    ServerMetadata: changed("ServerMetadata", () => ({ name: kind, version: "2.41.0", extensions: [] })),
    ModelInfer(call, callback) {
      const { id, raw_input_contents: raw } = call.request as { id: string; raw_input_contents: readonly Buffer[] };
      requests.push({ id, rawInputs: raw.length, method: "ModelInfer" });
      changed("ModelInfer", (answer: Answer) => foreignAnswer(kind, answer))(call, callback);
    },
  };
  const { Inference, Health } = loadGrpcServices();
  const calls = kind === "plain" ? protocolCalls : tritonCalls;
  const pick = <T>(all: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, all[name]!]));
  const health = { Check: (_: unknown, callback: Parameters<Handler>[1]) => callback(null, { status: 1 } as never) };
  const grpc = createGrpcEndpoint({
    services: [
      { service: pick(Inference.service, calls), handlers: pick(foreign, calls) },
      ...(kind === "triton" ? [{ service: pick(Health.service, ["Check"]), handlers: health }] : []),
    ],
    interceptors: [],
    certificates: undefined,
    connectionAgeMs: 0,
    logger,
  });
  const port = await grpc.listen("127.0.0.1", 0);
  await registry.loadAll();
  return {
    address: `127.0.0.1:${port}`,
    requests,
    async stop() {
      await registry.stop();
      own.endStreams();
      await grpc.stop(2_000);
    },
  };
}

/** Without our parameters; a plain server also gives numbers instead of bytes, and no version. */
function foreignAnswer(kind: ForeignKind, answer: Answer): object {
  if (kind === "triton") return { ...answer, parameters: {} };
  const outputs = answer.outputs.map((output, at) => ({
    ...output,
    contents: { uint_contents: [...answer.raw_output_contents[at]!] },
  }));
  return { ...answer, model_version: "", parameters: {}, outputs, raw_output_contents: [] };
}
