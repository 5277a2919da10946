import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { loadGrpcServices } from "../protocol/grpc-services.ts";
import { watchGraphServer } from "./graph-server-watch.ts";
import { createGrpcEndpoint } from "./grpc-endpoint.ts";

const logger = createLogger({ name: "test", level: "silent" });
const statusOf = { late: 4, unavailable: 14 } as const;

type Said = "ready" | "dropped" | keyof typeof statusOf;
type Callback = (error: { readonly code: number } | null, answer?: { readonly ready: boolean }) => void;

/** Whether the graphs count as away before each answer, and after the last one. */
async function awayDuring(said: readonly Said[], graphs: readonly string[] = ["g"]): Promise<boolean[]> {
  const left = [...said];
  const seen: boolean[] = [];
  const over = Promise.withResolvers<void>();
  let isAway = () => false;
  const { Inference } = loadGrpcServices();
  const { ModelReady } = Inference.service;
  const handlers = {
    ModelReady(_call: unknown, callback: Callback) {
      if (seen.length <= said.length) seen.push(isAway());
      const next = left.shift();
      if (next === undefined) over.resolve();
      if (next === undefined || next === "ready" || next === "dropped") callback(null, { ready: next !== "dropped" });
      else callback({ code: statusOf[next] });
    },
  };
  const grpc = createGrpcEndpoint({
    services: [{ service: { ModelReady } as never, handlers: handlers as never }],
    interceptors: [],
    certificates: undefined,
    connectionAgeMs: 0,
    logger,
  });
  const port = await grpc.listen("127.0.0.1", 0);
  const address = `127.0.0.1:${port}`;
  const watch = await watchGraphServer({ address, model: "m", graphs, onChange() {}, everyMs: 1, logger });
  ({ isAway } = watch);
  await over.promise;
  await watch.stop();
  await grpc.stop(2_000);
  return seen;
}

test("one late answer takes no model out of service, two in a row do, and an answer brings it back", async () => {
  expect(await awayDuring(["ready", "late", "ready", "late", "late", "late", "ready"])).toEqual([
    ...[false, false, false, false, false],
    ...[true, true, false],
  ]);
});

test("a server that is gone, or has dropped a graph, is away at once", async () => {
  expect(await awayDuring(["unavailable", "ready", "dropped", "ready"])).toEqual([false, true, false, true, false]);
});

test("a graph that is dropped counts, however late another one is", async () => {
  const said: Said[] = ["ready", "ready", "late", "dropped", "ready", "ready"];
  expect(await awayDuring(said, ["g", "h"])).toEqual([false, false, false, false, true, true, false]);
});
