import type { Log } from "@packshot/log/log.ts";
import { expect, test } from "vitest";
import type { ProcessHeartbeat } from "./process-heartbeat.ts";
import { createProcessList } from "./process-list.ts";

const minuteMs = 60_000;

async function open({ isRefused = false } = {}) {
  let nowMs = 0;
  let hear = (_heartbeat: ProcessHeartbeat) => {};
  const subscribe = (_: string, { callback }: { callback: (error: null, message: object) => void }) => {
    hear = (heartbeat) => callback(null, { json: () => heartbeat });
    const drain = async () => {
      if (isRefused) throw new Error("the subscription is closed");
    };
    return { isClosed: () => isRefused, drain };
  };
  const processes = createProcessList({ log: { connection: { subscribe } } as unknown as Log, nowMs: () => nowMs });
  await processes.start();
  return {
    processes,
    beat: (pipeline: string, isLeaving = false, { imageModel, slots }: Partial<ProcessHeartbeat> = {}) =>
      hear({
        v: 1,
        id: pipeline,
        service: "worker",
        host: "here",
        pid: 1,
        startedAt: "",
        residentBytes: 1,
        problems: {},
        pipeline,
        ...(imageModel !== undefined && { imageModel }),
        ...(slots !== undefined && { slots }),
        isLeaving,
      }),
    wait: (ms: number) => (nowMs += ms),
  };
}

test("a pipeline is gone when none of its workers was heard of for minutes, and others were", async () => {
  const { processes, beat, wait } = await open();
  beat("new");
  // Whoever has just started may not have heard of all.
  expect(processes.isPipelineGone("old")).toBe(false);
  wait(4 * minuteMs);
  beat("new");
  beat("old", true);
  wait(2 * minuteMs);
  beat("new");
  expect([processes.pipelines(), processes.isPipelineGone("old")]).toEqual([["new"], false]);
  expect(processes.isPipelineGone("never")).toBe(true);
  wait(4 * minuteMs);
  beat("new");
  expect([processes.isPipelineGone("old"), processes.isPipelineGone("new")]).toEqual([true, false]);
  wait(60 * minuteMs);
  // No worker runs, as in a restart of all.
  expect(processes.isPipelineGone("old")).toBe(false);
});

test("an image model is gone when no worker that runs has had one for minutes", async () => {
  const { processes, beat, wait } = await open();
  beat("one", false, { imageModel: "klein@1" });
  expect(processes.isImageModelGone()).toBe(false);
  wait(4 * minuteMs);
  beat("one");
  expect(processes.isImageModelGone()).toBe(false);
  wait(2 * minuteMs);
  expect(processes.isImageModelGone()).toBe(true);
  beat("one", false, { imageModel: "klein@1" });
  expect(processes.isImageModelGone()).toBe(false);
  wait(60 * minuteMs);
  // No worker runs, as in a restart of all.
  expect(processes.isImageModelGone()).toBe(false);
});

test("processes of a service are counted once each has had the time to be heard, and a silent one is forgotten", async () => {
  const { processes, beat, wait } = await open();
  beat("one");
  beat("two");
  expect(processes.count("worker")).toBeUndefined();
  wait(2_500);
  expect([processes.count("worker"), processes.count("webhooks")]).toEqual([2, 0]);
  beat("two", true);
  expect(processes.count("worker")).toBe(1);
  wait(8_001);
  expect(processes.count("worker")).toBe(0);
});

test("image models are those of workers that run now", async () => {
  const { processes, beat, wait } = await open();
  beat("one");
  expect(processes.imageModels()).toEqual([]);
  beat("two", false, { imageModel: "klein@2" });
  beat("three", false, { imageModel: "klein@1" });
  beat("four", false, { imageModel: "klein@2" });
  expect(processes.imageModels()).toEqual(["klein@1", "klein@2"]);
  // A model server has lost its model.
  beat("three");
  expect(processes.imageModels()).toEqual(["klein@2"]);
  wait(8_001);
  expect(processes.imageModels()).toEqual([]);
});

test("there may be an image model while a worker has one, and until all have had the time to be heard", async () => {
  const { processes, beat, wait } = await open();
  beat("one");
  expect(processes.mayHaveImageModel()).toBe(true);
  wait(2_500);
  expect(processes.mayHaveImageModel()).toBe(false);
  beat("two", false, { imageModel: "klein@1" });
  expect(processes.mayHaveImageModel()).toBe(true);
  beat("two");
  expect(processes.mayHaveImageModel()).toBe(false);
});

test("where the server refuses to tell of others it counts none, and stops all the same", async () => {
  const { processes, wait } = await open({ isRefused: true });
  wait(2_500);
  expect(processes.count("webhooks")).toBe(0);
  await processes.stop();
});

test("slots are those of all workers that run, once each has been heard and says how many it has", async () => {
  const { processes, beat, wait } = await open();
  beat("one", false, { slots: 2 });
  expect(processes.liveSlots()).toBeUndefined();
  wait(3_000);
  expect(processes.liveSlots()).toBe(2);
  beat("two", false, { slots: 3 });
  expect(processes.liveSlots()).toBe(5);
  beat("old");
  expect(processes.liveSlots()).toBeUndefined();
  beat("old", true);
  beat("one", true);
  expect(processes.liveSlots()).toBe(3);
  wait(minuteMs);
  expect(processes.liveSlots()).toBeUndefined();
});
