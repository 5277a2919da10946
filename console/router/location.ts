/**
 * Where the console is: the part of the address after `#`. So the server has one page to serve, and no path of the API
 * can be taken for one of the console.
 */
import { useMemo, useSyncExternalStore } from "react";

export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

export function useLocation(): Location {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return useMemo(() => parseLocation(hash), [hash]);
}

function parseLocation(hash: string): Location {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  return { path: path === "" ? "/" : path, query: new URLSearchParams(query) };
}

/** The address of a page: `hrefOf("/jobs", { status: "failed" })`. Empty values are left out. */
export function hrefOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  const text = new URLSearchParams(given).toString();
  return `#${path}${text === "" ? "" : `?${text}`}`;
}

export function navigate(path: string, query?: Readonly<Record<string, string | undefined>>): void {
  window.location.hash = hrefOf(path, query);
}
