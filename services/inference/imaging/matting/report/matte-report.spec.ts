import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultReviewLimits } from "../../../model-client/review-limits.ts";
import { changedOpaqueShare, reportMatte } from "./matte-report.ts";

const sure = { uncertainty: 0, expectedOverlap: 1, filledGaps: 0 };
const size = { width: 400, height: 300 };

function matte(alphaAt: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: size.width * size.height }, (_, i) =>
    Math.round(alphaAt(i % size.width, Math.floor(i / size.width))),
  );
}

describe("reportMatte", () => {
  it("counts parts and enclosed holes", () => {
    const ring = matte((x, y) => {
      const r = Math.hypot(x - 150, y - 150);
      return (r > 30 && r < 80) || (x > 300 && x < 340 && y > 100 && y < 200) ? 255 : 0;
    });
    expect(reportMatte(ring, size, sure)).toMatchObject({
      parts: 2,
      holes: 1,
      borderContact: 0,
      quality: "ok",
      reasons: [],
    });
  });

  it("asks for review of a product that the border cuts, unless the network is sure of its outline", () => {
    const cut = matte((_x, y) => (y > 120 ? 255 : 0));
    const report = (missing: number) =>
      reportMatte(cut, size, { ...sure, expectedOverlap: 1 - missing, reviewLimits: [0.1] });
    expect(report(0.04)).toMatchObject({ quality: "ok", reasons: [] });
    expect(report(0.04).borderContact).toBeGreaterThan(0.4);
    expect(report(0.06)).toMatchObject({ quality: "review", reasons: ["the product is cut by the picture's border"] });
  });

  it("names what may be openings and was filled", () => {
    const board = matte((x, y) => (x > 100 && x < 300 && y > 80 && y < 220 ? 255 : 0));
    const box = { left: 150, top: 120, width: 30, height: 20 };
    const report = reportMatte(board, size, { ...sure, uncertainOpenings: [box] });
    expect(report.quality).toBe("review");
    expect(report.reasons).toEqual([expect.stringMatching(/^uncertain_opening: /)]);
    expect(report.uncertainOpenings).toEqual([box]);
    expect(reportMatte(board, size, { ...sure, uncertainOpenings: [] })).not.toHaveProperty("uncertainOpenings");
  });

  it.each([
    ["left out", 0.25, false, "review"],
    ["left out and hardly like the product", 0.24, false, "ok"],
    ["kept", 0.25, true, "ok"],
  ] as const)("asks whether a thing belongs to the product that was %s", (_what, score, chosen, quality) => {
    const board = matte((x, y) => (x > 100 && x < 300 && y > 80 && y < 220 ? 255 : 0));
    const box = { left: 0, top: 0, width: 90, height: 90 };
    const candidates = [
      { ...box, left: 100, score: 1, chosen: true },
      { ...box, score, chosen },
    ];
    const report = reportMatte(board, size, { ...sure, candidates });
    expect(report.quality).toBe(quality);
    expect(report.reasons.filter((reason) => reason.startsWith("uncertain_choice: "))).toEqual(report.reasons);
  });

  it.each([
    ["an edge that is hardly frayed", { frayedEdge: 0.008 }, []],
    ["a frayed edge", { frayedEdge: 0.02 }, [expect.stringMatching(/^frayed_edge: /)]],
    ["what may be two things at a point", { mayBeTwoThings: true }, [expect.stringMatching(/^uncertain_choice: /)]],
  ])("of %s", (_what, measured, reasons) => {
    const board = matte((x, y) => (x > 100 && x < 300 && y > 80 && y < 220 ? 255 : 0));
    const report = reportMatte(board, size, { ...sure, ...measured });
    expect(report).toMatchObject({ quality: reasons.length === 0 ? "ok" : "review", reasons });
  });

  it("asks for review of a speck, of a whole frame and of a blurred edge", () => {
    expect(
      reportMatte(
        matte((x, y) => (Math.hypot(x - 50, y - 50) < 10 ? 255 : 0)),
        size,
        sure,
      ).reasons,
    ).toContain("the product is very small in the picture");
    expect(
      reportMatte(
        matte(() => 255),
        size,
        sure,
      ).reasons,
    ).toContain("almost nothing of the picture was removed");
    const blurred = reportMatte(
      matte((x, y) => 255 * Math.exp(-((x - 200) ** 2 + (y - 150) ** 2) / 5000)),
      size,
      sure,
    );
    expect(blurred.edgeSharpness).toBeLessThan(0.25);
    expect(blurred.reasons).toContain("much of the edge is uncertain");
  });

  const square = matte((x, y) => (x > 100 && x < 300 && y > 50 && y < 250 ? 255 : 0));
  const unsure = "the network was not sure of parts of the product";
  const atBorder = "the product touches the picture's border, and the network was not sure enough where it ends";

  it("asks for review where the network expects much of the overlap to be missing", () => {
    const reviewLimits = [0.1, 0.05];
    const report = (overlap: number) =>
      reportMatte(square, size, { ...sure, uncertainty: 0.01, expectedOverlap: overlap, reviewLimits });
    expect(report(0.91)).toMatchObject({ quality: "ok", reasons: [], expectedOverlap: 0.91, uncertainty: 0.01 });
    expect(report(0.89)).toMatchObject({ quality: "review", reasons: [unsure], expectedOverlap: 0.89 });
  });

  it("asks the network to be surer of a product that touches the border, and says so", () => {
    const bar = matte((x, y) => (x > 180 && x < 220 && y > 50 ? 255 : 0));
    const hair = matte((x, y) => (y > 50 && (x === 200 || (x > 150 && x < 250 && y < 200)) ? 255 : 0));
    const through = matte((x) => (x > 180 && x < 220 ? 255 : 0));
    const reasons = (alpha: Uint8Array, overlap: number, reviewLimits = [0.1, 0.05, 0.02]) =>
      reportMatte(alpha, size, { ...sure, expectedOverlap: overlap, reviewLimits }).reasons;
    expect(reasons(bar, 0.96)).toEqual([]);
    expect(reasons(bar, 0.94)).toEqual([atBorder]);
    expect(reasons(bar, 0.89)).toEqual([unsure]);
    expect(reasons(hair, 0.94)).toEqual([]);
    expect(reasons(through, 0.97)).toEqual([atBorder]);
    // The last limit holds for more sides than there are limits.
    expect(reasons(through, 0.97, [0.1, 0.05])).toEqual([]);
  });

  it("adds up what is missing, uncertain and filled by the model's weights", () => {
    const reviewWeights = { missing: 1, uncertainty: 2, filledGaps: 0.5 };
    const reasons = (missing: number, uncertainty: number, filledGaps: number, weights = reviewWeights) => {
      const network = { expectedOverlap: 1 - missing, uncertainty, filledGaps };
      return reportMatte(square, size, { ...network, reviewLimits: [0.1], reviewWeights: weights }).reasons;
    };
    const gaps = "the network saw gaps in the product, which are filled";
    expect(reasons(0.03, 0.02, 0.04)).toEqual([]);
    expect(reasons(0.03, 0.04, 0.04)).toEqual([unsure]);
    expect(reasons(0.03, 0.02, 0.08)).toEqual([gaps]);
    expect(reasons(0.03, 0.02, 0.08, { ...reviewWeights, filledGaps: 0 })).toEqual([]);
  });

  it("goes by what is missing alone where the model states no weights", () => {
    const network = { expectedOverlap: 0.95, uncertainty: 0.5, filledGaps: 0.5, reviewLimits: [0.1] };
    expect(reportMatte(square, size, network).quality).toBe("ok");
  });

  it("takes the default limits for a model that states none", () => {
    const report = (overlap: number) => reportMatte(square, size, { ...sure, expectedOverlap: overlap });
    expect(report(1 - 0.9 * defaultReviewLimits[0]!).quality).toBe("ok");
    expect(report(1 - 1.1 * defaultReviewLimits[0]!).quality).toBe("review");
  });
});

it("counts opaque pixels that were changed", () => {
  const before = Uint8Array.from({ length: 12 }, (_, i) => i);
  const after = Uint8Array.from(before, (v, i) => (i === 3 ? 99 : v));
  expect(changedOpaqueShare(before, after, new Uint8Array([255, 255, 0, 128]))).toBe(0.5);
  expect(changedOpaqueShare(before, after, new Uint8Array([255, 200, 0, 128]))).toBe(0);
});

it("counts them wherever the three planes begin in memory", () => {
  const at = fc.nat(3);
  const values = fc.array(fc.tuple(fc.constantFrom(0, 128, 255), fc.nat(9)), { maxLength: 40 });
  const changes = fc.array(fc.nat(400), { maxLength: 6 });
  fc.assert(
    fc.property(at, at, at, values, changes, (a, b, c, runs, changed) => {
      const alpha = placed(
        a,
        runs.flatMap(([value, length]) => new Array<number>(length).fill(value)),
      );
      const before = placed(
        b,
        Array.from({ length: alpha.length * 3 }, (_, i) => i % 251),
      );
      const after = placed(c, before);
      for (const i of changed) if (i < after.length) after[i]! += 1;
      const opaque = [...alpha.keys()].filter((i) => alpha[i] === 255);
      const isChanged = (i: number) => [0, 1, 2].some((k) => before[i * 3 + k] !== after[i * 3 + k]);
      const share = opaque.length === 0 ? 0 : opaque.filter(isChanged).length / opaque.length;
      expect(changedOpaqueShare(before, after, alpha)).toBe(share);
    }),
  );
});

function placed(offset: number, values: ArrayLike<number>): Uint8Array {
  const memory = new Uint8Array(offset + values.length);
  memory.set(values, offset);
  return memory.subarray(offset);
}
