/** The client's gRPC channel: the protocol's services with flow-control windows wide enough for images. */
import {
  type ChannelCredentials,
  type ChannelOptions,
  credentials,
  experimental,
  InterceptingCall,
  type Interceptor,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { type CertificateFiles, watchCertificateFiles } from "../protocol/certificate-files.ts";
import { loadGrpcServices } from "../protocol/grpc-services.ts";
import { type ModelServerAccess, openAccess } from "../protocol/model-server-access.ts";
import { nameIn } from "./server-addresses.ts";

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

/** What the connections of one client to its servers have in common. */
export interface ChannelAccess {
  readonly credentials: ChannelCredentials;
  readonly tokens: () => readonly string[];
  /** The host that the servers' certificates are for. */
  readonly serverName: string | undefined;
}

/**
 * Opens channels to the servers behind a target (see server-addresses.ts). It lasts as long as the client: one watch of the certificate
 * files serves all its connections, and a connection is opened without reading a file that may be half rotated. Throws
 * when a certificate cannot be read. A Unix socket is never encrypted.
 */
export function openChannelAccess(target: string, access: ModelServerAccess = openAccess): ChannelAccess {
  const certificates = target.startsWith("unix:") ? undefined : access.certificates;
  return {
    credentials: certificates === undefined ? credentials.createInsecure() : credentialsFor(certificates),
    tokens: access.tokens,
    serverName: certificates && nameIn(target),
  };
}

/** `address`: host:port or unix:PATH. */
export function openChannel(address: string, access: ChannelAccess = openChannelAccess(address)) {
  const { Inference, Health } = loadGrpcServices();
  const { serverName } = access;
  const inference = new Inference(address, access.credentials, {
    ...channelOptions,
    ...(serverName !== undefined && { "grpc.ssl_target_name_override": serverName }),
    interceptors: [sendToken(access.tokens)],
  });
  const health = new Health(address, access.credentials, {
    ...channelOptions,
    channelOverride: inference.getChannel(),
  });
  return { inference, health };
}

function credentialsFor(certificates: CertificateFiles): ChannelCredentials {
  if (certificates.caFile === undefined)
    throw new Error("a worker with TLS to its model server needs PACKSHOT_MODEL_SERVER_TLS_CA_FILE");
  // What is wrong with new files is seen when the next connection fails; until then the ones from before count.
  const provider = watchCertificateFiles(certificates, () => {});
  const own = certificates.certFile === undefined ? null : provider;
  return experimental.createCertificateProviderChannelCredentials(provider, own);
}

/** Call credentials would need TLS, and a Unix socket has none. */
function sendToken(tokens: () => readonly string[]): Interceptor {
  return (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start(metadata, listener, next) {
        const [token] = tokens();
        if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
        next(metadata, listener);
      },
    });
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

/**
 * Begins a call that lasts as long as its connection. grpc-js keeps the stack of whoever began a call until it ends, for the message of an
 * error, and each function on a stack keeps what it sees: the connection before this one, or an edit's photo. So it gets none.
 */
export function openLasting<C>(open: () => C): C {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return open();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export type StatusName = keyof typeof status;

export function statusNameOf(error: unknown): StatusName {
  const code = (error as { code?: unknown }).code;
  return typeof code === "number" ? (status[code] as StatusName) : "UNKNOWN";
}
