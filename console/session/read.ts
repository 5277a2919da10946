/** Reads from the API for a page: cached, and read again when it changes or the server is back. */

import type { Account } from "@packshot/sdk";
import { type QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Api } from "../api/api.ts";
import { useApi } from "./session.tsx";

interface ReadOptions {
  /** Read again so often while the page is in sight. */
  readonly refetchIntervalMs?: number | undefined;
  readonly enabled?: boolean;
}

/** `key` names what is read, with its filters: `["jobs", status]`. */
export function useRead<T>(
  key: readonly unknown[],
  read: (api: Api, signal: AbortSignal) => Promise<T>,
  { refetchIntervalMs, enabled = true }: ReadOptions = {},
): UseQueryResult<T> {
  const api = useApi();
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(api, signal),
    enabled,
    refetchInterval: refetchIntervalMs ?? false,
    // A filter that changes keeps the old rows until the new ones are there.
    placeholderData: (previous: T | undefined) => previous,
  } as Parameters<typeof useQuery>[0]) as UseQueryResult<T>;
}

const accountKey = ["account"];
/** So many edits as end meanwhile are followed by one read: a hundred photos are not to cost a hundred requests more. */
const gatheredForMs = 1_000;
let isDue = false;

/** An edit has ended, so the account's credits are others. */
export function readAccountAgain(queries: QueryClient): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    void queries.invalidateQueries({ queryKey: accountKey });
  }, gatheredForMs);
}

export function useAccount(): UseQueryResult<Account> {
  return useRead(accountKey, (api, signal) => api.packshot.account.get({ signal }), { refetchIntervalMs: 30_000 });
}
