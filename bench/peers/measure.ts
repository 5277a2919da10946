/** Photos a second, latency, processor time and memory of one system in one window. */
import { setTimeout as delay } from "node:timers/promises";
import { cpuMs } from "../measuring/processor-time.ts";
import { peakRssBytes, resetPeakRss } from "../measuring/server-usage.ts";
import { median, quantile } from "../measuring/statistics.ts";
import type { System } from "./system.ts";

/** One process of a system, or several of a kind. */
export interface Part {
  readonly cpuMsEach: number;
  readonly peakBytes: number;
}

export interface Window {
  readonly latenciesMs: readonly number[];
  readonly perSecond: number;
  /** All processes of the system, for one photo. */
  readonly cpuMsEach: number;
  /** Sum of the most that each process has had. */
  readonly peakBytes: number;
  /** By name; none where the system does not name them. */
  readonly parts: ReadonlyMap<string, Part>;
}

/** A cell of the report, over all rounds. */
export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMsEach: number;
  readonly peakBytes: number;
  readonly photos: number;
  readonly parts: ReadonlyMap<string, Part>;
}

/** Photos that are sent for each client, at least. */
const photosEachMin = 1;

/** So many clients, each with one photo after the other until the time is over; all that were sent are awaited. */
async function measureWindow(
  system: System,
  cutOut: () => Promise<Buffer>,
  clients: number,
  windowMs: number,
): Promise<Window> {
  const before = system.pids().map((pid) => ({ pid, part: system.partOf?.(pid), cpuMs: cpuMs(pid) }));
  for (const { pid } of before) ifRunning(() => resetPeakRss(pid));
  const startedMs = performance.now();
  const latenciesMs: number[] = [];
  const client = async () => {
    for (let sent = 0; sent < photosEachMin || performance.now() < startedMs + windowMs; sent++) {
      const sentMs = performance.now();
      await cutOut();
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedMs) / 1000;
  const photos = latenciesMs.length;
  const used = before.map(({ pid, part, cpuMs: earlier }) => ({
    part,
    cpuMsEach: (cpuMs(pid) - earlier || 0) / photos,
    peakBytes: ifRunning(() => peakRssBytes(pid)) ?? 0,
  }));
  const named = Map.groupBy(
    used.filter(({ part }) => part !== undefined),
    ({ part }) => part!,
  );
  const parts = new Map([...named].map(([part, own]) => [part, sumOf(own)]));
  return { latenciesMs, perSecond: photos / seconds, ...sumOf(used), parts };
}

/** Adds several processes up as if they were one. */
export function sumOf(used: readonly Part[]): Part {
  return {
    cpuMsEach: used.reduce((sum, { cpuMsEach }) => sum + cpuMsEach, 0),
    peakBytes: used.reduce((sum, { peakBytes }) => sum + peakBytes, 0),
  };
}

/** A process that has ended meanwhile counts nothing; all that matter run as long as their system. */
function ifRunning<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export interface Alternation {
  readonly systems: readonly System[];
  /** Sent in turns. */
  readonly photos: readonly Buffer[];
  readonly clients: number;
  readonly windowMs: number;
  readonly rounds: number;
  readonly signal: AbortSignal;
  /** In each round the first one of a window warms up what was suspended. */
  readonly warmUps: number;
}

const settleMs = 300;

/** Round by round, each system in its turn while the others are suspended. Medians over the rounds; p99 over all photos. */
export async function measureAlternately(options: Alternation): Promise<Map<string, Measured>> {
  const { systems, photos, clients, windowMs, rounds, signal, warmUps } = options;
  const windows = new Map<string, Window[]>(systems.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const system of systems) {
      signal.throwIfAborted();
      system.resume();
      await delay(settleMs);
      const cutOut = inTurns(await Promise.all(photos.map((photo) => system.cutOut(photo))));
      // The server may have closed connections while it was suspended.
      await cutOut().catch(cutOut);
      for (let n = 1; round === 0 && n < warmUps; n++) await cutOut();
      windows.get(system.name)!.push(await measureWindow(system, cutOut, clients, windowMs));
      system.suspend();
    }
  }
  return new Map([...windows].map(([name, own]) => [name, summarize(own)]));
}

function inTurns(cutOuts: readonly (() => Promise<Buffer>)[]): () => Promise<Buffer> {
  let next = 0;
  return () => cutOuts[next++ % cutOuts.length]!();
}

function summarize(windows: readonly Window[]): Measured {
  const sorted = windows.flatMap(({ latenciesMs }) => latenciesMs).toSorted((a, b) => a - b);
  const names = [...new Set(windows.flatMap(({ parts }) => [...parts.keys()]))];
  return {
    perSecond: median(windows.map(({ perSecond }) => perSecond)),
    p50Ms: median(windows.map(({ latenciesMs }) => median(latenciesMs))),
    p99Ms: quantile(sorted, 0.99),
    ...medianOf(windows),
    photos: sorted.length,
    parts: new Map(names.map((name) => [name, medianOf(windows.flatMap(({ parts }) => parts.get(name) ?? []))])),
  };
}

function medianOf(used: readonly Part[]): Part {
  return {
    cpuMsEach: median(used.map(({ cpuMsEach }) => cpuMsEach)),
    peakBytes: median(used.map(({ peakBytes }) => peakBytes)),
  };
}
