import { describe, expect, it } from "vitest";
import { meanTimeInMM1, meanWaitMDc, meanWaitMMc } from "./closed-forms.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { createBatchStation, createSharedCores, createStation } from "./stations.ts";
import { type Activity, activityOf, all, begin, createVirtualClock, type Process, start } from "./virtual-clock.ts";

const arrivals = 500_000;

interface Served {
  /** The mean time that each of them took. */
  readonly meanMs: number;
}

/** Arrivals that know nothing of each other, each of whom does what `visit` makes. */
function simulateArrivals(
  meanGapMs: number,
  makeVisit: (clock: ReturnType<typeof createVirtualClock>) => () => Activity,
): Served {
  const clock = createVirtualClock();
  const visit = makeVisit(clock);
  const random = createSeededRandom(7);
  let total = 0;
  function* one(): Process {
    const cameMs = clock.nowMs;
    yield visit();
    total += clock.nowMs - cameMs;
  }
  function* everyone(): Process {
    for (let n = 0; n < arrivals; n += 1) {
      start(one());
      yield clock.wait(random.exponential(meanGapMs));
    }
  }
  start(everyone());
  clock.run();
  return { meanMs: total / arrivals };
}

/** Even over half a million arrivals the mean varies by a few percent where the load is high. */
function expectNear(found: number, expected: number): void {
  expect(found / expected).toBeGreaterThan(0.95);
  expect(found / expected).toBeLessThan(1.05);
}

describe("closed forms", () => {
  it("agree where one is a case of the other", () => {
    const one = { arrivalRate: 0.8, serviceTime: 1, servers: 1 };
    expect(meanWaitMMc(one)).toBeCloseTo(meanTimeInMM1(one) - 1);
    // Pollaczek and Khinchine: half of the wait of M/M/1.
    expect(meanWaitMDc(one)).toBeCloseTo(meanWaitMMc(one) / 2);
    expect(meanWaitMDc({ arrivalRate: 0.1, serviceTime: 1, servers: 3 })).toBeLessThan(1e-4);
  });
});

describe("a station", () => {
  it.each([0.3, 0.7, 0.85])("with one server and exponential service waits as M/M/1 does, at a load of %s", (load) => {
    const random = createSeededRandom(3);
    const { meanMs } = simulateArrivals(10, (clock) => {
      const station = createStation(clock, 1);
      return () => station.serve(random.exponential(10 * load));
    });
    expectNear(meanMs, meanTimeInMM1({ arrivalRate: 0.1, serviceTime: 10 * load }));
  });

  it.each([
    [2, 0.6],
    [4, 0.8],
    [16, 0.9],
  ])("with %s servers and equal service waits as M/D/c does, at a load of %s", (servers, load) => {
    const serviceTime = 10 * servers * load;
    const { meanMs } = simulateArrivals(10, (clock) => {
      const station = createStation(clock, servers);
      return () => station.serve(serviceTime);
    });
    expectNear(meanMs - serviceTime, meanWaitMDc({ arrivalRate: 0.1, serviceTime, servers }));
  });

  it("with several servers and exponential service waits as M/M/c does", () => {
    const random = createSeededRandom(3);
    const use = { waitedMs: 0 };
    simulateArrivals(10, (clock) => {
      const station = createStation(clock, 3);
      Object.defineProperty(use, "waitedMs", { get: () => station.use.waitedMs });
      return () => station.serve(random.exponential(24));
    });
    expectNear(use.waitedMs / arrivals, meanWaitMMc({ arrivalRate: 0.1, serviceTime: 24, servers: 3 }));
  });
});

describe("a batch station", () => {
  it("takes what has come while it was busy, up to its largest batch", () => {
    const clock = createVirtualClock();
    const sizes: number[] = [];
    const station = createBatchStation(clock, {
      batchMax: 3,
      run(size) {
        sizes.push(size);
        return clock.wait(10);
      },
    });
    for (let n = 0; n < 6; n += 1) begin(station.serve());
    clock.run();
    expect(sizes).toEqual([1, 3, 2]);
    expect(station.use).toMatchObject({ busyMs: 30, served: 6, batches: 3, waitedMs: 3 * 10 + 2 * 20 });
  });

  it("of one at a time waits as M/D/1 does", () => {
    const { meanMs } = simulateArrivals(10, (clock) => {
      const station = createBatchStation(clock, { batchMax: 1, run: () => clock.wait(7) });
      return () => station.serve();
    });
    expectNear(meanMs - 7, meanWaitMDc({ arrivalRate: 0.1, serviceTime: 7, servers: 1 }));
  });
});

describe("shared cores", () => {
  it("take as long as M/M/1-PS does, whose mean is that of M/M/1", () => {
    const random = createSeededRandom(3);
    const { meanMs } = simulateArrivals(10, (clock) => {
      const cores = createSharedCores(clock, 1);
      return () => cores.work(random.exponential(7));
    });
    expectNear(meanMs, meanTimeInMM1({ arrivalRate: 0.1, serviceTime: 7 }));
  });

  it("give each task no more than it can use, and the rest to the others", () => {
    const clock = createVirtualClock();
    const cores = createSharedCores(clock, 4);
    const ends: Record<string, number> = {};
    function* task(name: string, cpuMs: number, parallelism: number): Process {
      yield cores.work(cpuMs, parallelism);
      ends[name] = clock.nowMs;
    }
    begin(all(activityOf(task("single", 10, 1)), activityOf(task("wide", 30, 8))));
    clock.run();
    // One core for the single task, three for the wide one: both are done after 10 ms.
    expect(ends).toEqual({ single: 10, wide: 10 });
    expect(cores.use.busyMs).toBeCloseTo(40);
  });
});
