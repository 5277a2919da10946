/** Watches whether the model server is ready: with the health service's Watch, or by polling where that is missing. */
import type { ClientReadableStream } from "@grpc/grpc-js";
import { callUnary, type InferenceChannel, type openChannel, statusNameOf } from "./grpc-channel.ts";

export interface ReadinessWatch {
  ready(): boolean;
  /** Returns a function that removes the listener. */
  onChange(listener: (ready: boolean) => void): () => void;
  close(): void;
}

const retryMs = 250;
const pollEveryMs = 1_000;
const pollTimeoutMs = 2_000;

export function watchReadiness({ inference, health }: ReturnType<typeof openChannel>): ReadinessWatch {
  const listeners = new Set<(ready: boolean) => void>();
  let isReady = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let watch: ClientReadableStream<{ status: string }> | undefined;

  function setReady(ready: boolean): void {
    if (ready === isReady) return;
    isReady = ready;
    for (const listener of listeners) listener(ready);
  }

  function retryLater(next: () => void, afterMs: number): void {
    if (!closed) timer = setTimeout(next, afterMs);
  }

  function watchHealth(): void {
    watch = (health as unknown as { Watch(message: object): ClientReadableStream<{ status: string }> }).Watch({
      service: "",
    });
    let ended = false;
    const restart = (next: () => void): void => {
      if (ended) return;
      ended = true;
      setReady(false);
      retryLater(next, retryMs);
    };
    watch.on("data", ({ status }) => setReady(status === "SERVING"));
    // A server without Watch, such as Triton, is polled instead.
    watch.on("error", (error) => restart(statusNameOf(error) === "UNIMPLEMENTED" ? poll : watchHealth));
    watch.on("end", () => restart(watchHealth));
  }

  function poll(): void {
    callUnary<{ ready: boolean }>(
      inference as InferenceChannel,
      "ServerReady",
      {},
      { deadlineAtMs: Date.now() + pollTimeoutMs },
    )
      .then(
        ({ ready }) => setReady(ready),
        () => setReady(false),
      )
      .finally(() => retryLater(poll, pollEveryMs));
  }

  watchHealth();
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
