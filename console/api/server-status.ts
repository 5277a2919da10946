/** Whether the server answers. Once a request found it unreachable, it is asked until it answers. */
import { useSyncExternalStore } from "react";

const askEveryMs = 1_500;
const answerTimeoutMs = 5_000;

export interface ServerStatus {
  isUnavailable(): boolean;
  reportUnavailable(): void;
  subscribe(onChange: () => void): () => void;
}

function createServerStatus(): ServerStatus {
  const listeners = new Set<() => void>();
  let isUnavailable = false;

  function set(value: boolean): void {
    if (isUnavailable === value) return;
    isUnavailable = value;
    for (const listener of listeners) listener();
  }

  async function ask(): Promise<void> {
    const isBack = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(answerTimeoutMs) }).then(
      // The port of the operator has no such path, and says so.
      (response) => response.status < 500,
      () => false,
    );
    if (isBack) set(false);
    else setTimeout(ask, askEveryMs);
  }

  return {
    isUnavailable: () => isUnavailable,
    reportUnavailable() {
      if (isUnavailable) return;
      set(true);
      setTimeout(ask, askEveryMs);
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

export const serverStatus = createServerStatus();

export function useServerUnavailable(): boolean {
  return useSyncExternalStore(serverStatus.subscribe, serverStatus.isUnavailable);
}
