/** What a deployment takes, as points for slopes and as rows of a table: memory, open files, the log, files, answer times. */
import { jetstreamManager } from "@nats-io/jetstream";
import { serverDiskBytes } from "../../bench/measuring/server-usage.ts";
import { mean, quantile } from "../../bench/measuring/statistics.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { historyStream } from "../failures/check-log.ts";
import { limitOf } from "./limits.ts";
import { countKinds, type KindOfRecord } from "./record-lives.ts";
import { type Sampled, sampleProcesses } from "./sample-processes.ts";
import { createSettling } from "./settling.ts";
import { commonSlope, judgeSlope, type Point, type Slope, type Verdict } from "./slope.ts";
import { quarters } from "./week-plan.ts";

export interface Trend {
  readonly name: string;
  readonly slope: Slope;
  readonly verdict: Verdict | "grows, as its records live";
  /** How long the records live that are counted, where that is longer than the week; or what the limit is. */
  readonly lives?: string;
}

export type Timed = "accept" | "edit" | "read";

export interface WeekFigures {
  /** Looks at every process. */
  sample(): void;
  timed(what: Timed, ms: number): void;
  /** Makes points of what was sampled since the last quarter, and looks at log and storage. */
  endQuarter(day: number, quarter: number, jobsEnded: number): Promise<void>;
  /** A row of the day, by column. */
  endDay(): Readonly<Record<string, string>>;
  trends(): Trend[];
}

/** What is kept is complete from then on: events live for three days, all else but the ledger for one. */
const logFullFromDay = 3;
const filesFullFromDay = 1;
const megabyte = 1e6;
export function createWeekFigures(
  cluster: Pick<Cluster, "processes" | "nats" | "log" | "storage">,
  heapsFolder: string,
): WeekFigures {
  const { processes, nats, log, storage } = cluster;
  const points = new Map<string, Point[]>();
  const settling = createSettling();
  const livesOf = new Map<string, string>();
  let samples: Sampled[] = [];
  let ofDay: Sampled[] = [];
  let times: Record<Timed, number[]> = { accept: [], edit: [], read: [] };
  let stored = { disk: 0, log: 0, logs: 0, subjects: 0, files: 0, kept: 0 };
  let kindsOfDay: readonly KindOfRecord[] = [];

  function addPoint(name: string, point: Point): void {
    points.set(name, [...(points.get(name) ?? []), point]);
  }

  async function lookAtLog() {
    const { streams } = await jetstreamManager(log.connection);
    const found = (await Array.fromAsync(streams.list())).filter(({ config }) => config.name !== historyStream);
    const infos = await Promise.all(found.map(({ config }) => streams.info(config.name, { subjects_filter: ">" })));
    const kinds = countKinds(infos.flatMap(({ state }) => Object.keys(state.subjects ?? {})));
    return {
      kinds,
      logs: infos.length,
      disk: serverDiskBytes(nats) / megabyte,
      log: infos.reduce((sum, { state }) => sum + state.bytes, 0) / megabyte,
      subjects: infos.reduce((sum, { state }) => sum + (state.num_subjects ?? 0), 0),
    };
  }

  /** The sweep that removes photos of expired upload sessions comes by every hour, at any scale. */
  async function filesBelow(prefix: string): Promise<number> {
    const found = await Array.fromAsync(storage.list(prefix), ({ key }) => key);
    return found.filter((key) => key.split("/")[2] !== "uploads").length;
  }

  return {
    sample() {
      const ours = processes.running().map(({ role, pid }) => ({ kind: role, pid }));
      const servers = nats.pids().map((pid) => ({ kind: "nats-server", pid }));
      samples.push(...sampleProcesses([...ours, ...servers], heapsFolder));
    },
    timed: (what, ms) => void times[what].push(ms),
    async endQuarter(day, quarter, jobsEnded) {
      const at = day + quarter / quarters;
      const running = Map.groupBy(samples, ({ kind, pid }) => `${kind} ${pid}`);
      for (const [series, own] of running) {
        const { kind } = own[0]!;
        const processesOfKind = new Set(samples.flatMap((one) => (one.kind === kind ? [one.pid] : []))).size;
        if (!settling.hasSettled(series, processesOfKind, jobsEnded)) continue;
        // The least of a quarter: above it is what edits hold that run, and garbage until it is collected.
        const memory = Math.min(...own.map((one) => one.megabytes));
        addPoint(`memory of ${kind}, MB`, { series, day: at, value: memory });
        const held = Math.min(...own.map((one) => one.heldMegabytes));
        if (held > 0) addPoint(`held by heaps of ${kind}, MB`, { series, day: at, value: held });
        addPoint(`open files of ${kind}`, { series, day: at, value: mean(own.map((one) => one.files)) });
      }
      ofDay.push(...samples);
      samples = [];
      const [files, batches, ledger] = await Promise.all(["api/", "batches/", "ledger/"].map(filesBelow));
      const { kinds, ...found } = await lookAtLog();
      kindsOfDay = kinds;
      stored = { ...found, files: files!, kept: batches! + ledger! };
      if (day > logFullFromDay) {
        addPoint("disk of the nats-servers, MB", { series: "disk", day: at, value: stored.disk });
        addPoint("streams of the log, MB", { series: "log", day: at, value: stored.log });
        for (const { kind, subjects, lives } of kinds) {
          const name = `records: ${kind}`;
          addPoint(name, { series: kind, day: at, value: subjects });
          if (lives !== undefined) livesOf.set(name, lives);
        }
      }
      if (day > filesFullFromDay) addPoint("files of jobs", { series: "files", day: at, value: stored.files });
    },
    endDay() {
      const perProcess = (kind: string, of: (one: Sampled) => number) =>
        mean(ofDay.filter((one) => one.kind === kind).map(of)).toFixed(0);
      const kinds = ["api", "worker", "modelServer", "webhooks", "nats-server"];
      const p99 = (what: Timed) =>
        quantile(
          times[what].toSorted((a, b) => a - b),
          0.99,
        ).toFixed(0);
      const row = {
        ...Object.fromEntries(kinds.map((kind) => [`${kind}, MB`, perProcess(kind, (one) => one.megabytes)])),
        "held by heaps, MB": kinds
          .slice(0, -1)
          .map((kind) => perProcess(kind, (one) => one.heldMegabytes))
          .join(" / "),
        "open files": kinds.map((kind) => perProcess(kind, (one) => one.files)).join(" / "),
        "disk of nats-servers, MB": stored.disk.toFixed(1),
        "streams, MB": stored.log.toFixed(2),
        subjects: String(stored.subjects),
        "of them by kind": kindsOfDay.map(({ kind, subjects }) => `${kind} ${subjects}`).join(", "),
        "files of jobs": String(stored.files),
        "files of batches and ledger": String(stored.kept),
        "p99 of accept, edit, read, ms": [p99("accept"), p99("edit"), p99("read")].join(" / "),
        reads: String(times.read.length),
      };
      ofDay = [];
      times = { accept: [], edit: [], read: [] };
      return row;
    },
    trends: () =>
      [...points].map(([name, own]) => {
        const slope = commonSlope(own);
        const lives = livesOf.get(name);
        const limit = limitOf(name, stored);
        if (limit !== undefined) {
          const { megabytes, why } = limit;
          return { name, slope, verdict: judgeSlope(slope, megabytes), lives: `${megabytes.toFixed(0)} MB, ${why}` };
        }
        const verdict = judgeSlope(slope);
        if (lives === undefined) return { name, slope, verdict };
        return { name, slope, verdict: verdict === "grows" ? "grows, as its records live" : verdict, lives };
      }),
  };
}
