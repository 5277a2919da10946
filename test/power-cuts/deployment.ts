/** What power is cut of: machines, and what clients and the check reach of them. */
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { RunningApi } from "../failures/exactness-processes.ts";

export type Layout = "one" | "three";

export interface Deployment {
  /** APIs that answer now. */
  apis(): readonly RunningApi[];
  readonly adminToken: string;
  /** The nats-servers that are up, comma-separated. */
  natsUrl(): string;
  readonly storage: Storage;
  /** Starts what does not run, as a machine does that has power again. Rejects where that does not suffice. */
  start(): Promise<void>;
  readonly machines: number;
  /** The machines with these numbers, at the same moment. Resolves when their disks have recovered. */
  cut(machines: readonly number[]): Promise<void>;
  /** For whoever looks for what went wrong. */
  keepLogs(folder: string): Promise<void>;
  /** Ends it; throws where a file system is not whole. */
  check(): Promise<void>;
  remove(): Promise<void>;
}

export const sandboxQueueDeadlineSeconds = 20;

/** Every service has them. Files are kept until the end of a run, so that each can be looked at. */
export const serviceSettings = {
  PACKSHOT_LOG_LEVEL: "warn",
  PACKSHOT_RETENTION_SECONDS: "7200",
  PACKSHOT_SANDBOX_QUEUE_DEADLINE_SECONDS: String(sandboxQueueDeadlineSeconds),
} as const;

/** Patience, not a promise: beside other work a start takes minutes, and one that needs a hand never ends. */
export const readyTimeoutMs = 600_000;

/** Storage takes files only while it has some space left. */
export const diskBytes = 4 * 1024 ** 3;
