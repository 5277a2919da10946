/** The denoiser doubles what it gets; which pictures ran together is noted by their values. */
import { expect, test } from "vitest";
import { floats, type GraphRunner } from "./graph-runner.ts";
import { createGraphTurns } from "./graph-turns.ts";

const { signal } = new AbortController();

interface Ran {
  readonly graph: string;
  readonly values: readonly number[];
}

interface Options {
  readonly batchMax?: number;
  readonly fail?: (run: Ran) => boolean;
  readonly message?: string;
  readonly onReport?: () => void;
}

function open({ batchMax = 4, fail = () => false, message = "out of memory", onReport }: Options = {}) {
  const ran: Ran[] = [];
  const steps: number[] = [];
  const failed: unknown[] = [];
  const graphs: GraphRunner = {
    async run(graph, { hidden_states: hidden }) {
      const run = { graph, values: [...(hidden!.data as Float32Array)] };
      ran.push(run);
      if (fail(run)) throw new Error(message);
      return floats(
        (hidden!.data as Float32Array).map((value) => value * 2),
        hidden!.shape,
      );
    },
  };
  const turns = createGraphTurns({
    graphs,
    batchMax,
    onStepRan: (pictures) => steps.push(pictures),
    onBatchFailed({ pictures, batchMax: left }) {
      failed.push({ pictures, left });
      onReport?.();
    },
  });
  return { turns, ran, steps, failed };
}

const inputsOf = (value: number, { words = 1, row = 0 } = {}) => ({
  hidden_states: floats(Float32Array.of(value), [1, 1, 1]),
  encoder_hidden_states: floats(new Float32Array(words), [1, words, 1]),
  img_ids: floats(Float32Array.of(row), [1, 1, 1]),
});

async function picture(runner: GraphRunner, first: number, steps: number): Promise<number> {
  let value = first;
  for (let step = 0; step < steps; step++) {
    const answer = await runner.run("transformer", inputsOf(value), signal);
    value = (answer.data as Float32Array)[0]!;
  }
  return value;
}

test("pictures run each step together from the first to the last, and get what they get alone", async () => {
  const { turns, ran, steps } = open();
  const first = [1, 3, 5];
  const pictures = first.map((value) => picture(turns.forPicture(), value, 3));
  expect(await Promise.all(pictures)).toEqual([8, 24, 40]);
  expect(ran.map(({ values }) => values)).toEqual([
    [1, 3, 5],
    [2, 6, 10],
    [4, 12, 20],
  ]);
  expect(steps).toEqual([3, 3, 3]);
});

test("a picture that comes later joins at its own first step, as many as the limit says", async () => {
  const { turns, steps } = open({ batchMax: 2 });
  const early = picture(turns.forPicture(), 1, 3);
  const joining = turns.forPicture();
  const text = joining.run("text_encoder", inputsOf(9), signal);
  const joined = text.then(() => picture(joining, 5, 3));
  const third = picture(turns.forPicture(), 7, 1);
  expect(await Promise.all([early, joined, third])).toEqual([8, 40, 14]);
  expect(steps).toEqual([2, 2, 2, 1]);
});

test("what a new picture needs first goes before the next step of the others", async () => {
  const { turns, ran } = open();
  const early = picture(turns.forPicture(), 1, 2);
  const text = turns.forPicture().run("text_encoder", inputsOf(9), signal);
  await Promise.all([early, text]);
  expect(ran.map(({ graph }) => graph)).toEqual(["text_encoder", "transformer", "transformer"]);
});

test.each([
  ["other shapes", { words: 2 }],
  ["other positions", { row: 1 }],
])("a picture of %s waits until the older one is done", async (_, other) => {
  const { turns, ran } = open();
  const older = picture(turns.forPicture(), 1, 2);
  const younger = turns.forPicture().run("transformer", inputsOf(7, other), signal);
  await Promise.all([older, younger]);
  expect(ran.map(({ values }) => values)).toEqual([[1], [2], [7]]);
});

test("a picture that is given up while it waits has no step, and the others have theirs", async () => {
  const { turns, ran } = open();
  const abort = new AbortController();
  const other = turns.forPicture().run("transformer", inputsOf(7), abort.signal);
  const stays = picture(turns.forPicture(), 1, 1);
  abort.abort(new Error("given up"));
  await expect(other).rejects.toThrow("given up");
  expect(await stays).toBe(2);
  expect(ran.map(({ values }) => values)).toEqual([[1]]);
});

test("a step that fails for one of them fails that one alone", async () => {
  const { turns, failed } = open({ fail: ({ values }) => values.includes(3) });
  const pictures = [1, 3, 5].map((value) => picture(turns.forPicture(), value, 2));
  expect(await Promise.allSettled(pictures)).toMatchObject([
    { status: "fulfilled", value: 4 },
    { status: "rejected" },
    { status: "fulfilled", value: 20 },
  ]);
  expect(failed).toEqual([]);
});

test("where memory does not hold so many and each alone runs, fewer run together from then on", async () => {
  const { turns, steps, failed } = open({ fail: ({ values }) => values.length > 2 });
  const pictures = [1, 2, 3, 4].map((value) => picture(turns.forPicture(), value, 2));
  expect(await Promise.all(pictures)).toEqual([4, 8, 12, 16]);
  expect(failed).toEqual([{ pictures: 4, left: 2 }]);
  expect(steps).toEqual([1, 1, 1, 1, 2, 2]);
});

test("one fault that passes leaves as many together, and another one leaves fewer", async () => {
  let faults = 1;
  const fail = ({ values }: Ran) => values.length === 4 && faults-- > 0;
  const { turns, steps, failed } = open({ fail, message: "device lost" });
  const paint = (count: number) => Promise.all([1, 2, 3, 4].map((value) => picture(turns.forPicture(), value, count)));
  await paint(2);
  expect(steps).toEqual([1, 1, 1, 1, 4]);
  faults = 2;
  await paint(3);
  expect(failed).toEqual([
    { pictures: 4, left: 4 },
    { pictures: 4, left: 4 },
    { pictures: 4, left: 2 },
  ]);
  expect(steps.slice(5)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2]);
});

test("one more shares a step again once 200 of fewer went well", async () => {
  let faults = 1;
  const { turns, steps } = open({ batchMax: 2, fail: ({ values }) => values.length > 1 && faults-- > 0 });
  await Promise.all([picture(turns.forPicture(), 1, 301), picture(turns.forPicture(), 1, 101)]);
  expect(steps.slice(0, 202)).toEqual(Array(202).fill(1));
  expect(steps.slice(202)).toEqual(Array(100).fill(2));
});

test("pictures are painted after a report of theirs has failed", async () => {
  let reports = 0;
  function onReport(): void {
    if (reports++ === 0) throw new Error("nobody listens");
  }
  const { turns } = open({ fail: ({ values }) => values.length > 1, onReport });
  const first = [1, 3].map((value) => picture(turns.forPicture(), value, 1));
  expect(await Promise.allSettled(first)).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  expect(await picture(turns.forPicture(), 5, 2)).toBe(20);
});
