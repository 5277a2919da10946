/** Whether the server answers. Once a request found it unreachable, it is asked until it answers. */

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { isServerUnavailable } from "./describe-error.ts";

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

/** What was read from the server, and when it is read again. */
function note(error: unknown): void {
  if (isServerUnavailable(error)) serverStatus.reportUnavailable();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: note }),
  mutationCache: new MutationCache({ onError: note }),
  defaultOptions: {
    // The notes say what failed, and when the server is back all is read again: see Frame.
    queries: { retry: false, staleTime: 2_000, networkMode: "always" },
    mutations: { retry: false, networkMode: "always" },
  },
});
