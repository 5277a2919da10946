/** The client's gRPC channel: the protocol's services with flow-control windows wide enough for images. */
import { type ChannelOptions, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { loadGrpcServices } from "../protocol/grpc-services.ts";

const streamWindowBytes = 8 * 1024 * 1024;

const channelOptions: ChannelOptions = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc-node.flow_control_window": streamWindowBytes,
  "grpc.keepalive_time_ms": 10_000,
  "grpc.keepalive_timeout_ms": 5_000,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2_000,
  // Each client has a connection of its own, so that two workers in one test process do not share a stalled one.
  "grpc.use_local_subchannel_pool": 1,
};

/** `address`: host:port, or unix:PATH. */
export function openChannel(address: string) {
  const { Inference, Health } = loadGrpcServices();
  const inference = new Inference(address, credentials.createInsecure(), channelOptions);
  const health = new Health(address, credentials.createInsecure(), {
    ...channelOptions,
    channelOverride: inference.getChannel(),
  });
  return { inference, health };
}

export type InferenceChannel = ReturnType<typeof openChannel>["inference"];

/** One unary call as a promise. */
export function callUnary<A>(
  channel: InferenceChannel,
  method: string,
  message: object,
  { deadlineAtMs, signal }: { deadlineAtMs: number; signal?: AbortSignal },
): Promise<A> {
  return new Promise((resolve, reject) => {
    const call = (channel as unknown as Record<string, (...args: unknown[]) => { cancel(): void }>)[method]!.call(
      channel,
      message,
      { deadline: deadlineAtMs },
      (error: ServiceError | null, response: A) => {
        signal?.removeEventListener("abort", cancel);
        if (error) reject(error);
        else resolve(response);
      },
    );
    const cancel = (): void => call.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
  });
}

export type StatusName = keyof typeof status;

export function statusNameOf(error: unknown): StatusName {
  const code = (error as { code?: unknown }).code;
  return typeof code === "number" ? (status[code] as StatusName) : "UNKNOWN";
}
