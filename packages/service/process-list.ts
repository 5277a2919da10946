/** The processes of the service, by their heartbeats. */
import type { Subscription } from "@nats-io/transport-node";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { heartbeatIntervalMs, type ProcessHeartbeat } from "./process-heartbeat.ts";

export interface SeenProcess extends ProcessHeartbeat {
  readonly seenAtMs: number;
}

export interface ProcessList extends Component {
  /** Those that were heard of lately, by service and start. */
  list(): readonly SeenProcess[];
  /** How many of a service were heard of lately; undefined until each that runs has had the time to be heard. */
  count(service: string): number | undefined;
  /** Live edits that running workers take at once; undefined: none runs, one does not say, or not each has had the time to be heard. */
  liveSlots(): number | undefined;
  /** Versions of the pipeline that running workers have, the newest first. */
  pipelines(): readonly string[];
  /** Image models that the model servers of running workers have, as `name@version`. */
  imageModels(): readonly string[];
  /** A running worker has an image model. Also true until each that runs has had the time to be heard. */
  mayHaveImageModel(): boolean;
  /** None of them has had this version for minutes, though others run: a restart of workers takes less. */
  isPipelineGone(version: string): boolean;
  /** None of them has had an image model for minutes, though some run. */
  isImageModelGone(): boolean;
}

/** A killed process is forgotten after so long. */
const silentMs = 4 * heartbeatIntervalMs;
/** A heartbeat may be late by a part of its interval. */
const allHeardMs = 1.25 * heartbeatIntervalMs;
/** Longer than a restart of workers takes. */
const goneAfterMs = 5 * 60_000;
/** More than any service has; whoever can send heartbeats cannot fill the memory with them. */
const processesMax = 2_000;

export function createProcessList({ log, nowMs }: { readonly log: Log; readonly nowMs: () => number }): ProcessList {
  const seen = new Map<string, SeenProcess>();
  /** When a version of the pipeline was heard of. */
  const heardAtMs = new Map<string, number>();
  /** When an image model was heard of. */
  let imageModelAtMs = Number.NEGATIVE_INFINITY;
  let subscription: Subscription | undefined;
  let listeningSinceMs = Number.POSITIVE_INFINITY;

  function forgetSilent(): void {
    for (const [id, { seenAtMs }] of seen) if (nowMs() - seenAtMs > silentMs) seen.delete(id);
  }

  function note(heartbeat: ProcessHeartbeat): void {
    notePipeline(heartbeat);
    if (heartbeat.imageModel !== undefined) imageModelAtMs = nowMs();
    if (heartbeat.isLeaving) return void seen.delete(heartbeat.id);
    if (seen.size >= processesMax) forgetSilent();
    if (seen.size < processesMax || seen.has(heartbeat.id)) seen.set(heartbeat.id, { ...heartbeat, seenAtMs: nowMs() });
  }

  function notePipeline({ pipeline }: ProcessHeartbeat): void {
    if (pipeline === undefined || (heardAtMs.size >= processesMax && !heardAtMs.has(pipeline))) return;
    heardAtMs.set(pipeline, nowMs());
  }

  /** Since when what is not heard of is gone. */
  function forgetOldPipelines(): number {
    const sinceMs = nowMs() - goneAfterMs;
    for (const [known, atMs] of heardAtMs) if (atMs < sinceMs) heardAtMs.delete(known);
    return sinceMs;
  }

  const isListeningAnew = () => nowMs() - listeningSinceMs < allHeardMs;

  function imageModels(): string[] {
    forgetSilent();
    return [...new Set([...seen.values()].flatMap(({ imageModel }) => imageModel ?? []))].sort();
  }

  return {
    name: "process list",
    list() {
      forgetSilent();
      const order = ({ service, startedAt, id }: SeenProcess) => `${service} ${startedAt} ${id}`;
      return [...seen.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
    },
    count(service) {
      if (isListeningAnew()) return undefined;
      forgetSilent();
      let count = 0;
      for (const heard of seen.values()) if (heard.service === service) count += 1;
      return count;
    },
    liveSlots() {
      if (isListeningAnew()) return undefined;
      forgetSilent();
      const workers = [...seen.values()].filter(({ service }) => service === "worker");
      if (workers.length === 0 || workers.some(({ slots }) => slots === undefined)) return undefined;
      return workers.reduce((sum, { slots = 0 }) => sum + slots, 0);
    },
    pipelines() {
      forgetSilent();
      const versions = [...seen.values()].flatMap(({ pipeline }) => pipeline ?? []);
      return [...new Set(versions)].sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
    },
    imageModels,
    mayHaveImageModel: () => isListeningAnew() || imageModels().length > 0,
    isPipelineGone(version) {
      const sinceMs = forgetOldPipelines();
      return listeningSinceMs < sinceMs && heardAtMs.size > 0 && !heardAtMs.has(version);
    },
    isImageModelGone() {
      const sinceMs = forgetOldPipelines();
      return listeningSinceMs < sinceMs && heardAtMs.size > 0 && imageModelAtMs < sinceMs;
    },
    async start() {
      listeningSinceMs = Math.min(listeningSinceMs, nowMs());
      subscription ??= log.connection.subscribe(subjects.processAlive, {
        callback: (error, message) => {
          if (error === null) note(message.json());
        },
      });
    },
    async stop() {
      // The server closes one that its permissions do not have.
      if (subscription?.isClosed() === false) await subscription.drain();
      subscription = undefined;
    },
  };
}
