import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs, type Running, supervise } from "./supervisor.ts";

test("the wait before a restart starts at a second, never shrinks, and ends at half a minute", () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(backoffMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  fc.assert(fc.property(fc.nat(1_000), (crashes) => backoffMs(crashes + 1) >= backoffMs(crashes)));
});

function process(endOfStop = "ended with status 0"): Running & { crash(): void } {
  let end: (how: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { ended, crash: () => end("ended with status 7"), stop: async () => end(endOfStop) };
}

test("a process that crashes is started again with what its previous start resolved with, and this is printed", async () => {
  const first = process();
  const second = process();
  const starts: (Running | undefined)[] = [];
  let back = () => {};
  const isBack = new Promise<void>((resolve) => {
    back = resolve;
  });
  const said: string[] = [];
  const kept = await supervise(
    "part",
    async (previous) => {
      starts.push(previous);
      return starts.length === 1 ? first : second;
    },
    (line) => {
      said.push(line);
      if (line === "part is back") back();
    },
  );
  first.crash();
  await isBack;
  expect(starts).toEqual([undefined, first]);
  expect(said).toEqual(["part ended with status 7; starting it again in 1 s", "part is back"]);
  await kept.stop();
});

test("a stop during the wait before a restart is final", async () => {
  const only = process();
  let starts = 0;
  let told = () => {};
  const isTold = new Promise<void>((resolve) => {
    told = resolve;
  });
  const kept = await supervise(
    "part",
    async () => {
      starts += 1;
      return only;
    },
    () => told(),
  );
  only.crash();
  await isTold;
  await kept.stop();
  expect(starts).toBe(1);
});

test.each([
  ["ended with status 0", []],
  ["was ended by SIGTERM", []],
  ["ended with status 1", ["part ended with status 1 while it stopped"]],
  ["was ended by SIGSEGV", ["part was ended by SIGSEGV while it stopped"]],
])("of a process that %s while it is stopped this is printed: %s", async (how, wanted) => {
  const said: string[] = [];
  const kept = await supervise(
    "part",
    async () => process(how),
    (line) => said.push(line),
  );
  await kept.stop();
  expect(said).toEqual(wanted);
});
