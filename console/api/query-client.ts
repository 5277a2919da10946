/** What was read from the server, and when it is read again. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isServerUnavailable } from "./describe-error.ts";
import { serverStatus } from "./server-status.ts";

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
