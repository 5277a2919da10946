/** The objects of one kind, kept current by a watch: what Kubernetes' own programs call an informer. */
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";
import { type ApiClient, isApiError } from "./api-client.ts";

export interface ApiObject {
  readonly metadata?: ObjectMeta;
}

export interface WatchedObjects<T> {
  /** Undefined where there is none, or it was removed. */
  get(namespace: string, name: string): T | undefined;
  all(): readonly T[];
  /** Is called with every object that there is or comes, when it changes, and once more when it was removed. */
  onChange(listener: (object: T, change: "set" | "removed") => void): void;
}

interface List<T> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly T[];
}

type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: T }
  | { readonly type: "ERROR"; readonly object: { readonly code?: number; readonly message?: string } };

const retryPauseMs = 500;

const keyOf = ({ metadata }: ApiObject) => `${metadata!.namespace ?? ""}/${metadata!.name}`;

/** Resolves when the first list is there. `path` is that of the list. */
export async function watchObjects<T extends ApiObject>(
  api: ApiClient,
  path: string,
  signal: AbortSignal,
): Promise<WatchedObjects<T>> {
  const objects = new Map<string, T>();
  const listeners = new Set<(object: T, change: "set" | "removed") => void>();
  const tell = (object: T, change: "set" | "removed") => {
    for (const listener of listeners) listener(object, change);
  };

  function set(object: T): void {
    objects.set(keyOf(object), object);
    tell(object, "set");
  }

  function remove(object: T): void {
    objects.delete(keyOf(object));
    tell(object, "removed");
  }

  async function list(): Promise<string> {
    const { metadata, items } = await api.get<List<T>>(path);
    const present = new Set(items.map(keyOf));
    for (const [key, object] of objects) if (!present.has(key)) remove(object);
    for (const object of items) set(object);
    return metadata.resourceVersion;
  }

  /** Resolves with the version up to which it saw everything, or undefined when that is too old to go on from. */
  async function follow(version: string): Promise<string | undefined> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${version}`;
    const lines = createInterface({ input: await api.stream(`${path}?${query}`, signal) });
    let seen = version;
    for await (const line of lines) {
      const event = JSON.parse(line) as WatchEvent<T>;
      if (event.type === "ERROR") return undefined;
      seen = event.object.metadata!.resourceVersion!;
      if (event.type === "DELETED") remove(event.object);
      else if (event.type !== "BOOKMARK") set(event.object);
    }
    return seen;
  }

  async function keepCurrent(first: string): Promise<void> {
    let version: string | undefined = first;
    while (!signal.aborted) {
      try {
        version = await follow(version ?? (await list()));
      } catch (error) {
        if (signal.aborted) return;
        if (isApiError(error, 410)) version = undefined;
        await pause(retryPauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  void keepCurrent(await list());
  return {
    get: (namespace, name) => objects.get(`${namespace}/${name}`),
    all: () => [...objects.values()],
    onChange(listener) {
      listeners.add(listener);
      for (const object of objects.values()) listener(object, "set");
    },
  };
}
