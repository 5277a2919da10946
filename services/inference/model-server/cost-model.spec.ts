import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCostModel } from "./cost-model.ts";

describe("the cost model", () => {
  it("recovers t = B + A·n", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 50, noNaN: true }),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        (base, perRow) => {
          const costs = createCostModel();
          for (const bucket of [1, 2, 4, 8]) costs.observe(bucket, base + perRow * bucket);
          const fit = costs.fit();
          expect(fit.baseMs).toBeCloseTo(base, 3);
          expect(fit.perRowMs).toBeCloseTo(perRow, 3);
          expect(costs.expectedMs(16)).toBeCloseTo(base + 16 * perRow, 2);
        },
      ),
    );
  });

  it("follows a device that slows down within ten runs", () => {
    const costs = createCostModel();
    for (let run = 0; run < 10; run += 1) costs.observe(1, 10);
    for (let run = 0; run < 10; run += 1) costs.observe(1, 20);
    expect(costs.expectedMs(1)).toBeGreaterThan(18);
  });

  it("is more conservative where runs vary more", () => {
    const steady = createCostModel();
    const varying = createCostModel();
    for (let run = 0; run < 20; run += 1) {
      steady.observe(1, 10);
      varying.observe(1, run % 2 === 0 ? 5 : 15);
    }
    expect(varying.conservativeMs(1)).toBeGreaterThan(steady.conservativeMs(1) + 3);
  });

  it("expects no cost before the first run", () => {
    expect(createCostModel().expectedMs(4)).toBe(0);
  });

  it("forgets a stall by decay, but never expects less than the fastest run", () => {
    const costs = createCostModel();
    for (let run = 0; run < 10; run += 1) costs.observe(1, 10);
    for (let run = 0; run < 5; run += 1) costs.observe(1, 60_000);
    expect(costs.conservativeMs(1)).toBeGreaterThan(10_000);
    for (let refusal = 0; refusal < 60; refusal += 1) costs.decay(1);
    expect(costs.expectedMs(1)).toBe(10);
    expect(costs.conservativeMs(1)).toBeLessThan(12);
  });
});
