/** Which session runs which bucket, with sessions that are slow after a change of shape, as onnxruntime's are on a GPU. */
import { encodeModel } from "@packshot/models/onnx-file.ts";
import { tinySegmenter } from "@packshot/models/tiny-segmenter.ts";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { type BucketTensors, createBucketSessions, furtherSessions, type RowSession } from "./bucket-sessions.ts";

interface Rows {
  readonly rows: number;
}

const gpu = ["cuda", "cpu"] as const;
const cpu = ["cpu"] as const;
const buckets = [1, 2, 4, 8];
const planMs = 400;
const runMs = (rows: number): number => 2 + rows;
const rowsOf = (bucket: number): BucketTensors<Rows> => ({
  bucket,
  feeds: { rows: bucket },
  fetches: [{ rows: bucket }, { rows: bucket }],
});
const planned = buckets.map(rowsOf);

/** `fits` says whether the device has room for one more run of so many rows. */
function createDevice(fits: (rows: number, runs: number) => boolean = () => true) {
  let nowMs = 0;
  let running = 0;
  const sessions: { shapes: number[]; isReleased: boolean }[] = [];
  const create = (): RowSession<Rows> => {
    const session = { shapes: [] as number[], isReleased: false };
    sessions.push(session);
    return {
      async run({ rows }) {
        running += 1;
        expect(running).toBe(1);
        await Promise.resolve();
        if (session.shapes.at(-1) !== rows) nowMs += planMs;
        nowMs += runMs(rows);
        session.shapes.push(rows);
        running -= 1;
        if (!fits(rows, session.shapes.length)) throw new Error("Failed to allocate memory");
      },
      async release() {
        expect(session.isReleased).toBe(false);
        session.isReleased = true;
      },
    };
  };
  return { create, sessions, nowMs: () => nowMs };
}

function start(providers: readonly ("cpu" | "cuda")[], device = createDevice()) {
  const sessions = createBucketSessions({ providers, first: device.create(), nowMs: device.nowMs });
  const create = furtherSessions(providers, () => Promise.resolve(device.create()));
  return { device, sessions, warm: (rounds = 2) => sessions.warm(planned, rounds, create) };
}

/** The different shapes that each session has run. */
const shapesSeen = ({ sessions }: ReturnType<typeof createDevice>): number[][] =>
  sessions.map(({ shapes }) => [...new Set(shapes)]);

describe("an instance on a GPU", () => {
  it("has a session for each bucket, which never sees another shape", async () => {
    const { device, sessions, warm } = start(gpu);
    await warm();
    expect(shapesSeen(device)).toEqual([[1], [8], [4], [2]]);
    for (const bucket of [4, 8, 4, 1, 2, 8, 1]) expect(await sessions.run(bucket, 0)).toBe(runMs(bucket));
    expect(shapesSeen(device)).toEqual([[1], [8], [4], [2]]);
  });

  it("measures in its warm-up what a run takes after a run of another bucket", async () => {
    const { warm } = start(gpu);
    const { warmed, dropped } = await warm();
    expect(warmed).toEqual(buckets.map((bucket) => ({ bucket, ms: [runMs(bucket), runMs(bucket)] })));
    expect(dropped).toEqual([]);
    // Were all buckets one session's, the warm-up would show it.
    const device = createDevice();
    const only = device.create();
    const shared = createBucketSessions({ providers: gpu, first: only, nowMs: device.nowMs });
    const seen = await shared.warm(planned, 1, () => Promise.resolve(only));
    expect(seen.warmed).toEqual(buckets.map((bucket) => ({ bucket, ms: [planMs + runMs(bucket)] })));
  });

  it("refuses a run while another one runs, because its sessions share the device's memory and time", async () => {
    const { sessions, warm } = start(gpu);
    await warm();
    const running = sessions.run(1, 0);
    await expect(sessions.run(2, 0)).rejects.toThrow("has not ended");
    await running;
    expect(await sessions.run(2, 1)).toBe(runMs(2));
  });

  it("drops the buckets that do not fit, and their sessions", async () => {
    const { device, sessions, warm } = start(
      gpu,
      createDevice((rows) => rows < 4),
    );
    const { warmed, dropped } = await warm();
    expect(warmed.map(({ bucket }) => bucket)).toEqual([1, 2]);
    expect(dropped).toEqual([4, 8].map((bucket) => ({ bucket, reason: "Failed to allocate memory" })));
    expect(device.sessions.map(({ isReleased }) => isReleased)).toEqual([false, true, true, false]);
    await expect(sessions.run(4, 0)).rejects.toThrow("no bucket of 4 rows");
  });

  it("drops a bucket that fits only once", async () => {
    const { device, warm } = start(
      gpu,
      createDevice((rows, runs) => rows < 4 || runs < 2),
    );
    expect((await warm()).dropped.map(({ bucket }) => bucket)).toEqual([4, 8]);
    expect(device.sessions.map(({ isReleased }) => isReleased)).toEqual([false, true, true, false]);
  });

  it("drops a bucket between the others alone", async () => {
    const { device, warm } = start(
      gpu,
      createDevice((rows) => rows !== 4),
    );
    const { warmed, dropped } = await warm();
    expect(warmed.map(({ bucket }) => bucket)).toEqual([1, 2, 8]);
    expect(dropped.map(({ bucket }) => bucket)).toEqual([4]);
    expect(device.sessions.map(({ isReleased }) => isReleased)).toEqual([false, false, true, false]);
  });

  it("gives up the largest bucket for a smaller one that finds no room in a later round", async () => {
    const device = createDevice((rows, runs) => rows !== 2 || runs < 2 || device.sessions[1]!.isReleased);
    const { warmed, dropped } = await start(gpu, device).warm();
    expect(warmed.map(({ bucket, ms }) => [bucket, ms.length])).toEqual([
      [1, 2],
      [2, 2],
      [4, 2],
    ]);
    expect(dropped.map(({ bucket }) => bucket)).toEqual([8]);
  });

  it("is warmed again with fewer buckets where it found no room at first", async () => {
    let isFull = true;
    const device = createDevice(() => !isFull);
    const { sessions, warm } = start(gpu, device);
    await expect(warm()).rejects.toThrow("Failed to allocate memory");
    isFull = false;
    await sessions.warm([rowsOf(1)], 1, null);
    await sessions.run(1, 0);
    await expect(sessions.run(8, 0)).rejects.toThrow("no bucket of 8 rows");
  });

  it("is not served where its first bucket does not fit", async () => {
    const { warm } = start(
      gpu,
      createDevice(() => false),
    );
    await expect(warm()).rejects.toThrow("Failed to allocate memory");
  });

  it("gives up the buckets for which another instance has no room, and all sessions at its end", async () => {
    const { device, sessions, warm } = start(gpu);
    await warm();
    await sessions.keep([1, 2]);
    expect(device.sessions.map(({ isReleased }) => isReleased)).toEqual([false, true, true, false]);
    await sessions.release();
    expect(device.sessions.every(({ isReleased }) => isReleased)).toBe(true);
  });
});

describe("an instance on a CPU", () => {
  it("keeps one session for all buckets, and warms the first only", async () => {
    const { device, sessions, warm } = start(cpu);
    // It would hold the model's bytes.
    expect(furtherSessions(cpu, device.create)).toBeNull();
    const { warmed } = await warm();
    expect(warmed).toEqual([{ bucket: 1, ms: [runMs(1), runMs(1)] }]);
    for (const bucket of [4, 8, 4, 1]) await sessions.run(bucket, 0);
    expect(shapesSeen(device)).toEqual([[1, 4, 8]]);
    await sessions.release();
    expect(device.sessions).toEqual([{ shapes: [1, 1, 1, 4, 8, 4, 1], isReleased: true }]);
  });
});

it("gives with a real session for each bucket what one session gives", async () => {
  const model = encodeModel(tinySegmenter({ width: 16, height: 16, channels: 3 }));
  const create = () => InferenceSession.create(model, { executionProviders: ["cpu"], intraOpNumThreads: 1 });
  const input = Float32Array.from({ length: 2 * 16 * 16 * 3 }, (_, at) => (at % 97) / 97);
  async function mattes(providers: readonly ("cpu" | "cuda")[]): Promise<Float32Array[]> {
    const outputs = [1, 2].map((rows) => new Float32Array(rows * 16 * 16));
    const tensors = [1, 2].map((bucket, at) => {
      const feeds = { input: new Tensor("float32", input.subarray(0, bucket * 16 * 16 * 3), [bucket, 3, 16, 16]) };
      const fetches = { mask: new Tensor("float32", outputs[at]!, [bucket, 1, 16, 16]) };
      return { bucket, feeds, fetches: [fetches, fetches] as const };
    });
    const sessions = createBucketSessions<Record<string, Tensor>>({ providers, first: await create() });
    await sessions.warm(tensors, 1, create);
    for (const bucket of [1, 2, 1]) await sessions.run(bucket, 0);
    await sessions.release();
    return outputs;
  }
  const apart = await mattes(gpu);
  expect(apart[1]!.some((each) => each > 0)).toBe(true);
  expect(apart).toEqual(await mattes(cpu));
});
