import type { NatsConnection } from "@nats-io/transport-node";
import type { LookAnswer, LookRequest } from "@packshot/domain/batches/photo-look.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { createLookAnswers } from "./look-answers.ts";

const seen: LookAnswer = { error: { code: "no_product_found", message: "None." } };

async function startAnswers({ isReady = true } = {}) {
  let deliver: (request: LookRequest) => void = () => {};
  let queue: string | undefined;
  const said: [subject: string, answer: LookAnswer][] = [];
  let onSaid = () => {};
  const running: { request: LookRequest; signal: AbortSignal; finish: (answer: LookAnswer) => void }[] = [];
  let onRun = () => {};
  const connection = {
    subscribe(_subject: string, options: { queue: string; callback: (error: null, message: object) => void }) {
      queue = options.queue;
      deliver = (request) => options.callback(null, { json: () => request });
      return { isClosed: () => false, drain: async () => {} };
    },
    publish(subject: string, payload: string) {
      said.push([subject, JSON.parse(payload)]);
      onSaid();
    },
  } as unknown as NatsConnection;
  const look = async (request: LookRequest, signal: AbortSignal) => {
    const { promise, resolve: finish } = Promise.withResolvers<LookAnswer>();
    running.push({ request, signal, finish });
    onRun();
    return await promise;
  };
  const component = createLookAnswers({
    connection,
    live: look,
    sandbox: look,
    isReady: () => isReady,
    logger: createLogger({ name: "test", level: "silent" }),
    nowMs: Date.now,
  });
  await component.start();
  const until = async (isReached: () => boolean, listen: (listener: () => void) => void) => {
    while (!isReached()) await new Promise<void>((resolve) => listen(resolve));
  };
  return {
    component,
    running,
    said,
    queue: () => queue,
    deliver: (request: LookRequest) => deliver(request),
    untilRunning: (count: number) =>
      until(
        () => running.length >= count,
        (listener) => (onRun = listener),
      ),
    untilSaid: (count: number) =>
      until(
        () => said.length >= count,
        (listener) => (onSaid = listener),
      ),
  };
}

const request = (change: Partial<LookRequest> = {}): LookRequest => ({
  id: uuidv7(),
  accountId: uuidv7(),
  live: true,
  source: { kind: "url", imageUrl: "https://shop.example/1.jpg" },
  parameters: {},
  bytesMax: 1_000,
  deadlineAtMs: Date.now() + 60_000,
  ...change,
});

test("looks of an account run one after the other, each is answered under its id, and one whose time is up is not begun", async () => {
  const { deliver, running, said, queue, untilRunning, untilSaid } = await startAnswers();
  expect(queue()).toBe("worker");
  const accountId = uuidv7();
  const first = request({ accountId });
  const second = request({ accountId });
  deliver(first);
  deliver(request({ accountId, deadlineAtMs: Date.now() - 1 }));
  deliver(second);
  await untilRunning(1);
  expect(running).toHaveLength(1);
  running[0]!.finish(seen);
  await untilRunning(2);
  running[1]!.finish(seen);
  await untilSaid(2);
  expect(said).toEqual([
    [subjects.lookAnswer(first.id), seen],
    [subjects.lookAnswer(second.id), seen],
  ]);
});

test("a worker that edits nothing now, or has too many to look at, says so at once", async () => {
  const paused = await startAnswers({ isReady: false });
  paused.deliver(request());
  paused.deliver(request({ live: false }));
  await paused.untilRunning(1);
  expect(paused.running[0]!.request.live).toBe(false);
  expect(paused.said).toMatchObject([[expect.any(String), { unseen: { code: "unavailable" } }]]);

  const busy = await startAnswers();
  for (let n = 0; n < 33; n++) busy.deliver(request());
  await busy.untilSaid(1);
  expect(busy.said).toMatchObject([[expect.any(String), { unseen: { message: expect.stringContaining("too many") } }]]);
});

test("a slow photo of one account holds up no look of another", async () => {
  const { deliver, running, said, untilRunning, untilSaid } = await startAnswers();
  const accountId = uuidv7();
  for (let n = 0; n < 5; n++) deliver(request({ accountId }));
  const neighbor = request();
  deliver(neighbor);
  await untilRunning(2);
  expect(running.map(({ request: one }) => one.accountId)).toEqual([accountId, neighbor.accountId]);
  running[1]!.finish(seen);
  await untilSaid(1);
  expect(said).toEqual([[subjects.lookAnswer(neighbor.id), seen]]);
});

test("a stop ends the look that runs, and those that wait are told", async () => {
  const { component, deliver, running, said, untilRunning } = await startAnswers();
  const accountId = uuidv7();
  deliver(request({ accountId }));
  deliver(request({ accountId }));
  await untilRunning(1);
  running[0]!.signal.addEventListener("abort", () =>
    running[0]!.finish({ unseen: { code: "unavailable", message: "" } }),
  );
  await component.stop();
  expect(running).toHaveLength(1);
  expect(said.map(([, answer]) => "unseen" in answer)).toEqual([true, true]);
});

test("an id that is none names no subject", async () => {
  const { deliver, running, component } = await startAnswers();
  deliver(request({ id: "a.b" }));
  await component.stop();
  expect(running).toEqual([]);
});
