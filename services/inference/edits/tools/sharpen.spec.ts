/** What `output.sharpen` makes of a drawn color chart, whose matte is given. */

import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { drawChart } from "../../../../testing/images/color-chart.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import type { EncodedOutput } from "../edit.ts";
import { estimateEditMemory } from "./edit-memory.ts";
import { runEdit } from "./run-edit.ts";

const noModel = {} as ModelClient;
const chart = await drawChart({ temperature: 6500, strength: 1, falloff: 0 });

async function edit(parameters: EditParameters, tool: ToolId = "mask") {
  return await runEdit(editInput(chart.photo, noModel, { tool, mask: chart.mask, parameters }));
}

/** Mean of the steps between neighbors in a row, and the alpha of all pixels. */
async function look(picture: Uint8Array) {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  let steps = 0;
  for (let at = 4; at < data.length; at += 4) steps += Math.abs(data[at]! - data[at - 4]!);
  return { steps: steps / data.length, size: [info.width, info.height], alpha: data.filter((_, at) => at % 4 === 3) };
}

const small = { format: "png", width: 240 } as const;
const sharpened = { ...small, sharpen: 1 } as const;

describe("output.sharpen", () => {
  it.each([
    ["mask", {}],
    ["mask", { background: { kind: "gradient" } }],
    ["mask", { background: { kind: "color", color: "#204060" } }],
    ["mask", { background: { kind: "color", color: "#20406080" } }],
    ["mask", { background: { kind: "original" } }],
    ["mask", { outline: { width: 0.02 } }],
    ["ai-shadows", { shadow: { kind: "contact" } }],
    ["ai-shadows", { shadow: { kind: "contact" }, layers: true }],
    ["ai-bg", { theme: "studio" }],
    ["ai-bg", { theme: "studio", scene: {} }],
  ] as const)("sharpens what %s makes smaller, with %j, and leaves its alpha", async (tool, parameters) => {
    const before = await look((await edit({ ...parameters, output: small }, tool)).result.bytes);
    const after = await look((await edit({ ...parameters, output: sharpened }, tool)).result.bytes);
    expect(after.steps).toBeGreaterThan(before.steps * 1.005);
    expect(after.alpha).toEqual(before.alpha);
    expect(after.size).toEqual(before.size);
  });

  it("does nothing where nothing is made smaller, and nothing to a matte, which the report says", async () => {
    for (const output of [{}, { width: 900 }] as const) {
      const crisp = await edit({ output: { ...output, sharpen: 1 } });
      expect(crisp.result.bytes).toEqual((await edit({ output })).result.bytes);
      expect(crisp.report.overridden).toBeUndefined();
    }
    const matte = await edit({ alphaOnly: true, output: sharpened });
    expect(matte.result.bytes).toEqual((await edit({ alphaOnly: true, output: small })).result.bytes);
    expect(matte.report.overridden).toEqual(["output.sharpen"]);
    expect((await edit({ output: { ...small, sharpen: 0 } })).result.bytes).toEqual(
      (await edit({ output: small })).result.bytes,
    );
  });

  it("leaves the white around a preset's product white, and counts as one of its fields", async () => {
    const preset = async (sharpen: number) => await edit({ preset: "square-white", output: { width: 200, sharpen } });
    const crisp = await preset(1);
    expect(crisp.result.bytes).not.toEqual((await preset(0)).result.bytes);
    expect(crisp.report.overridden).toBeUndefined();
    const white = (crisp.report.checks as { name: string; passed: boolean }[]).find(({ name }) =>
      name.includes("white"),
    );
    expect(white!.passed).toBe(true);
  });

  it("is each file's own", async () => {
    const outputs = [
      { name: "soft", output: small },
      { name: "crisp", output: { sharpen: 1 } },
      { name: "softer", output: { sharpen: 0 } },
    ] as const;
    const { result, outputs: files } = await edit({ output: { ...small, sharpen: 0.5 }, outputs });
    const [crisp, soft] = files as readonly EncodedOutput[];
    const steps = [soft!.image.bytes, result.bytes, crisp!.image.bytes].map(async (bytes) => (await look(bytes)).steps);
    const [none, half, full] = await Promise.all(steps);
    expect(half!).toBeGreaterThan(none!);
    expect(full!).toBeGreaterThan(half!);
  });

  it("counts in the estimate of memory", () => {
    const header = { format: "jpeg", width: 4000, height: 3000 } as const;
    const of = (output: EditParameters["output"]) =>
      estimateEditMemory({ tool: "mask", parameters: { output }, sourceBytes: 1e6, header });
    const frame = { width: 8000, format: "webp" } as const;
    expect(of({ ...frame, sharpen: 0.5 })).toBeGreaterThan(of(frame));
    expect(of({ ...frame, sharpen: 0 })).toBe(of(frame));
  });
});
