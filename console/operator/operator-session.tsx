/** The operator's token, as long as the tab lives, and the operator's API with it. */
import { createTransport, type Transport } from "@packshot/sdk/transport.ts";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";

interface OperatorSession {
  /** null: no token was given, or it was wrong. */
  readonly api: Transport | null;
  /** Rejects with the server's error when the token does not work. */
  signIn(token: string): Promise<void>;
  /** `refusal`: why the server no longer takes the token; the sign-in shows it. */
  signOut(refusal?: unknown): void;
  readonly refusal: unknown;
}

/** The operator's pages have another port, so another origin than the console's key. */
const tokenName = "packshot.operator-token";
const requestTimeoutMs = 30_000;
const SessionContext = createContext<OperatorSession | undefined>(undefined);

function createOperatorApi(token: string): Transport {
  const request: typeof fetch = (...given) => fetch(...given);
  const patience = { timeoutMs: requestTimeoutMs, retriesMax: 0, retryAfterMsMax: 0 };
  return createTransport({ baseUrl: window.location.origin, apiKey: token, fetch: request, ...patience });
}

export function OperatorSessionProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [token, setToken] = useState(() => sessionStorage.getItem(tokenName));
  const [refusal, setRefusal] = useState<unknown>();
  const signIn = useCallback(async (given: string) => {
    await createOperatorApi(given).json({ method: "GET", path: "/admin/v1/plans" });
    setRefusal(undefined);
    sessionStorage.setItem(tokenName, given);
    setToken(given);
  }, []);
  const signOut = useCallback(
    (refusal?: unknown) => {
      setRefusal(refusal);
      sessionStorage.removeItem(tokenName);
      setToken(null);
      queries.clear();
    },
    [queries],
  );
  const api = useMemo(() => (token === null ? null : createOperatorApi(token)), [token]);
  const session = useMemo(() => ({ api, signIn, signOut, refusal }), [api, signIn, signOut, refusal]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useOperatorSession(): OperatorSession {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("useOperatorSession belongs below OperatorSessionProvider");
  return session;
}

export function useOperatorApi(): Transport {
  const { api } = useOperatorSession();
  if (api === null) throw new Error("useOperatorApi belongs below the sign-in");
  return api;
}

/** `path` below `/admin/v1`; read again every `refetchIntervalMs` while the page is in sight. */
export function useOperatorRead<T>(
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
  refetchIntervalMs: number | false = false,
): UseQueryResult<T> {
  const api = useOperatorApi();
  return useQuery({
    queryKey: ["operator", path, query],
    queryFn: ({ signal }) => api.json<T>({ method: "GET", path: `/admin/v1${path}`, query, signal }),
    refetchInterval: refetchIntervalMs,
    placeholderData: (previous: T | undefined) => previous,
  } as Parameters<typeof useQuery>[0]) as UseQueryResult<T>;
}
