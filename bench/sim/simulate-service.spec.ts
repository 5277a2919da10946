import { describe, expect, it } from "vitest";
import { busyShareMax, deploymentFor, gpusOf, vcpusOf } from "./deployment.ts";
import { laptopSteps, measuredRamp } from "./measured-ramp.ts";
import { costOfThousand } from "./photo-cost.ts";
import { models, photoMix } from "./service-times.ts";
import { type Load, type SimulationResult, simulateService } from "./simulate-service.ts";

const [ours] = models;
const photos = photoMix("shop");
const deployment = deploymentFor(10, { model: ours, on: "cpu", photos });

function simulate(load: Load, changes: object = {}): SimulationResult {
  return simulateService({ deployment, load, model: ours, photos, jobs: 4_000, seed: 1, ...changes });
}

describe("the simulated service", () => {
  it("is the same for the same seed, and another for another one", () => {
    expect(simulate({ perSecond: 10 })).toEqual(simulate({ perSecond: 10 }));
    expect(simulate({ perSecond: 10 }, { seed: 2 })).not.toEqual(simulate({ perSecond: 10 }));
  });

  it("gets as much done as comes, while nothing is full", () => {
    const { perSecond, wait, busyShares } = simulate({ perSecond: 10 });
    expect(perSecond).toBeGreaterThan(9.5);
    expect(perSecond).toBeLessThan(10.5);
    expect(wait.p50Ms).toBeLessThan(5);
    for (const share of Object.values(busyShares)) expect(share).toBeLessThan(busyShareMax);
  });

  it("keeps each part as busy as its work says: Little's law and the law of utilization", () => {
    const { busyShares, perSecond } = simulate({ perSecond: 10 });
    const editMs = photos.reduce((sum, { share, editCpuMs }) => sum + share * editCpuMs, 0);
    const { pods, coresEach } = deployment.workers;
    expect(busyShares.workers / ((perSecond * editMs) / (1000 * pods * coresEach))).toBeCloseTo(1, 1);
  });

  it("has a queue that grows when workers are missing, and gets done what they can", () => {
    const { perSecond, wait, busyShares } = simulate({ perSecond: 40 });
    expect(wait.p50Ms).toBeGreaterThan(5_000);
    expect(busyShares.workers).toBeGreaterThan(0.9);
    expect(perSecond).toBeLessThan(25);
  });

  it("takes longer for a photo whose edit uses fewer cores, and gets as much done", () => {
    const narrow = simulate({ perSecond: 10 }, { editCores: 1 });
    const wide = simulate({ perSecond: 10 }, { editCores: 4 });
    expect(narrow.job.p50Ms).toBeGreaterThan(1.5 * wide.job.p50Ms);
    expect(narrow.perSecond / wide.perSecond).toBeCloseTo(1, 1);
  });

  it("takes larger batches on a GPU the busier it is", () => {
    const gpu = deploymentFor(10, { model: models[4], on: "gpu", photos });
    const batchAt = (perSecond: number) =>
      simulate({ perSecond }, { model: models[4], deployment: { ...gpu, workers: { ...gpu.workers, pods: 20 } } })
        .meanBatch;
    expect(batchAt(2)).toBeLessThan(1.1);
    expect(batchAt(22)).toBeGreaterThan(1.5);
  });

  it("gets no more done with more clients once it is full", () => {
    const [few, many, more] = [4, 32, 64].map((clients) => simulate({ clients }));
    expect(many!.perSecond).toBeGreaterThan(few!.perSecond);
    expect(more!.perSecond / many!.perSecond).toBeLessThan(1.05);
    expect(more!.job.p50Ms).toBeGreaterThan(1.8 * many!.job.p50Ms);
  });
});

describe("the service on one machine, simulated", () => {
  it("is near what a ramp of bench/load measured there", () => {
    for (const [at, { clients, perSecond, p50Ms }] of laptopSteps(1).entries()) {
      const measured = measuredRamp.steps[at]!;
      expect(clients).toBe(measured.clients);
      for (const ratio of [perSecond / measured.perSecond, p50Ms / measured.p50Ms]) {
        expect(ratio).toBeGreaterThan(0.85);
        expect(ratio).toBeLessThan(1.15);
      }
    }
  });
});

describe("a deployment for a rate", () => {
  it.each([1, 10, 100, 1_000])("of %s photos a second keeps up with it", (perSecond) => {
    for (const [model, on] of [
      [ours, "cpu"],
      [ours, "gpu"],
      [models[4], "gpu"],
    ] as const) {
      const sized = deploymentFor(perSecond, { model, on, photos });
      const jobs = Math.max(2_000, 2 * perSecond);
      const found = simulateService({ deployment: sized, load: { perSecond }, model, photos, jobs, seed: 1 });
      // Over so few seconds the rate itself is uncertain.
      expect(found.perSecond / perSecond).toBeGreaterThan(0.85);
      expect(found.job.p99Ms).toBeLessThan(2_500);
    }
  });

  it("grows with the rate, and costs less a photo", () => {
    const sizes = [1, 10, 100, 1_000].map((perSecond) => {
      const sized = deploymentFor(perSecond, { model: models[4], on: "gpu", photos });
      return { vcpus: vcpusOf(sized), gpus: gpusOf(sized), cost: costOfThousand(sized, perSecond, photos).total };
    });
    for (const [at, { vcpus, gpus, cost }] of sizes.entries()) {
      if (at === 0) continue;
      const before = sizes[at - 1]!;
      expect(vcpus).toBeGreaterThanOrEqual(before.vcpus);
      expect(gpus).toBeGreaterThanOrEqual(before.gpus);
      expect(cost).toBeLessThan(before.cost);
    }
  });
});
