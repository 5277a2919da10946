/** The models in service. Loads, reloads and unloads them without dropping a request. */

import { isPipeline, readModelRepository } from "@packshot/models/model-repository.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { InferError } from "./infer-error.ts";
import type { InferenceMetrics } from "./inference-metrics.ts";
import { createLateLoads } from "./late-loads.ts";
import { loadPipeline } from "./load-pipeline.ts";
import { loadVersion, type SessionSettings } from "./load-version.ts";
import type { ServedVersion } from "./served-version.ts";

export type ModelState = "READY" | "LOADING" | "UNLOADING" | "UNAVAILABLE";

export interface IndexEntry {
  readonly name: string;
  readonly version: string;
  readonly state: ModelState | "";
  readonly reason: string;
}

export interface ModelRegistry {
  /** Loads every model that has weights in the repository, those whose graph server is away later. */
  loadAll(): Promise<void>;
  /** Reads the folder again. A version in service is replaced once its successor is warm. */
  load(name: string): Promise<void>;
  unload(name: string): Promise<void>;
  /** Throws NOT_FOUND or UNAVAILABLE. An empty version means the newest one. */
  find(name: string, version: string): ServedVersion;
  /** The versions in service, oldest first. */
  versionsOf(name: string): readonly ServedVersion[];
  /** A version of it is in service, and what it needs elsewhere is there. */
  serves(name: string): boolean;
  all(): readonly ServedVersion[];
  index(): readonly IndexEntry[];
  isReady(): boolean;
  /** Every model was in service once, but for those whose graph server is away. */
  hasStarted(): boolean;
  /** Says that it is not ready, and goes on serving: clients look for another server meanwhile. */
  drain(): void;
  onChange(listener: () => void): void;
  stop(): Promise<void>;
}

export interface ModelRegistryDeps {
  readonly modelDirs: readonly string[];
  readonly settings: SessionSettings;
  readonly metrics: InferenceMetrics;
  readonly logger: Logger;
  readonly onFatal: (error: Error) => void;
  /** How often a graph server that was away at the start is tried. */
  readonly graphServerRetryMs?: number | undefined;
}

interface ModelEntry {
  state: ModelState;
  reason: string;
  readonly versions: Map<string, ServedVersion>;
  /** The model's latest change; its changes run one after the other. */
  lastChange: Promise<unknown>;
}

export function createModelRegistry(deps: ModelRegistryDeps): ModelRegistry {
  const { modelDirs, logger } = deps;
  const entries = new Map<string, ModelEntry>();
  const listeners: (() => void)[] = [];
  const lateLoads = createLateLoads({
    load: (name) => serialize(name, async (entry) => (entry.versions.size > 0 ? undefined : loadNow(name, entry))),
    everyMs: deps.graphServerRetryMs,
    logger,
  });
  let loadedAll = false;
  let draining = false;
  let stopped = false;

  const notifyListeners = (): void => {
    for (const listener of listeners) listener();
  };

  function getOrCreateEntry(name: string): ModelEntry {
    const known = entries.get(name);
    if (known) return known;
    const entry: ModelEntry = { state: "UNAVAILABLE", reason: "", versions: new Map(), lastChange: Promise.resolve() };
    entries.set(name, entry);
    return entry;
  }

  function serialize(name: string, change: (entry: ModelEntry) => Promise<void>): Promise<void> {
    const entry = getOrCreateEntry(name);
    const result = entry.lastChange.then(() => change(entry)).finally(notifyListeners);
    entry.lastChange = result.catch(() => {});
    return result;
  }

  function readFolder(name: string) {
    let found: ReturnType<typeof readModelRepository>;
    try {
      found = readModelRepository(modelDirs);
    } catch (cause) {
      throw new InferError("INVALID_ARGUMENT", (cause as Error).message, cause);
    }
    const folder = found.models.get(name);
    if (!folder) throw new InferError("NOT_FOUND", `no model '${name}' in the repository`);
    if (folder.versions.length === 0)
      throw new InferError("NOT_FOUND", `model '${name}' has no weights here: ${pullHint(name)}`);
    return folder;
  }

  async function loadNow(name: string, entry: ModelEntry): Promise<void> {
    if (stopped) throw new InferError("UNAVAILABLE", "the server is stopping");
    const previousState = entry.state;
    try {
      const folder = readFolder(name);
      if (entry.versions.size === 0) entry.state = "LOADING";
      notifyListeners();
      const fresh = new Map<string, ServedVersion>();
      for (const files of folder.versions) {
        const load = isPipeline(files) ? loadPipeline : loadVersion;
        fresh.set(files.version, await load({ ...deps, folder, files, onAwayChange: notifyListeners }));
      }
      const old = [...entry.versions.values()];
      entry.versions.clear();
      for (const [version, served] of fresh) entry.versions.set(version, served);
      entry.state = "READY";
      entry.reason = "";
      // The old versions finish their accepted requests; new requests already go to the fresh ones.
      unloadAll(old, fresh);
    } catch (error) {
      entry.state = entry.versions.size > 0 ? previousState : "UNAVAILABLE";
      entry.reason = (error as Error).message;
      throw error instanceof InferError ? error : new InferError("INTERNAL", (error as Error).message, error);
    }
  }

  function unloadAll(old: readonly ServedVersion[], fresh: ReadonlyMap<string, ServedVersion>): void {
    for (const each of old) {
      void each.unload().then(() => {
        if (!fresh.has(each.version)) deps.metrics.removeVersion(each.name, each.version);
        logger.info({ model: each.name, version: each.version }, "model version unloaded");
      });
    }
  }

  async function unloadNow(name: string, entry: ModelEntry): Promise<void> {
    if (entry.versions.size === 0) throw new InferError("NOT_FOUND", `model '${name}' is not loaded`);
    entry.state = "UNLOADING";
    notifyListeners();
    await Promise.all([...entry.versions.values()].map((each) => each.unload()));
    for (const version of entry.versions.keys()) deps.metrics.removeVersion(name, version);
    entry.versions.clear();
    entry.state = "UNAVAILABLE";
    entry.reason = "unloaded";
    logger.info({ model: name }, "model unloaded");
  }

  function find(name: string, version: string): ServedVersion {
    const entry = entries.get(name);
    if (!entry) throw new InferError("NOT_FOUND", `unknown model '${name}'`);
    if (entry.state === "UNLOADING") throw new InferError("UNAVAILABLE", `model '${name}' is being unloaded`);
    const served = version === "" ? [...entry.versions.values()].at(-1) : entry.versions.get(version);
    if (served?.isAway?.()) throw new InferError("UNAVAILABLE", `model '${name}' is not ready: ${awayReason}`);
    if (served) return served;
    if (entry.versions.size > 0)
      throw new InferError("NOT_FOUND", `model '${name}' has no version ${version} in service`);
    throw new InferError("UNAVAILABLE", `model '${name}' is not ready: ${entry.reason || entry.state.toLowerCase()}`);
  }

  return {
    async loadAll() {
      const { models, ignored } = readModelRepository(modelDirs);
      for (const file of ignored) logger.warn({ file }, "a file without a manifest of its name is not served");
      const installed = [...models.values()].filter(({ versions }) => versions.length > 0);
      if (installed.length === 0) throw new Error(`no model with weights in ${modelDirs.join(", ")}`);
      for (const { name } of installed)
        await serialize(name, (entry) => loadNow(name, entry)).catch((error: unknown) => {
          if (!lateLoads.postpone(name, error)) throw error;
        });
      loadedAll = true;
      notifyListeners();
    },
    load: (name) => serialize(name, (entry) => loadNow(name, entry)),
    unload: (name) => serialize(name, (entry) => unloadNow(name, entry)),
    find,
    serves: (name) => [...(entries.get(name)?.versions.values() ?? [])].some((each) => !each.isAway?.()),
    versionsOf: (name) => [...(entries.get(name)?.versions.values() ?? [])],
    all: () => [...entries.values()].flatMap(({ versions }) => [...versions.values()]),
    index() {
      const { models } = readModelRepository(modelDirs);
      const names = new Set([...entries.keys(), ...models.keys()]);
      return [...names].sort().flatMap((name) => {
        const known = models.get(name)?.versions.map(({ version }) => version) ?? [];
        return indexOf(name, entries.get(name), known);
      });
    },
    isReady: () => loadedAll && !draining && !stopped,
    hasStarted: () => loadedAll,
    drain() {
      draining = true;
      notifyListeners();
    },
    onChange: (listener) => void listeners.push(listener),
    async stop() {
      stopped = true;
      lateLoads.stop();
      notifyListeners();
      await Promise.all([...entries.values()].map(({ lastChange }) => lastChange));
      await Promise.all(
        [...entries.values()].flatMap(({ versions }) => [...versions.values()].map((each) => each.unload())),
      );
    },
  };
}

const awayReason = "its graph server is away";

/** `installed`: the versions that have weights in the repository. */
function indexOf(name: string, entry: ModelEntry | undefined, installed: readonly string[]): IndexEntry[] {
  if (!entry || (entry.versions.size === 0 && entry.state !== "LOADING")) {
    const reason = entry?.reason || (installed.length === 0 ? pullHint(name) : "not loaded");
    const state = entry ? entry.state : "";
    return (installed.length > 0 ? installed : [""]).map((version) => ({ name, version, state, reason }));
  }
  const versions = entry.versions.size > 0 ? [...entry.versions.keys()] : installed;
  return versions.map((version) => {
    if (entry.versions.get(version)?.isAway?.()) return { name, version, state: "UNAVAILABLE", reason: awayReason };
    return { name, version, state: entry.state, reason: entry.reason };
  });
}

function pullHint(name: string): string {
  return `packshot models pull ${name}`;
}
