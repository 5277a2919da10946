/** Whether the model server takes work, told as it changes: by the health service's Watch, else by asking. */
import type { ClientReadableStream } from "@grpc/grpc-js";
import { callUnary, type InferenceChannel, type openChannel, statusNameOf } from "./grpc-channel.ts";

export interface ReadinessWatch {
  ready(): boolean;
  /** Returns what takes the listener away. */
  onChange(listener: (ready: boolean) => void): () => void;
  close(): void;
}

const retryMs = 250;
const askEveryMs = 1_000;
const askTimeoutMs = 2_000;

export function watchReadiness({ inference, health }: ReturnType<typeof openChannel>): ReadinessWatch {
  const listeners = new Set<(ready: boolean) => void>();
  let isReady = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let watch: ClientReadableStream<{ status: string }> | undefined;

  function tell(ready: boolean): void {
    if (ready === isReady) return;
    isReady = ready;
    for (const listener of listeners) listener(ready);
  }

  function again(next: () => void, afterMs: number): void {
    if (!closed) timer = setTimeout(next, afterMs);
  }

  function follow(): void {
    watch = (health as unknown as { Watch(message: object): ClientReadableStream<{ status: string }> }).Watch({
      service: "",
    });
    let ended = false;
    const over = (next: () => void): void => {
      if (ended) return;
      ended = true;
      tell(false);
      again(next, retryMs);
    };
    watch.on("data", ({ status }) => tell(status === "SERVING"));
    // A server without Watch (Triton has none) is asked instead.
    watch.on("error", (error) => over(statusNameOf(error) === "UNIMPLEMENTED" ? ask : follow));
    watch.on("end", () => over(follow));
  }

  function ask(): void {
    callUnary<{ ready: boolean }>(
      inference as InferenceChannel,
      "ServerReady",
      {},
      { deadlineAtMs: Date.now() + askTimeoutMs },
    )
      .then(
        ({ ready }) => tell(ready),
        () => tell(false),
      )
      .finally(() => again(ask, askEveryMs));
  }

  follow();
  return {
    ready: () => isReady,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      watch?.cancel();
      listeners.clear();
    },
  };
}
