/**
 * A process may find out by itself that only a new one can go on. `run` stops it then as for a signal, but it is no
 * signal: a second signal ends a process at once, and jobs that are being given back would be left.
 */

let requested: string | undefined;
let onRequest: ((reason: string) => void) | undefined;

/** Whoever runs this process starts it anew. */
export function requestStop(reason: string): void {
  if (requested !== undefined) return;
  requested = reason;
  onRequest?.(reason);
}

/** Calls `listener` once, also for a request that was made before. */
export function onStopRequest(listener: (reason: string) => void): void {
  onRequest = listener;
  if (requested !== undefined) listener(requested);
}
