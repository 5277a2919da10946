/** Which models are in service: load, reload and unload them without dropping a request. */
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { InferError } from "./infer-error.ts";
import { loadVersion, type SessionSettings } from "./load-version.ts";
import type { InferenceMetrics } from "./metrics.ts";
import { readRepository } from "./repository.ts";
import type { ServedVersion } from "./served-version.ts";

export type ModelState = "READY" | "LOADING" | "UNLOADING" | "UNAVAILABLE";

export interface IndexEntry {
  readonly name: string;
  readonly version: string;
  readonly state: ModelState | "";
  readonly reason: string;
}

export interface ModelRegistry {
  /** Loads every model whose weights are here. */
  loadAll(): Promise<void>;
  /** Reads the folder anew; a version that runs already is replaced once its successor is warm. */
  load(name: string): Promise<void>;
  unload(name: string): Promise<void>;
  /** Throws NOT_FOUND or UNAVAILABLE. An empty version is the newest. */
  find(name: string, version: string): ServedVersion;
  /** Those that are ready, oldest first. */
  versionsOf(name: string): readonly ServedVersion[];
  all(): readonly ServedVersion[];
  index(): readonly IndexEntry[];
  isReady(): boolean;
  onChange(listener: () => void): void;
  stop(): Promise<void>;
}

export interface RegistryOptions {
  readonly modelDirs: readonly string[];
  readonly settings: SessionSettings;
  readonly metrics: InferenceMetrics;
  readonly logger: Logger;
  readonly onFatal: (error: Error) => void;
}

interface Slot {
  state: ModelState;
  reason: string;
  readonly versions: Map<string, ServedVersion>;
  /** Changes of one model happen one after the other. */
  last: Promise<unknown>;
}

export function createModelRegistry(options: RegistryOptions): ModelRegistry {
  const { modelDirs, logger } = options;
  const slots = new Map<string, Slot>();
  const listeners: (() => void)[] = [];
  let loadedAll = false;
  let stopped = false;

  const changed = (): void => {
    for (const listener of listeners) listener();
  };

  function slotOf(name: string): Slot {
    const known = slots.get(name);
    if (known) return known;
    const slot: Slot = { state: "UNAVAILABLE", reason: "", versions: new Map(), last: Promise.resolve() };
    slots.set(name, slot);
    return slot;
  }

  function inTurn(name: string, change: (slot: Slot) => Promise<void>): Promise<void> {
    const slot = slotOf(name);
    const turn = slot.last.then(() => change(slot)).finally(changed);
    slot.last = turn.catch(() => {});
    return turn;
  }

  function folderOf(name: string) {
    let found: ReturnType<typeof readRepository>;
    try {
      found = readRepository(modelDirs);
    } catch (cause) {
      throw new InferError("INVALID_ARGUMENT", (cause as Error).message, cause);
    }
    const folder = found.models.get(name);
    if (!folder) throw new InferError("NOT_FOUND", `no model '${name}' in the repository`);
    if (folder.versions.length === 0)
      throw new InferError("NOT_FOUND", `model '${name}' has no weights here: ${pullHint(name)}`);
    return folder;
  }

  async function loadNow(name: string, slot: Slot): Promise<void> {
    if (stopped) throw new InferError("UNAVAILABLE", "the server stops");
    const before = slot.state;
    try {
      const folder = folderOf(name);
      if (slot.versions.size === 0) slot.state = "LOADING";
      changed();
      const fresh = new Map<string, ServedVersion>();
      for (const { version, file } of folder.versions) {
        fresh.set(version, await loadVersion({ ...options, folder, version, file }));
      }
      const old = [...slot.versions.values()];
      slot.versions.clear();
      for (const [version, served] of fresh) slot.versions.set(version, served);
      slot.state = "READY";
      slot.reason = "";
      // What the old ones accepted they finish; new requests already go to the new ones.
      retireAll(old, fresh);
    } catch (error) {
      slot.state = slot.versions.size > 0 ? before : "UNAVAILABLE";
      slot.reason = (error as Error).message;
      throw error instanceof InferError ? error : new InferError("INTERNAL", (error as Error).message, error);
    }
  }

  function retireAll(old: readonly ServedVersion[], fresh: ReadonlyMap<string, ServedVersion>): void {
    for (const each of old) {
      void each.retire().then(() => {
        if (!fresh.has(each.version)) options.metrics.forget(each.name, each.version);
        logger.info({ model: each.name, version: each.version }, "model version retired");
      });
    }
  }

  async function unloadNow(name: string, slot: Slot): Promise<void> {
    if (slot.versions.size === 0) throw new InferError("NOT_FOUND", `model '${name}' is not loaded`);
    slot.state = "UNLOADING";
    changed();
    await Promise.all([...slot.versions.values()].map((each) => each.retire()));
    for (const version of slot.versions.keys()) options.metrics.forget(name, version);
    slot.versions.clear();
    slot.state = "UNAVAILABLE";
    slot.reason = "unloaded";
    logger.info({ model: name }, "model unloaded");
  }

  function find(name: string, version: string): ServedVersion {
    const slot = slots.get(name);
    if (!slot) throw new InferError("NOT_FOUND", `unknown model '${name}'`);
    if (slot.state === "UNLOADING") throw new InferError("UNAVAILABLE", `model '${name}' is being unloaded`);
    const served = version === "" ? [...slot.versions.values()].at(-1) : slot.versions.get(version);
    if (served) return served;
    if (slot.versions.size > 0)
      throw new InferError("NOT_FOUND", `model '${name}' has no version ${version} in service`);
    throw new InferError("UNAVAILABLE", `model '${name}' is not ready: ${slot.reason || slot.state.toLowerCase()}`);
  }

  return {
    async loadAll() {
      const { models, ignored } = readRepository(modelDirs);
      for (const file of ignored) logger.warn({ file }, "no manifest has this file's name; it is not served");
      const here = [...models.values()].filter(({ versions }) => versions.length > 0);
      if (here.length === 0) throw new Error(`no model with weights in ${modelDirs.join(", ")}`);
      for (const { name } of here) await inTurn(name, (slot) => loadNow(name, slot));
      loadedAll = true;
      changed();
    },
    load: (name) => inTurn(name, (slot) => loadNow(name, slot)),
    unload: (name) => inTurn(name, (slot) => unloadNow(name, slot)),
    find,
    versionsOf: (name) => [...(slots.get(name)?.versions.values() ?? [])],
    all: () => [...slots.values()].flatMap(({ versions }) => [...versions.values()]),
    index() {
      const { models } = readRepository(modelDirs);
      const names = new Set([...slots.keys(), ...models.keys()]);
      return [...names].sort().flatMap((name): IndexEntry[] => {
        const slot = slots.get(name);
        const known = models.get(name)?.versions.map(({ version }) => version) ?? [];
        if (!slot || (slot.versions.size === 0 && slot.state !== "LOADING")) {
          const reason = slot?.reason || (known.length === 0 ? pullHint(name) : "not loaded");
          return (known.length > 0 ? known : [""]).map((version) => ({
            name,
            version,
            state: slot ? slot.state : "",
            reason,
          }));
        }
        const versions = slot.versions.size > 0 ? [...slot.versions.keys()] : known;
        return versions.map((version) => ({ name, version, state: slot.state, reason: slot.reason }));
      });
    },
    isReady: () => loadedAll && !stopped,
    onChange: (listener) => void listeners.push(listener),
    async stop() {
      stopped = true;
      changed();
      await Promise.all([...slots.values()].map(({ last }) => last));
      await Promise.all(
        [...slots.values()].flatMap(({ versions }) => [...versions.values()].map((each) => each.retire())),
      );
    },
  };
}

function pullHint(name: string): string {
  return `packshot models pull ${name}`;
}
