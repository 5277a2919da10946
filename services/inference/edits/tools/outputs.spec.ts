/** Several files of one edit: real edits of a drawn photo. */
import type { EditParameters, OutputRequest, ToolId } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { expect, it } from "vitest";
import { drawnMugs, type Mug } from "../../../../testing/images/drawn-mugs.ts";
import { bundledModels } from "../../../../testing/models/bundled-models.ts";
import { editInput } from "../../../../testing/models/edit-input.ts";
import type { ModelClient } from "../../model-client/model-client.ts";
import type { EncodedOutput } from "../edit.ts";
import { runEdit } from "./run-edit.ts";

const red: Mug = { x: 250, y: 480, height: 300, color: "#b03428" };
const photo = await drawnMugs([red]);
const wall = await sharp({ create: { width: 300, height: 300, channels: 3, background: "#304050" } })
  .jpeg()
  .toBuffer();

async function edit(tool: ToolId, parameters: EditParameters, more: object = {}) {
  const stages: string[] = [];
  let predictions = 0;
  const counting: ModelClient = {
    ...bundledModels,
    predict(request) {
      predictions += 1;
      return bundledModels.predict(request);
    },
  };
  const onStage = (stage: string) => stages.push(stage);
  const output = await runEdit(editInput(photo, counting, { tool, parameters, onStage, ...more }));
  return { output, stages, predictions };
}

const amazon: OutputRequest = { name: "amazon", preset: "amazon-main" };
const web: OutputRequest = { name: "web-400", output: { format: "webp", width: 400 } };

it("makes each file as an edit of its own would, to the byte, of one cut-out", async () => {
  const shadow = { kind: "drop" } as const;
  const outputs = [amazon, web, { name: "card", shadow, output: { crop: "product" } } as const];
  const { output, stages, predictions } = await edit("mask", { outputs });
  const single = {
    amazon: await edit("mask", { preset: "amazon-main" }),
    web: await edit("mask", { output: web.output! }),
    // The photo's own shadow is looked for, which says how the product stands.
    card: await edit("ai-shadows", { shadow, output: { crop: "product" } }),
  };
  expect(predictions).toBe(single.amazon.predictions);
  expect(stages.filter((stage) => stage === "refine")).toHaveLength(1);
  expect(output.result.bytes.equals(single.amazon.output.result.bytes)).toBe(true);
  expect(output.thumbnail.bytes.equals(single.amazon.output.thumbnail.bytes)).toBe(true);
  const [ofWeb, card] = output.outputs as EncodedOutput[];
  expect([ofWeb!.name, card!.name]).toEqual(["web-400", "card"]);
  expect(ofWeb!.image.bytes.equals(single.web.output.result.bytes)).toBe(true);
  expect(card!.image.bytes.equals(single.card.output.result.bytes)).toBe(true);
  expect(output.report).toEqual(single.amazon.output.report);
  expect(card!.report).toMatchObject({ shadow: { kind: "drop" } });
  // What is the cut-out's is said once.
  expect(Object.keys(ofWeb!.report)).toEqual(["foreground"]);
});

it("draws a marketplace's main image beside a scene, and a shadow with its own background", async () => {
  const { output } = await edit("ai-bg", { theme: "oak table", outputs: [{ name: "scene" }, amazon] });
  const [main] = output.outputs as EncodedOutput[];
  const { checks } = main!.report as { checks: { passed: boolean }[] };
  expect(checks.every(({ passed }) => passed)).toBe(true);
  const alone = await edit("mask", { preset: "amazon-main" });
  expect(main!.image.bytes.equals(alone.output.result.bytes)).toBe(true);
});

it("keeps the edit's picture out of a file that has its own background", async () => {
  const outputs: OutputRequest[] = [
    { name: "wall", output: { width: 300 } },
    { name: "plain", background: { kind: "color", color: "#ff0000" }, output: { width: 300 } },
  ];
  const parameters = { background: { kind: "image", imageUrl: "https://shop.example/wall.jpg" }, outputs } as const;
  const { output } = await edit("mask", parameters, { background: wall });
  const corner = async (bytes: Buffer) => {
    const pixel = { left: 0, top: 0, width: 1, height: 1 };
    return [...(await sharp(bytes).removeAlpha().extract(pixel).raw().toBuffer())];
  };
  expect(await corner(output.result.bytes)).toEqual([0x30, 0x40, 0x50]);
  expect(await corner((output.outputs![0] as EncodedOutput).image.bytes)).toEqual([255, 0, 0]);
});

it("says why a file failed, and makes the others", async () => {
  const noise = { output: { format: "png", width: 2_000, maxBytes: 1_000 } } as const;
  const { output } = await edit("mask", { outputs: [amazon, { name: "tiny", ...noise }, web] });
  expect(output.outputs).toEqual([
    { name: "tiny", position: 1, cause: expect.objectContaining({ code: "max_bytes_unreachable" }) },
    expect.objectContaining({ name: "web-400" }),
  ]);
});

it("fails with the first file", async () => {
  const outputs = [{ name: "tiny", output: { format: "png", maxBytes: 1_000 } } as const, web];
  await expect(edit("mask", { outputs })).rejects.toMatchObject({ code: "max_bytes_unreachable" });
});

it("ends with its signal between two files", async () => {
  const abort = new AbortController();
  let encodings = 0;
  const onStage = (stage: string) => {
    if (stage === "encode" && ++encodings === 2) abort.abort("cancelled");
  };
  const input = { parameters: { outputs: [amazon, web, { name: "b" }] }, onStage, signal: abort.signal };
  await expect(runEdit(editInput(photo, bundledModels, input))).rejects.toBe("cancelled");
  expect(encodings).toBe(2);
});
