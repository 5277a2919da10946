/** One ModelStreamInfer stream for all requests to a server. Responses come in any order and are matched by id. */
import type { ClientDuplexStream } from "@grpc/grpc-js";
import { type InferenceChannel, openLasting, type StatusName, statusNameOf } from "./grpc-channel.ts";

export interface InferRequest {
  readonly model_name: string;
  readonly model_version: string;
  readonly id: string;
  readonly parameters: Readonly<Record<string, object>>;
  readonly inputs: readonly object[];
  readonly raw_input_contents: readonly Uint8Array[];
}

export interface InferResponse {
  readonly model_name: string;
  readonly model_version: string;
  readonly id: string;
  readonly parameters?: Readonly<Record<string, { string_param?: string; int64_param?: string }>>;
  readonly outputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: readonly string[];
    readonly contents?: { readonly uint_contents: readonly number[] } | null;
  }[];
  readonly raw_output_contents: readonly Buffer[];
}

interface StreamResponse {
  readonly error_message: string;
  readonly infer_response: InferResponse | null;
}

/** A failure with the gRPC status that the server reported. */
export class InferenceError extends Error {
  readonly status: StatusName;
  /** The connection broke before the answer came: the server may have computed it or not. */
  readonly wasLost: boolean;

  constructor(status: StatusName, message: string, { wasLost = false } = {}) {
    super(message);
    this.status = status;
    this.wasLost = wasLost;
  }
}

export type OnStep = (done: number, steps: number) => void;

export interface InferenceStream {
  /**
   * Rejects with InferenceError: the status that the server reported, or UNAVAILABLE when the stream breaks. `onStep` is for
   * requests that ask for progress.
   */
  infer(message: InferRequest, signal: AbortSignal, onStep?: OnStep): Promise<InferResponse>;
  close(): void;
}

/** Matches the name in the server's `packshot_cancel` extension. */
const cancelParameter = "packshot_cancel";
const statusParameter = "packshot_status";

/** `supportsCancel`: the server drops a cancelled request. Triton would respond with an error instead. */
export function createInferenceStream(channel: InferenceChannel, supportsCancel: () => boolean): InferenceStream {
  interface PendingRequest {
    readonly onStep: OnStep | undefined;
    resolve(response: InferResponse): void;
    reject(error: InferenceError): void;
  }
  interface OpenStream {
    readonly call: ClientDuplexStream<object, StreamResponse>;
    readonly pending: Map<string, PendingRequest>;
  }
  let open: OpenStream | null = null;

  /** After a break the next request opens another stream; grpc-js paces the reconnects. */
  function openStream(): OpenStream {
    if (open) return open;
    const pending = new Map<string, PendingRequest>();
    const { ModelStreamInfer } = channel as unknown as {
      ModelStreamInfer(): ClientDuplexStream<object, StreamResponse>;
    };
    const call = openLasting(() => ModelStreamInfer.call(channel));
    const stream = { call, pending };
    const rejectAll = (error: InferenceError): void => {
      if (open === stream) open = null;
      for (const each of pending.values()) each.reject(error);
      pending.clear();
    };
    call.on("data", ({ error_message, infer_response }: StreamResponse) => {
      const request = pending.get(infer_response?.id ?? "");
      if (!request) return;
      const { packshot_step: step, packshot_steps: steps } = infer_response?.parameters ?? {};
      if (step !== undefined) return request.onStep?.(Number(step.int64_param), Number(steps?.int64_param));
      pending.delete(infer_response!.id);
      if (error_message === "") return request.resolve(infer_response!);
      const status = infer_response?.parameters?.[statusParameter]?.string_param as StatusName | undefined;
      request.reject(new InferenceError(status ?? "UNKNOWN", error_message));
    });
    const lost = (status: StatusName, message: string): void =>
      rejectAll(new InferenceError(status, message, { wasLost: true }));
    call.on("error", (error) => lost(statusNameOf(error), error.message));
    call.on("end", () => lost("UNAVAILABLE", "the model server ended the stream"));
    open = stream;
    return stream;
  }

  return {
    infer(message, signal, onStep) {
      const { call, pending } = openStream();
      return new Promise((resolve, reject) => {
        const cancel = (): void => {
          if (!pending.delete(message.id)) return;
          if (supportsCancel()) {
            call.write({
              model_name: message.model_name,
              id: message.id,
              parameters: { [cancelParameter]: { bool_param: true } },
            });
          }
          reject(new InferenceError("CANCELLED", "cancelled"));
        };
        const stopListening = (): void => signal.removeEventListener("abort", cancel);
        pending.set(message.id, {
          onStep,
          resolve(response) {
            stopListening();
            resolve(response);
          },
          reject(error) {
            stopListening();
            reject(error);
          },
        });
        signal.addEventListener("abort", cancel, { once: true });
        call.write(message);
      });
    },
    close() {
      open?.call.cancel();
      open = null;
    },
  };
}
