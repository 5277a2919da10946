import { environment } from "./environment.ts";

const parentCheckEveryMs = 500;

/**
 * Aborts on SIGTERM or Ctrl-C; a second Ctrl-C ends the process at once, and its children notice and stop. When npm
 * started this process, the signal also aborts once npm is gone: `kill -9` of `npm run` would leave an orphaned stack.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  if (environment.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && controller.abort("npm is gone"), parentCheckEveryMs).unref();
  }
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && name === "SIGINT") process.exit(130);
      controller.abort(name);
    });
  }
  return controller.signal;
}

/** Keeps the process running until then. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    // The timer keeps the event loop alive when nothing else does.
    const timer = setInterval(() => {}, 60_000);
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      resolve();
    });
  });
}
