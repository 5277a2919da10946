/** One ModelStreamInfer stream for all requests of a worker: answers come in any order and find theirs by id. */
import type { ClientDuplexStream } from "@grpc/grpc-js";
import { type InferenceChannel, statusNameOf, type StatusName } from "./grpc-channel.ts";

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
  readonly parameters?: Readonly<Record<string, { string_param?: string }>>;
  readonly outputs: readonly { readonly name: string; readonly datatype: string; readonly shape: readonly string[] }[];
  readonly raw_output_contents: readonly Buffer[];
}

interface StreamResponse {
  readonly error_message: string;
  readonly infer_response: InferResponse | null;
}

/** A failure with the status that the server gave it. */
export class InferFailure extends Error {
  readonly status: StatusName;

  constructor(status: StatusName, message: string) {
    super(message);
    this.status = status;
  }
}

export interface InferenceStream {
  /** Rejects with InferFailure: the server's refusal, or UNAVAILABLE when the stream breaks. */
  infer(message: InferRequest, signal: AbortSignal): Promise<InferResponse>;
  close(): void;
}

/** Matches the name in the server's `packshot_cancel` extension. */
const cancelParameter = "packshot_cancel";
const statusParameter = "packshot_status";

/** `understandsCancel`: the server drops a request that is taken back; Triton would answer with an error instead. */
export function createInferenceStream(channel: InferenceChannel, supportsCancel: () => boolean): InferenceStream {
  interface Pending {
    resolve(answer: InferResponse): void;
    reject(error: InferFailure): void;
  }
  interface Open {
    readonly call: ClientDuplexStream<object, StreamResponse>;
    readonly pending: Map<string, Pending>;
  }
  let open: Open | null = null;

  /** The stream of now; after a break the next request opens another, and grpc-js paces the reconnecting. */
  function current(): Open {
    if (open) return open;
    const pending = new Map<string, Pending>();
    const call = (
      channel as unknown as { ModelStreamInfer(): ClientDuplexStream<object, StreamResponse> }
    ).ModelStreamInfer();
    const made = { call, pending };
    const broken = (error: InferFailure): void => {
      if (open === made) open = null;
      for (const each of pending.values()) each.reject(error);
      pending.clear();
    };
    call.on("data", ({ error_message, infer_response }: StreamResponse) => {
      const asked = pending.get(infer_response?.id ?? "");
      if (!asked) return;
      pending.delete(infer_response!.id);
      if (error_message === "") return asked.resolve(infer_response!);
      const given = infer_response?.parameters?.[statusParameter]?.string_param as StatusName | undefined;
      asked.reject(new InferFailure(given ?? "UNKNOWN", error_message));
    });
    call.on("error", (error) => broken(new InferFailure(statusNameOf(error), error.message)));
    call.on("end", () => broken(new InferFailure("UNAVAILABLE", "the model server ended the stream")));
    open = made;
    return made;
  }

  return {
    infer(message, signal) {
      const { call, pending } = current();
      return new Promise((resolve, reject) => {
        const takeBack = (): void => {
          if (!pending.delete(message.id)) return;
          if (supportsCancel()) {
            call.write({
              model_name: message.model_name,
              id: message.id,
              parameters: { [cancelParameter]: { bool_param: true } },
            });
          }
          reject(new InferFailure("CANCELLED", "taken back"));
        };
        const settled = (): void => signal.removeEventListener("abort", takeBack);
        pending.set(message.id, {
          resolve(answer) {
            settled();
            resolve(answer);
          },
          reject(error) {
            settled();
            reject(error);
          },
        });
        signal.addEventListener("abort", takeBack, { once: true });
        call.write(message);
      });
    },
    close() {
      open?.call.cancel();
      open = null;
    },
  };
}
