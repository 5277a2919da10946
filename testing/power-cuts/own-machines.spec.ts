import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { whyNoCutDisk } from "./cut-disk.ts";

const script = fileURLToPath(new URL("own-machines.sh", import.meta.url));
/** Starts a process that outlives its parent and its session, as a service does, and says where its temporary files are. */
const command = ["sh", "-c", 'setsid sleep 600 & echo "$TMPDIR"; wait'];
const reason = whyNoCutDisk();

async function start(): Promise<{
  readonly run: ChildProcess;
  readonly folder: string;
  readonly allEnded: Promise<unknown>;
}> {
  const run = spawn("sh", [script, ...command], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void run.kill("SIGTERM"));
  // Every process that it has started holds the pipe.
  const allEnded = once(run.stdout!, "close");
  const [folder] = (await once(createInterface(run.stdout!), "line")) as [string];
  return { run, folder, allEnded };
}

describe.skipIf(reason !== undefined)(`machines of a run${reason ? ` (no disk: ${reason})` : ""}`, () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "end with the run that %s ends, and their files are gone",
    async (signal) => {
      const { run, folder, allEnded } = await start();
      expect(existsSync(folder)).toBe(true);
      run.kill(signal);
      const [code] = await once(run, "exit");
      await allEnded;
      expect([code, existsSync(folder)]).toEqual([143, false]);
    },
  );

  test("end with a run that is killed", async () => {
    const { run, allEnded } = await start();
    run.kill("SIGKILL");
    await allEnded;
  });

  test("a run has its command's exit status", async () => {
    const run = spawn("sh", [script, "sh", "-c", "exit 3"], { stdio: "ignore" });
    expect(await once(run, "exit")).toEqual([3, null]);
  });
});
