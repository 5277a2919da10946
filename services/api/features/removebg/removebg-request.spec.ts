import { toolIds } from "@packshot/domain/edits/tools.ts";
import { describe, expect, it } from "vitest";
import { loadContract } from "../../http/contract.ts";
import { type RemoveBgFields, toEdit } from "./removebg-request.ts";

const contract = loadContract(new URL("removebg-openapi.yaml", import.meta.url));
const parse = contract.compileBody({ $ref: "#/components/schemas/RemoveBackground" });
const url = "https://shop.example/mug.jpg";
const file = { path: "/tmp/x", bytes: 1, sha256: "0", contentType: "image/png", filename: "a.png" };

function translate(fields: Readonly<Record<string, string>> = {}, tools: typeof toolIds | readonly ["mask"] = toolIds) {
  const parsed = parse({ image_url: url, ...fields }) as RemoveBgFields;
  return toEdit(parsed, { image: undefined, background: undefined }, { tools, unknown: [] });
}

const outputOf = (fields: Readonly<Record<string, string>>) => translate(fields).edit.parameters.output;
const problemOf = (fields: Readonly<Record<string, string>>) => {
  try {
    translate(fields);
  } catch (error) {
    return (error as { details: object }).details;
  }
  return undefined;
};

describe("defaults", () => {
  it("are those of remove.bg: a PNG of a quarter of a megapixel", () => {
    expect(translate()).toEqual({
      edit: {
        tool: "mask",
        source: { kind: "url", imageUrl: url },
        parameters: { output: { format: "png", maxMegapixels: 0.25 } },
        metadata: {},
      },
      type: "product",
      unsupported: [],
    });
  });
});

it.each([
  ["preview", 0.25],
  ["small", 0.25],
  ["regular", 0.25],
  ["medium", 1.5],
  ["hd", 4],
  ["full", 25],
  ["4k", 25],
  ["auto", 25],
  ["50MP", 50],
])("size=%s gives up to %d megapixels, and a PNG no more than 10", (size, megapixels) => {
  expect(outputOf({ size, format: "webp" })).toEqual({ format: "webp", maxMegapixels: megapixels });
  expect(outputOf({ size, format: "png" })).toEqual({ format: "png", maxMegapixels: Math.min(10, megapixels) });
});

it.each([
  ["81d4fa", "#81d4fa", "jpeg"],
  ["#81D4FA", "#81d4fa", "jpeg"],
  ["fff", "#ffffff", "jpeg"],
  ["green", "#008000", "jpeg"],
  ["RebeccaPurple", "#663399", "jpeg"],
  ["81d4fa77", "#81d4fa77", "png"],
  ["f007", "#ff000077", "png"],
  ["transparent", "transparent", "png"],
])("bg_color=%s is %s, by default in %s", (bg_color, background, format) => {
  expect(outputOf({ bg_color })).toMatchObject({ background, format });
});

it.each([
  ["30px", { top: "30px", right: "30px", bottom: "30px", left: "30px" }],
  ["10% 5px", { top: "10%", right: "5px", bottom: "10%", left: "5px" }],
  ["1px 2px 3% 4%", { top: "1px", right: "2px", bottom: "3%", left: "4%" }],
  ["0", { top: "0px", right: "0px", bottom: "0px", left: "0px" }],
])("crop_margin=%s", (crop_margin, margin) => {
  expect(outputOf({ crop: "true", crop_margin })).toMatchObject({ crop: "product", margin });
  expect(outputOf({ crop_margin })).not.toHaveProperty("margin");
});

it("cuts a margin at remove.bg's largest, and says so", () => {
  const { edit, unsupported } = translate({ crop: "true", crop_margin: "900px 80%" });
  expect(edit.parameters.output).toMatchObject({ margin: { top: "500px", right: "50%" } });
  expect(unsupported).toEqual(["crop_margin=900px 80%"]);
});

it.each([
  [{ scale: "50%" }, { scale: 0.5 }],
  [{ scale: "original" }, {}],
  [{ position: "center" }, { position: { x: 0.5, y: 0.5 } }],
  [{ position: "20%" }, { position: { x: 0.2, y: 0.2 } }],
  [{ position: "0% 100%" }, { position: { x: 0, y: 1 } }],
  [{ position: "original" }, {}],
])("%j", (fields, framing) => {
  expect(outputOf(fields)).toEqual({ format: "png", maxMegapixels: 0.25, ...framing });
});

it("reads a region in pixels and shares; the whole photo is none", () => {
  expect(translate({ roi: "10px 0% 90% 200px" }).edit.parameters.region).toEqual({
    left: "10px",
    top: "0%",
    right: "90%",
    bottom: "200px",
  });
  expect(translate({ roi: "0% 0% 100% 100%" }).edit.parameters).not.toHaveProperty("region");
});

it("makes a shadow by the tool for shadows, where the plan has it", () => {
  const { edit, unsupported } = translate({ shadow_type: "3D", shadow_opacity: "40" });
  expect([edit.tool, edit.parameters.shadow, unsupported]).toEqual(["ai-shadows", { opacity: 0.4 }, []]);
  expect(translate({ add_shadow: "true" }).edit.tool).toBe("ai-shadows");
  expect(translate({ add_shadow: "false" }).edit.tool).toBe("mask");
  expect(translate({ add_shadow: "true", shadow_type: "none" }).edit.tool).toBe("mask");
  expect(translate({ add_shadow: "true" }, ["mask"])).toMatchObject({
    edit: { tool: "mask" },
    unsupported: ["add_shadow"],
  });
});

it("names what is not done", () => {
  const asked = { type: "person", type_level: "latest", semitransparency: "false", shadow_type: "drop" };
  expect(translate(asked).unsupported).toEqual([
    "type=person",
    "type_level=latest",
    "semitransparency=false",
    "shadow_type=drop",
  ]);
  expect(translate({ type: "person" }).type).toBe("person");
  expect(translate({ type_level: "none" }).type).toBeUndefined();
});

it("gives the matte alone for channels=alpha, without background and shadow", () => {
  const { edit, unsupported } = translate({ channels: "alpha", bg_color: "red", add_shadow: "true" });
  expect(edit).toMatchObject({ tool: "mask", parameters: { alphaOnly: true, output: { format: "png" } } });
  expect(edit.parameters.output).not.toHaveProperty("background");
  expect(unsupported).toEqual(["a shadow with channels=alpha"]);
});

it.each([
  [{ size: "huge" }, { field: "size" }],
  [{ format: "zip" }, { field: "format" }],
  [{ format: "gif" }, { field: "format" }],
  [{ channels: "rgb" }, { field: "channels" }],
  [{ bg_color: "no-color" }, { field: "bg_color" }],
  [{ crop: "perhaps" }, { field: "crop" }],
  [{ crop: "true", crop_margin: "1px 2px 3px" }, { field: "crop_margin" }],
  [{ crop_margin: "wide" }, { field: "crop_margin" }],
  [{ scale: "5%" }, { field: "scale" }],
  [{ scale: "101%" }, { field: "scale" }],
  [{ position: "101%" }, { field: "position" }],
  [{ roi: "1 2 3 4" }, { field: "roi" }],
  [{ roi: "0% 0% 101% 100%" }, { field: "roi", problem: "roi_exceeds_bounds" }],
  [{ roi: "50% 0% 50% 100%" }, { field: "roi", problem: "roi_region_empty" }],
  [{ shadow_opacity: "101" }, { field: "shadow_opacity" }],
  [{ image_url: "no url" }, { field: "image_url" }],
  [{ bg_image_url: "ftp://a/b" }, { field: "bg_image_url" }],
  [{ bg_color: "red", bg_image_url: url }, { problem: "multiple_bg_sources" }],
])("%j is refused", (fields, details) => {
  expect(problemOf(fields)).toEqual(details);
});

it("takes exactly one source", () => {
  const parsed = parse({ image_url: url }) as RemoveBgFields;
  const options = { tools: toolIds, unknown: [] };
  const problem = (details: object) => expect.objectContaining({ code: "invalid_request", details });
  expect(() => toEdit(parsed, { image: file, background: undefined }, options)).toThrow(
    problem({ problem: "multiple_sources" }),
  );
  const none = parse({}) as RemoveBgFields;
  expect(() => toEdit(none, { image: undefined, background: undefined }, options)).toThrow(
    problem({ problem: "missing_source" }),
  );
  expect(toEdit(none, { image: file, background: file }, options).edit).toMatchObject({
    source: { kind: "file" },
    background: { kind: "file" },
    parameters: { output: { format: "jpeg" } },
  });
});
