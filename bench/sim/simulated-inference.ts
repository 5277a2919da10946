/** Model servers on the virtual clock. */
import type { Deployment } from "./deployment.ts";
import type { ModelTimes } from "./service-times.ts";
import { createBatchStation, createStation, type SharedCores } from "./stations.ts";
import { type Activity, activityOf, type Process, type VirtualClock } from "./virtual-clock.ts";

/** Model servers, of which a request goes to the one with the fewest in flight. */
export function createInference(
  clock: VirtualClock,
  { modelServers }: Deployment,
  model: ModelTimes,
  cores: (count: number) => SharedCores,
) {
  const { on, coresEach } = modelServers;
  const servers = Array.from({ length: modelServers.pods }, () => {
    const own = cores(coresEach);
    const runOnCpu = (size: number): Activity => own.work(size * model.cpuMs!.value, coresEach);
    const runOnGpu = (size: number): Activity =>
      clock.wait(model.gpuBaseMs.value + bucketOf(size, model.batchMax) * model.gpuRowMs.value);
    return {
      mainThread: createStation(clock, 1),
      // On a CPU larger batches cost as much for each image, so the batcher takes images one by one.
      batches: createBatchStation(clock, {
        batchMax: on === "cpu" ? 1 : model.batchMax,
        run: on === "cpu" ? runOnCpu : runOnGpu,
      }),
      inFlight: 0,
    };
  });
  let next = 0;

  function* infer(): Process {
    next += 1;
    // Those who come after the last one, first: equals take turns.
    const inTurn = servers.map((_, at) => servers[(at + next) % servers.length]!);
    const server = inTurn.reduce((best, each) => (each.inFlight < best.inFlight ? each : best));
    server.inFlight += 1;
    yield server.mainThread.serve(model.mainThreadMs.value);
    yield server.batches.serve();
    server.inFlight -= 1;
  }

  const sum = (of: (server: (typeof servers)[number]) => number) =>
    servers.reduce((total, each) => total + of(each), 0);
  return {
    infer: () => activityOf(infer()),
    busyShare: (passedMs: number) => sum(({ batches }) => batches.use.busyMs) / (servers.length * passedMs),
    meanBatch: () => sum(({ batches }) => batches.use.served) / sum(({ batches }) => batches.use.batches),
  };
}

/** The batch is padded to a power of two. */
function bucketOf(size: number, batchMax: number): number {
  return Math.min(batchMax, 2 ** Math.ceil(Math.log2(size)));
}
