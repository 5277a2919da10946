/** A process's connection to the log: waits for its server and its schema, and keeps watch over both. */
import { errors, type NatsConnection } from "@nats-io/transport-node";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createPeriodicCheck, type PeriodicCheck } from "@packshot/platform/lifecycle/periodic-check.ts";
import type { Readiness } from "@packshot/platform/lifecycle/readiness.ts";
import { requestStop } from "@packshot/platform/lifecycle/run.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { CommitObserver } from "./commit/group-commit.ts";
import { createLog, type Log } from "./log.ts";
import {
  addressesWithoutPasswords,
  connectNats,
  type NatsSettings,
  watchConnection,
  watchConnectionProblem,
} from "./nats/connection.ts";
import { readLastMessage } from "./nats/leader-read.ts";
import { onElected } from "./nats/leader-watch.ts";
import { readSchema, schemaProblem, waitForSchema } from "./nats/schema.ts";

const checkEveryMs = 1_000;
/** Limits each question: the schema first, then the other streams. */
const checkTimeoutMs = 2_000;
/** With the time in which the check notices it, about as long as a read waits: the next one would hardly be answered. */
const outageAfterMs = 3_000;

export interface ConnectLogDeps extends NatsSettings {
  /** Those whose leaders the process needs; the state streams are always among them. */
  readonly streams: readonly string[];
  /** It needs the copies of the events too. */
  readonly followsEvents?: boolean;
  readonly readiness: Readiness;
  readonly observer: CommitObserver;
  readonly logger: Logger;
}

export interface ConnectedLog {
  readonly log: Log;
  /** Started before anything that uses the log. */
  readonly components: readonly Component[];
}

/**
 * Resolves when a server has answered and its log has the schema. Until then, and whenever the log is out of reach, the
 * process is not ready. Rejects when the log is of a later version.
 */
export async function connectLog(deps: ConnectLogDeps): Promise<ConnectedLog> {
  const { readiness, logger } = deps;
  let isConnected = () => false;
  const problems = watchConnectionProblem(deps, () => isConnected(), logger);
  await problems.start();
  const noAnswer = `no nats-server has answered at ${addressesWithoutPasswords(deps.url)}`;
  readiness.require("log", () => problems.problem() ?? noAnswer);
  const connection = await connectNats(deps);
  ({ isConnected } = watchConnection(connection));
  logPermissionRefusals(connection, logger);
  const lost = () => problems.problem() ?? "the connection to nats-server is lost";
  let missing = "the log has not said which schema it has";
  readiness.require("log", () => (isConnected() ? missing : lost()));
  const record = await waitForSchema({ connection, logger, onProblem: (problem) => (missing = problem) });
  let electedAtMs = Number.NEGATIVE_INFINITY;
  const isLongAgo = (ms: number) => ms > outageAfterMs;
  const log = createLog(connection, {
    stateStreamCount: record.stateStreams,
    observer: deps.observer,
    // A new leader answers before the next check has found that it does.
    outage: () =>
      isLongAgo(check.failingForMs()) && isLongAgo(performance.now() - electedAtMs)
        ? "the log is out of reach"
        : undefined,
  });
  for (const { state } of log.stateStreams)
    onElected(connection, state, () => {
      electedAtMs = performance.now();
    });
  const check = createLogCheck(log, deps);
  readiness.require("log", () => (isConnected() ? check.reason() : lost()));
  return { log, components: [closeWhenStopped(connection, isConnected), problems, check] };
}

/**
 * Lets what was published arrive; while there is no server, nothing does, and the client would wait for one. A client that
 * gave up (the server refuses its credentials) never connects again: only a new process does, with new credentials.
 */
function closeWhenStopped(connection: NatsConnection, isConnected: () => boolean): Component {
  let isStopping = false;
  void connection.closed().then((error) => {
    if (!isStopping)
      requestStop(`the connection to nats-server was closed: ${error ? error.message : "by the client"}`);
  });
  return {
    name: "nats connection",
    async start() {},
    async stop() {
      isStopping = true;
      if (isConnected()) await connection.drain();
      else await connection.close();
    },
  };
}

function createLogCheck({ connection, stateStreams }: Log, deps: ConnectLogDeps): PeriodicCheck {
  const [, ...furtherStates] = stateStreams.map(({ state }) => state);
  const events = deps.followsEvents === true ? stateStreams.map((stream) => stream.events) : [];
  const others = [...furtherStates, ...events, ...deps.streams];
  return createPeriodicCheck({
    name: "log",
    everyMs: checkEveryMs,
    timeoutMs: 2 * checkTimeoutMs,
    logger: deps.logger,
    async attempt() {
      const { record } = await readSchema(connection, checkTimeoutMs).catch(notAnswering(streams.state));
      const problem = schemaProblem(record);
      if (problem !== undefined) throw new Error(problem);
      // Their leaders are asked for a subject by its name, which costs them no search; that they answer is enough.
      await Promise.all(
        others.map((stream) =>
          readLastMessage(connection, stream, subjects.schema, checkTimeoutMs).catch(notAnswering(stream)),
        ),
      );
    },
  });
}

function notAnswering(stream: string): (cause: unknown) => never {
  return (cause) => {
    throw new Error(`${stream} does not answer: its nats-server hangs, or it has no leader`, { cause });
  };
}

/**
 * nats-server tells a client what it does not let it do, and the call itself may only time out. So what is refused is
 * logged: it means that the server's configuration was rendered for another version, or that a process has the
 * credentials of another service.
 */

/** Each subject is logged once, so many of them. */
const subjectsMax = 100;

function logPermissionRefusals(connection: NatsConnection, logger: Logger): void {
  const logged = new Set<string>();

  async function follow(): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== "error" || !(status.error instanceof errors.PermissionViolationError)) continue;
      const { operation, subject } = status.error;
      if (logged.size >= subjectsMax || logged.has(subject)) continue;
      logged.add(subject);
      logger.error(
        { operation, subject },
        "nats-server does not let this service do that: are these its own credentials, and the server's permissions of this version?",
      );
    }
  }
  void follow();
}
