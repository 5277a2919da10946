/** Who is signed in: a key, and the API with it. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { type Api, createApi } from "../api/api.ts";

export interface Session {
  readonly api: Api;
  /** `ps_live_4f9a…`: enough to tell keys apart. */
  readonly hint: string;
  /** A key of the sandbox. */
  readonly isTest: boolean;
  /** Aborted when it ends: whatever goes on in its name stops. */
  readonly signal: AbortSignal;
  end(): void;
}

export interface SessionState {
  /** null: nobody is signed in. */
  readonly session: Session | null;
  /** Rejects with the server's error when the key does not work. */
  signIn(key: string): Promise<void>;
  /** `refusal`: why the server no longer takes the key; the sign-in shows it. */
  signOut(refusal?: unknown): void;
  readonly refusal: unknown;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [key, setKey] = useState(storedKey);
  const [refusal, setRefusal] = useState<unknown>();
  const signIn = useCallback(async (given: string) => {
    await createApi(given).packshot.account.get();
    setRefusal(undefined);
    storeKey(given);
    setKey(given);
  }, []);
  const session = useMemo(() => (key === null ? null : sessionOf(key)), [key]);
  const signOut = useCallback(
    (refusal?: unknown) => {
      setRefusal(refusal);
      session?.end();
      forgetKey();
      setKey(null);
      queries.clear();
    },
    [queries, session],
  );
  const state = useMemo(() => ({ session, signIn, signOut, refusal }), [session, signIn, signOut, refusal]);
  return <SessionContext value={state}>{children}</SessionContext>;
}

function sessionOf(key: string): Session {
  const ending = new AbortController();
  return {
    api: createApi(key),
    hint: `${key.slice(0, 12)}…`,
    isTest: key.startsWith("ps_test_"),
    signal: ending.signal,
    end: () => ending.abort(),
  };
}

export function useSession(): SessionState {
  const state = useContext(SessionContext);
  if (state === undefined) throw new Error("useSession belongs below SessionProvider");
  return state;
}

/** Belongs to whoever is signed in; pages are shown to nobody else. */
export function useApi(): Api {
  const { session } = useSession();
  if (session === null) throw new Error("useApi belongs on a page of somebody who is signed in");
  return session.api;
}

/** The API key lives as long as the tab: in its session storage, and in no address. */
const name = "packshot.key";

function storedKey(): string | null {
  return sessionStorage.getItem(name);
}

function storeKey(key: string): void {
  sessionStorage.setItem(name, key);
}

function forgetKey(): void {
  sessionStorage.removeItem(name);
}
