/** What `tone` makes of a drawn color chart on paper, whose matte is given. */

import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type ChartLight, chartDifferences, chartSize, drawChart } from "../../../../testing/images/color-chart.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import type { ToneReport } from "../cut-out/correct-tone.ts";
import type { EditInput, EncodedOutput } from "../edit.ts";
import { estimateEditMemory } from "./edit-memory.ts";
import { runEdit } from "./run-edit.ts";

/** A given matte needs no model. */
const noModel = {} as ModelClient;
const daylight: ChartLight = { temperature: 6500, strength: 0.6, falloff: 0 };

interface Drawn {
  readonly photo: Buffer;
  readonly mask: Buffer;
}

type Reference = Pick<EditInput, "tone" | "toneGains">;

async function edit({ photo, mask }: Drawn, parameters: EditParameters, pictures: Reference = {}) {
  const output = await runEdit(editInput(photo, noModel, { mask, parameters, ...pictures }));
  return { ...output, bytes: output.result.bytes, tone: output.report.tone as ToneReport | undefined };
}

const neutral = { tone: "neutral" } as const;
const match = { tone: "match" } as const;

describe("a chart on white paper", () => {
  const lights: ChartLight[] = [2800, 3500, 5000, 6500, 8000].flatMap((temperature) =>
    [0.255, 0.36, 0.51].map((strength) => ({ temperature, strength, falloff: 0.25 })),
  );
  lights.push({ temperature: 6500, strength: 1, falloff: 0.1 });

  it.each(lights)("under $temperature K, $strength as bright, has its colors", async (light) => {
    const chart = await drawChart(light);
    expect(chart.isClipped).toBe(false);
    const before = await chartDifferences(chart.photo);
    const { bytes, tone } = await edit(chart, neutral);
    const after = await chartDifferences(bytes);
    expect(before.mean).toBeGreaterThan(1.5);
    expect(after.mean).toBeLessThan(0.5);
    expect(after.greatest).toBeLessThan(2);
    expect(tone).toMatchObject({ mode: "neutral", applied: true });
    expect(tone!.temperature! / light.temperature).toBeCloseTo(1, 1);
    expect(tone!.deltaE!.after).toBeLessThan(1);
    expect(tone!.deltaE!.before).toBeGreaterThan(2);
  });

  it("stays as it is to the byte where the paper cannot say its light, and the report says why", async () => {
    const clipped = await drawChart({ temperature: 3500, strength: 1, falloff: 0 });
    const fine = await drawChart({ temperature: 6500, strength: 1, falloff: 0 });
    const dark = await drawChart({ ...daylight, strength: 0.04 });
    const transparent = await sharp(fine.photo).ensureAlpha(0.9).png().toBuffer();
    for (const [drawn, reason] of [
      [clipped, "backdrop_clipped"],
      [await onPaper("#f2f2f2"), "already_neutral"],
      [dark, "backdrop_dark"],
      [await onPaper("#2e9e57"), "backdrop_colored"],
      [await onPaper("#9a6fd0"), "backdrop_colored"],
      [await inRoom(), "backdrop_not_plain"],
      [{ ...fine, photo: transparent }, "no_backdrop"],
    ] as const) {
      const { bytes, tone } = await edit(drawn, neutral);
      expect(tone).toMatchObject({ mode: "neutral", applied: false, reason });
      expect(bytes, reason).toEqual((await edit(drawn, {})).bytes);
    }
  });

  it("is not brightened by more than 2 stops, nor at all on gray paper, which the product outshines", async () => {
    const dim = await edit(await drawChart({ ...daylight, temperature: 5000, strength: 0.2 }), neutral);
    expect(dim.tone).toMatchObject({ applied: true, exposure: 0 });
    const gray = await edit(await onPaper("#8f8880"), neutral);
    expect(gray.tone).toMatchObject({ applied: true, exposure: 0 });
    const white = await edit(await onPaper("#c9c2b8"), neutral);
    expect(white.tone!.exposure).toBeGreaterThan(0.5);
  });
});

describe("a chart that is to match another photo", () => {
  it.each([
    [
      { temperature: 3500, strength: 0.5, falloff: 0.2 },
      { temperature: 6500, strength: 0.8, falloff: 0 },
    ],
    [
      { temperature: 6500, strength: 0.9, falloff: 0.1 },
      { temperature: 4000, strength: 0.4, falloff: 0 },
    ],
  ])("gets its light: from %j to %j", async (own, other) => {
    const reference = await drawChart(other);
    const goal = await sharp(reference.photo).removeAlpha().toBuffer();
    const chart = await drawChart(own);
    const { bytes, tone } = await edit(chart, match, { tone: goal });
    expect((await chartDifferences(chart.photo, goal)).mean).toBeGreaterThan(8);
    const after = await chartDifferences(bytes, goal);
    expect(after.mean).toBeLessThan(0.7);
    expect(after.greatest).toBeLessThan(3);
    expect(tone).toMatchObject({ mode: "match", applied: true });
    expect(tone!.exposure).toBeCloseTo(Math.log2(other.strength / own.strength), 1);
    expect(tone!.temperature).toBeUndefined();
    expect(tone!.deltaE!.after).toBeLessThan(1);
  });

  it("gets the light that the other photo's own job has made of its light", async () => {
    const first = await drawChart({ temperature: 3500, strength: 0.4, falloff: 0.2 });
    const second = await drawChart({ temperature: 5000, strength: 0.3, falloff: 0.1 });
    const made = await edit(first, neutral);
    const { bytes, tone } = await edit(second, match, { tone: first.photo, toneGains: made.tone!.gains });
    expect(tone).toMatchObject({ mode: "match", applied: true });
    expect((await chartDifferences(second.photo, made.bytes)).mean).toBeGreaterThan(8);
    const after = await chartDifferences(bytes, made.bytes);
    expect([after.mean < 0.7, after.greatest < 3], JSON.stringify(after)).toEqual([true, true]);
  });

  it("takes the color of colored paper, too", async () => {
    const [own, other] = await Promise.all([onPaper("#8fb58a"), onPaper("#7fae9a")]);
    const { tone } = await edit(own, match, { tone: other.photo });
    expect(tone).toMatchObject({ applied: true });
    expect(tone!.deltaE!.before).toBeGreaterThan(5);
    expect(tone!.deltaE!.after).toBeLessThan(1);
  });

  it("stays as it is where the other photo cannot be matched, and the report says why", async () => {
    const chart = await drawChart(daylight);
    for (const [reference, reason] of [
      [await inRoom(), "reference_not_plain"],
      [await onPaper("#2a2a2a"), "reference_differs"],
      [await onPaper("#c06020"), "reference_differs"],
      [chart, "already_alike"],
    ] as const) {
      const { bytes, tone } = await edit(chart, match, { tone: reference.photo });
      expect(tone).toMatchObject({ mode: "match", applied: false, reason });
      expect(bytes).toEqual((await edit(chart, {})).bytes);
    }
    const unreadable = edit(chart, match, { tone: Buffer.from("no picture") });
    await expect(unreadable).rejects.toMatchObject({ code: "tone_unusable" });
  });

  it("takes memory for the other photo", () => {
    const header = { format: "jpeg", width: 400, height: 300 } as const;
    const edited = { tool: "mask", parameters: match, sourceBytes: 1e6, header } as const;
    const referenceBytes = estimateEditMemory({ ...edited, toneBytes: 1e6 }) - estimateEditMemory(edited);
    expect(referenceBytes).toBe(24e6 * 4 + 2.5e6);
  });
});

describe("tone", () => {
  it("is asked for: without it nothing is reported and nothing changes", async () => {
    const chart = await drawChart(daylight);
    const { tone, bytes } = await edit(chart, {});
    expect(tone).toBeUndefined();
    expect((await edit(chart, { tone: "none" })).bytes).toEqual(bytes);
  });

  it("is one for all files of an edit, and for the photo behind the product", async () => {
    const chart = await drawChart({ ...daylight, temperature: 3500, strength: 0.4 });
    const outputs = [
      { name: "cut-out" },
      { name: "original", output: { format: "png" }, background: { kind: "original" } },
    ] as const;
    const { outputs: files, tone, bytes } = await edit(chart, { ...neutral, outputs });
    expect(tone!.applied).toBe(true);
    expect((await chartDifferences(bytes)).mean).toBeLessThan(0.5);
    const [file] = files as readonly EncodedOutput[];
    expect(file!.report.tone).toBeUndefined();
    expect((await chartDifferences(file!.image.bytes)).mean).toBeLessThan(0.5);
    const [red, green, blue] = (await sharp(file!.image.bytes).raw().toBuffer()) as unknown as Uint8Array;
    expect([green, blue]).toEqual([red, red]);
    expect(red).toBeGreaterThan(235);
  });

  it("changes nothing of a matte, and the report says so", async () => {
    const chart = await drawChart({ ...daylight, temperature: 3500 });
    const { report, bytes, tone } = await edit(chart, { ...neutral, alphaOnly: true });
    expect(tone).toBeUndefined();
    expect(report.overridden).toEqual(["tone"]);
    expect(bytes).toEqual((await edit(chart, { alphaOnly: true })).bytes);
  });

  it("counts in the estimate of memory, twice where a file shows the photo", () => {
    const header = { format: "jpeg", width: 4000, height: 3000 } as const;
    const of = (parameters: EditParameters) =>
      estimateEditMemory({ tool: "mask", parameters, sourceBytes: 1e6, header });
    const original = { background: { kind: "original" } } as const;
    expect(of(neutral) - of({})).toBe(12e6 * 3);
    expect(of({ ...neutral, ...original }) - of(original)).toBe(12e6 * 6);
    expect(of({ ...neutral, alphaOnly: true })).toBe(of({ alphaOnly: true }));
  });
});

/** A white and a red square on paper of a color. */
async function onPaper(color: string): Promise<Drawn> {
  const { width, height } = chartSize;
  const square = (x: number, fill: string) => `<rect x="${x}" y="120" width="100" height="100" fill="${fill}"/>`;
  const svg = (background: string, first: string, second: string) =>
    Buffer.from(
      `<svg width="${width}" height="${height}"><rect width="100%" height="100%" fill="${background}"/>` +
        `${square(120, first)}${square(220, second)}</svg>`,
    );
  const photo = await sharp(svg(color, "#d9d4cc", "#b03020"))
    .removeAlpha()
    .png()
    .toBuffer();
  return {
    photo,
    mask: await sharp(svg("#000", "#fff", "#fff"))
      .png()
      .toBuffer(),
  };
}

/** Stripes behind the squares. */
async function inRoom(): Promise<Drawn> {
  const { width, height } = chartSize;
  const { mask } = await onPaper("#ffffff");
  const stripes = Array.from(
    { length: 16 },
    (_, n) => `<rect x="${n * 40}" width="20" height="100%" fill="${n % 2 ? "#345" : "#a86"}"/>`,
  );
  const svg = `<svg width="${width}" height="${height}">${stripes.join("")}</svg>`;
  return { photo: await sharp(Buffer.from(svg)).flatten({ background: "#fff" }).png().toBuffer(), mask };
}
