/** A machine whose power can be cut: a disk, and the processes on it, which end all at the same moment. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type Service, type ServiceOptions, startService } from "../../cli/up/start-service.ts";
import type { CutDisk } from "./cut-disk.ts";

/** In the environment of the machine's processes, and so of those that they start: by it they are found. */
const machineVariable = "POWER_CUT_MACHINE";
const lookAgainMs = 10;

export interface Machine {
  readonly disk: CutDisk;
  /** Rejects when the power is cut while it starts. */
  start<R>(program: ServiceOptions<R>): Promise<Service<R>>;
  /** Resolves when nothing of it runs and its disk has recovered. */
  cut(): Promise<void>;
  /** Ends its processes; throws where its file system is not whole. */
  check(): Promise<void>;
  /** Ends its processes and removes its disk. */
  remove(): Promise<void>;
}

/** @param name one that no other machine of this host has */
export function createMachine(name: string, disk: CutDisk): Machine {
  const mark = `${machineVariable}=${name}`;
  let starts: Promise<unknown>[] = [];

  function processes(): number[] {
    return readdirSync("/proc").flatMap((entry) => {
      if (!/^\d+$/.test(entry)) return [];
      try {
        return readFileSync(`/proc/${entry}/environ`, "latin1").split("\0").includes(mark) ? [Number(entry)] : [];
      } catch {
        return []; // Gone meanwhile.
      }
    });
  }

  function signal(pids: readonly number[], name: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // Gone meanwhile.
      }
    }
  }

  /** One that is about to start another may do so before it stops. */
  function stopAll(): void {
    let stopped = 0;
    for (let found = processes(); found.length > stopped; found = processes()) {
      signal(found, "SIGSTOP");
      stopped = found.length;
    }
  }

  async function killAll(): Promise<void> {
    for (let left = processes(); left.length > 0; left = processes()) {
      signal(left, "SIGKILL");
      await setTimeout(lookAgainMs);
    }
    await Promise.allSettled(starts);
    starts = [];
  }

  return {
    disk,
    async start(program) {
      const environment = { ...program.environment, [machineVariable]: name };
      const starting = startService({ ...program, environment });
      starts.push(starting);
      return await starting;
    },
    async cut() {
      // First they stand still: a process that went on while its disk is gone might confirm what its disk refused.
      stopAll();
      disk.cut();
      await killAll();
      await disk.recover();
    },
    async check() {
      await killAll();
      await disk.check();
    },
    async remove() {
      await killAll();
      await disk.remove();
    },
  };
}
