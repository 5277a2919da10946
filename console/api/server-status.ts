/** Whether the server answers. Once a request found it away, it is asked until it is back. */
import { useSyncExternalStore } from "react";

const askEveryMs = 1_500;
const answerTimeoutMs = 5_000;

export interface ServerStatus {
  isAway(): boolean;
  noteAway(): void;
  subscribe(onChange: () => void): () => void;
}

function createServerStatus(): ServerStatus {
  const listeners = new Set<() => void>();
  let isAway = false;

  function set(value: boolean): void {
    if (isAway === value) return;
    isAway = value;
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
    isAway: () => isAway,
    noteAway() {
      if (isAway) return;
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

export function useServerAway(): boolean {
  return useSyncExternalStore(serverStatus.subscribe, serverStatus.isAway);
}
