/**
 * Watches whether the model server is ready: with the health service's Watch, or by polling where that is missing. A
 * server answers these to everybody, so that a call that needs the token tells whether it would take requests.
 */
import type { ClientReadableStream } from "@grpc/grpc-js";
import {
  callUnary,
  type InferenceChannel,
  type openChannel,
  openLasting,
  type StatusName,
  statusNameOf,
} from "./grpc-channel.ts";

export interface ReadinessWatch {
  ready(): boolean;
  /** Why it is not, as the end of a sentence about the server; undefined while it is. */
  problem(): string | undefined;
  /** The server's extensions to the protocol, which say how requests must be sent; known once it is ready. */
  extensions(): readonly string[];
  /** Asks again whether the server accepts the token, because it has just refused a request. */
  checkAccess(): void;
  /** Returns a function that removes the listener. */
  onChange(listener: (ready: boolean) => void): () => void;
  close(): void;
}

const retryMs = 250;
const pollEveryMs = 1_000;
const accessRetryMs = 1_000;
const callTimeoutMs = 2_000;

/** The server knows the caller not, or allows it not. */
export function isRefusal(status: StatusName): boolean {
  return status === "UNAUTHENTICATED" || status === "PERMISSION_DENIED";
}

export function watchReadiness({ inference, health }: ReturnType<typeof openChannel>): ReadinessWatch {
  const listeners = new Set<(ready: boolean) => void>();
  let problem: string | undefined = "has not answered";
  let extensions: readonly string[] = [];
  let isServing = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let accessTimer: NodeJS.Timeout | undefined;
  let watch: ClientReadableStream<{ status: string }> | undefined;

  function setProblem(found: string | undefined): void {
    const wasReady = problem === undefined;
    problem = found;
    if (wasReady === (found === undefined)) return;
    for (const listener of listeners) listener(found === undefined);
  }

  function setServing(serving: boolean, why = "loads its models, or stops"): void {
    isServing = serving;
    clearTimeout(accessTimer);
    if (!serving) setProblem(why);
    else if (problem !== undefined) checkAccess();
  }

  function checkAccess(): void {
    clearTimeout(accessTimer);
    const options = { deadlineAtMs: Date.now() + callTimeoutMs };
    callUnary<{ extensions: string[] }>(inference as InferenceChannel, "ServerMetadata", {}, options).then(
      (metadata) => noteAccess(metadata.extensions),
      (error: Error) => noteAccess(statusNameOf(error) === "UNIMPLEMENTED" ? [] : error),
    );
  }

  function noteAccess(found: readonly string[] | Error): void {
    if (!isServing || closed) return;
    if (found instanceof Error) {
      // Any other failure is the connection's, which the watch sees too.
      const isRefused = isRefusal(statusNameOf(found));
      if (isRefused) setProblem(`refuses this worker: ${found.message}`);
      accessTimer = setTimeout(checkAccess, isRefused ? accessRetryMs : retryMs);
      return;
    }
    extensions = found;
    setProblem(undefined);
  }

  function retryLater(next: () => void, afterMs: number): void {
    if (!closed) timer = setTimeout(next, afterMs);
  }

  function watchHealth(): void {
    const { Watch } = health as unknown as { Watch(message: object): ClientReadableStream<{ status: string }> };
    watch = openLasting(() => Watch.call(health, { service: "" }));
    let ended = false;
    const restart = (next: () => void, why: string): void => {
      if (ended) return;
      ended = true;
      setServing(false, why);
      retryLater(next, retryMs);
    };
    watch.on("data", ({ status }) => setServing(status === "SERVING"));
    // A server without Watch, such as Triton, is polled instead.
    watch.on("error", (error) =>
      restart(statusNameOf(error) === "UNIMPLEMENTED" ? poll : watchHealth, connectionProblem(error)),
    );
    watch.on("end", () => restart(watchHealth, "has ended the connection"));
  }

  function poll(): void {
    callUnary<{ ready: boolean }>(
      inference as InferenceChannel,
      "ServerReady",
      {},
      { deadlineAtMs: Date.now() + callTimeoutMs },
    )
      .then(
        ({ ready }) => setServing(ready),
        (error: Error) => setServing(false, connectionProblem(error)),
      )
      .finally(() => retryLater(poll, pollEveryMs));
  }

  watchHealth();
  return {
    ready: () => problem === undefined,
    problem: () => problem,
    extensions: () => extensions,
    checkAccess: () => void (isServing && checkAccess()),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(accessTimer);
      watch?.cancel();
      listeners.clear();
    },
  };
}

/** Errors of OpenSSL and Node say what is wrong with a certificate, not which setting to look at. */
function connectionProblem({ message }: Error): string {
  const isOfTls = /certificate|SSL|TLS|altnames|EPROTO/i.test(message);
  const hint = isOfTls ? "; look at PACKSHOT_MODEL_SERVER_TLS_CA_FILE, _CERT_FILE and _KEY_FILE on both sides" : "";
  return `cannot be reached: ${message}${hint}`;
}
