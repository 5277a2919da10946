/** A worker in the test's process whose edits end one by one, when the test says so. It knows the order in which they began. */
import { EventEmitter, once } from "node:events";
import type { ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { type InstantWorkerOptions, startInstantWorker } from "./instant-worker.ts";

export interface SteppedWorker {
  /** Jobs in the order in which their edits began. */
  readonly begun: readonly ProcessingJob[];
  /** Resolves when so many edits have begun since the start. */
  hasBegun(count: number): Promise<void>;
  /** Ends the edit that has run longest. */
  step(): void;
  stop(): Promise<void>;
}

export async function startSteppedWorker(options: Omit<InstantWorkerOptions, "edit">): Promise<SteppedWorker> {
  const begun: ProcessingJob[] = [];
  const running: (() => void)[] = [];
  const changes = new EventEmitter();
  const worker = await startInstantWorker({
    ...options,
    async edit(job) {
      const ended = new Promise<void>((resolve) => running.push(resolve));
      begun.push(job);
      changes.emit("begun");
      await ended;
    },
  });
  return {
    begun,
    async hasBegun(count) {
      while (begun.length < count) await once(changes, "begun");
    },
    step() {
      running.shift()!();
    },
    async stop() {
      for (const end of running.splice(0)) end();
      await worker.stop();
    },
  };
}
