/**
 * A process of the log tells the API processes that it lives and what it is not ready for, so that the operator sees the whole
 * service at one address. Heartbeats are core messages of NATS and not stored: an API process that has just started knows
 * all others after one interval, a killed process is forgotten by itself, and the log gets no subjects or commits. A
 * heartbeat carries the readiness that the probe gives, so the operator's page and the orchestrator never disagree.
 *
 * Heartbeats decide no work: leases and claims have means of their own. Webhook services divide the limits that clients set by
 * the number of processes that they hear of; false heartbeats could slow those deliveries, but only to a bound. A worker
 * without an image model counts by them how long a job has lacked one; false ones could keep such a job until its queue deadline. The model server is no client of the log and sends none;
 * workers say whether they reach it. Only the three services may publish to the subject (permissions.ts), because whoever
 * may could show processes that do not exist.
 *
 * Alternatives: the list of connections of nats-server needs its system account and knows no readiness; not every operator
 * runs Prometheus; a record with a TTL would cost a commit a second for each process.
 */
import { hostname } from "node:os";
import type { NatsConnection } from "@nats-io/transport-node";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Readiness } from "@packshot/platform/lifecycle/readiness.ts";

export const heartbeatIntervalMs = 2_000;

export interface ProcessHeartbeat {
  readonly v: 1;
  readonly id: string;
  /** `api`, `worker`, `webhooks` */
  readonly service: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly residentBytes: number;
  /** What it is not ready for, by name, in a few words; empty: it does its work. */
  readonly problems: Readonly<Record<string, string>>;
  /** The version of a worker's pipeline. */
  readonly pipeline?: string;
  /** The image model that a worker's model servers have, as `name@version`. */
  readonly imageModel?: string;
  /** Live edits that a worker takes at once. */
  readonly slots?: number;
  /** The last one that it sends. */
  readonly isLeaving: boolean;
}

export interface ProcessHeartbeatDeps {
  readonly connection: Pick<NatsConnection, "publish" | "isClosed">;
  readonly service: string;
  readonly readiness: Pick<Readiness, "reasons">;
  readonly pipeline?: string | undefined;
  readonly slots?: number | undefined;
  readonly imageModel?: (() => string | undefined) | undefined;
}

export function createProcessHeartbeat(deps: ProcessHeartbeatDeps): Component {
  const { connection, service, readiness, pipeline, slots } = deps;
  const identity = { id: uuidv7(), service, host: hostname(), pid: process.pid, pipeline, slots };
  const startedAt = isoTime(Date.now() - Math.round(process.uptime() * 1000));
  let timer: NodeJS.Timeout | undefined;

  function send(isLeaving: boolean): void {
    // Without a server the client keeps what it is given; a closed one would throw.
    if (connection.isClosed()) return;
    const heartbeat: ProcessHeartbeat = {
      v: 1,
      ...identity,
      startedAt,
      residentBytes: process.memoryUsage.rss(),
      problems: readiness.reasons(),
      imageModel: deps.imageModel?.(),
      isLeaving,
    };
    connection.publish(subjects.processAlive, JSON.stringify(heartbeat));
  }

  return {
    name: "process heartbeat",
    async start() {
      if (timer !== undefined) return;
      send(false);
      timer = setInterval(() => send(false), heartbeatIntervalMs);
    },
    async stop() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      send(true);
    },
  };
}
