/** One connection to a model server: whether the server is ready, what it can do, and requests through it. */
import { connectivityState } from "@grpc/grpc-js";
import { type ChannelAccess, callUnary, openChannel, statusNameOf } from "./grpc-channel.ts";
import {
  createInferenceStream,
  InferenceError,
  type InferRequest,
  type InferResponse,
  type OnStep,
} from "./inference-stream.ts";
import { isRefusal, watchReadiness } from "./readiness-watch.ts";

export interface CallOptions {
  readonly deadlineAtMs: number;
  readonly signal: AbortSignal;
  /** Called after each step, where the request asks for progress and the server streams. */
  readonly onStep?: OnStep;
}

export interface ServerConnection {
  isReady(): boolean;
  /** Why it is not ready, as the end of a sentence about the server; undefined while it is. */
  problem(): string | undefined;
  /** The call that carries inferences. */
  readonly inferMethod: "ModelStreamInfer" | "ModelInfer";
  /** Rejects with an InferenceError. */
  infer(message: InferRequest, options: CallOptions): Promise<InferResponse>;
  /** Rejects with gRPC's error. */
  call<A>(method: string, message: object, deadlineAtMs: number): Promise<A>;
  /** Closes once the requests in flight have their answers; new ones go elsewhere. */
  retire(): void;
  close(): void;
}

export interface ServerConnectionDeps {
  readonly address: string;
  readonly access: ChannelAccess;
  readonly onReadyChange: () => void;
  /** The channel was connected and has left its connection: the server has announced the end of it, or it broke. */
  readonly onLeft: () => void;
}

/** Connects at once and keeps trying. */
export function connectServer(deps: ServerConnectionDeps): ServerConnection {
  const { address, access, onReadyChange, onLeft } = deps;
  const channels = openChannel(address, access);
  const { inference } = channels;
  const readiness = watchReadiness(channels);
  let inFlight = 0;
  let state: "open" | "retired" | "closed" = "open";
  const stream = createInferenceStream(inference, sendsStreams);
  readiness.onChange(onReadyChange);

  /**
   * A stream saves the overhead of a call. Only our own server says on a stream which request failed and how, and takes
   * requests back; from others, single calls get exact statuses, and a cancelled call is a cancelled request.
   */
  function sendsStreams(): boolean {
    return readiness.extensions().includes("packshot_cancel");
  }

  function watchChannel(): void {
    const channel = inference.getChannel();
    const before = channel.getConnectivityState(false);
    channel.watchConnectivityState(before, Number.POSITIVE_INFINITY, () => {
      if (state !== "open") return;
      if (before === connectivityState.READY) onLeft();
      watchChannel();
    });
  }
  watchChannel();

  function close(): void {
    if (state === "closed") return;
    state = "closed";
    readiness.close();
    stream.close();
    channels.health.close();
    inference.close();
  }

  async function send(message: InferRequest, { deadlineAtMs, signal, onStep }: CallOptions): Promise<InferResponse> {
    if (sendsStreams()) return stream.infer(message, signal, onStep);
    try {
      return await callUnary<InferResponse>(inference, "ModelInfer", message, { deadlineAtMs, signal });
    } catch (error) {
      throw new InferenceError(statusNameOf(error), (error as Error).message);
    }
  }

  return {
    isReady: () => state === "open" && readiness.ready(),
    problem: readiness.problem,
    get inferMethod() {
      return sendsStreams() ? "ModelStreamInfer" : "ModelInfer";
    },
    async infer(message, options) {
      inFlight += 1;
      try {
        return await send(message, options);
      } catch (error) {
        if (error instanceof InferenceError && isRefusal(error.status)) readiness.checkAccess();
        throw error;
      } finally {
        inFlight -= 1;
        if (state === "retired" && inFlight === 0) close();
      }
    },
    call: (method, message, deadlineAtMs) => callUnary(inference, method, message, { deadlineAtMs }),
    retire() {
      if (state !== "open") return;
      state = "retired";
      readiness.close();
      if (inFlight === 0) close();
    },
    close,
  };
}
