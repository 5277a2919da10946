import { readdir, readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";

/**
 * Stops a process group as an overloaded machine would. Resolves when all its threads stand still: one that runs on
 * another core may go on, and answer, for a moment after the signal was sent.
 */
export async function suspend(groupId: number): Promise<void> {
  process.kill(-groupId, "SIGSTOP");
  while (!(await threadStates(groupId)).every((state) => state === "T" || state === undefined)) await setImmediate();
}

export function resume(groupId: number): void {
  process.kill(-groupId, "SIGCONT");
}

/** States of the group's threads; undefined for one that has ended meanwhile. */
async function threadStates(groupId: number): Promise<(string | undefined)[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map(async (pid) => ({ pid, ...(await readStat(`/proc/${pid}/stat`)) })));
  const states = stats
    .filter((stat) => stat.groupId === groupId)
    .map(async ({ pid }) => {
      const threads = await readdir(`/proc/${pid}/task`);
      return await Promise.all(
        threads.map(async (thread) => (await readStat(`/proc/${pid}/task/${thread}/stat`)).state),
      );
    });
  return (await Promise.all(states)).flat();
}

/** `state` and `groupId` are undefined when the process has ended. */
async function readStat(path: string): Promise<{ state?: string; groupId?: number }> {
  const stat = await readFile(path, "utf8").catch(() => undefined);
  // The fields follow the program's name in parentheses, which may hold anything: state, parent, group.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields === undefined ? {} : { state: fields[0]!, groupId: Number(fields[2]) };
}
