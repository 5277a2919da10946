import { expect, test } from "vitest";
import type { ValidRow } from "../rows/row.ts";
import type { RowRules } from "./check-row.ts";
import { checkItems } from "./read-rows.ts";
import { placeResult } from "./row-fields.ts";

const imageUrl = "https://shop.example/in/kettle.jpg?v=1";
const rules: RowRules = {
  tool: "mask",
  parameters: { output: { format: "webp", width: 800 } },
  destination: { connection: "shop", key: "{ref}/{tool}.{ext}" },
  tools: ["mask", "ai-bg"],
  models: ["u2netp"],
  connections: ["shop", "archive"],
  presets: {
    tall: {
      tool: "mask",
      parameters: { output: { height: 1200, format: "png" } },
      destination: { connection: "archive", key: "tall/{ref}.{ext}" },
    },
    studio: { tool: "ai-bg", parameters: { theme: "studio" } },
  },
};

function check(items: readonly object[], given: Partial<RowRules> = {}) {
  const withSources = items.map((item, i) => ({ ref: `K-${i}`, imageUrl, ...item }));
  const { rows, summary } = checkItems(withSources, { ...rules, ...given });
  return { rows: rows as ValidRow[], faults: summary.faults.map(({ line, message }) => `${line}: ${message}`) };
}

test("a row's own fields come before its preset, which comes before the batch", () => {
  const { rows, faults } = check([
    {},
    { preset: "tall" },
    { preset: "tall", parameters: { output: { height: 900 } }, destination: { key: "{name}.{ext}" } },
    { preset: "studio", tool: "ai-bg" },
    { preset: "etsy", destination: { connection: "archive", key: "etsy/{ref}.{ext}" } },
    { parameters: { preset: "ebay" } },
  ]);
  expect(faults).toEqual([]);
  expect(rows.map(({ tool, parameters, destination }) => [tool, parameters, destination])).toEqual([
    ["mask", rules.parameters, rules.destination],
    ["mask", { output: { format: "png", width: 800, height: 1200 } }, rules.presets!.tall!.destination],
    ["mask", { output: { format: "png", width: 800, height: 900 } }, { connection: "archive", key: "{name}.{ext}" }],
    ["ai-bg", { theme: "studio" }, rules.destination],
    ["mask", { ...rules.parameters, preset: "etsy" }, { connection: "archive", key: "etsy/{ref}.{ext}" }],
    ["mask", { ...rules.parameters, preset: "ebay" }, rules.destination],
  ]);
});

test("a preset brings its tool where nothing else names one", () => {
  const { rows } = check([{ preset: "studio" }, { preset: "ebay" }], { tool: null, parameters: {} });
  expect(rows.map(({ tool, parameters }) => [tool, parameters])).toEqual([
    ["ai-bg", { theme: "studio" }],
    ["mask", { preset: "ebay" }],
  ]);
});

test("a row whose preset, destination or background picture cannot be fails alone, with the reason", () => {
  const { faults } = check([
    { preset: "wide" },
    { preset: 5 },
    { preset: "studio" },
    { preset: "ebay", parameters: { preset: "etsy" } },
    { destination: { connection: "none" } },
    { destination: { key: "{sku}.{ext}" } },
    { destination: { key: "../{ref}" } },
    { destination: { bucket: "shop" } },
    { destination: { key: 7 } },
    { imageUrl: "https://shop.example/", destination: { key: "{name}.{ext}" } },
    { imageUrl: "s3://none/a.jpg" },
    { parameters: { backgroundImage: {} } },
    { parameters: { backgroundImage: { imageUrl: "s3://none/wall.jpg" } } },
    { parameters: { backgroundImage: { imageUrl: "ftp://shop.example/wall.jpg" } } },
    { tool: "ai-bg", parameters: { backgroundImage: { imageUrl } } },
  ]);
  expect(faults).toEqual([
    '1: Preset "wide" not found.',
    '2: "preset" must be of type string.',
    '3: The preset "studio" is one of ai-bg, not of mask.',
    '4: "preset" is ebay and "parameters.preset" is etsy: give one.',
    '5: Connection "none" not found.',
    '6: "destination.key" has {sku}; the placeholders are {ref}, {name}, {tool}, {jobId}, {batchId}, {output}, {ext}.',
    '7: The key of "destination.key" has a part that is "." or "..".',
    '8: Unknown field "destination.bucket".',
    '9: "destination.key" must be of type string.',
    '10: "destination.key" has {name}, and this edit has none.',
    '11: Connection "none" not found.',
    '12: "parameters.backgroundImage" needs one of imageUrl and uploadSessionId.',
    '13: Connection "none" not found.',
    '14: "parameters.backgroundImage.imageUrl" must begin with https://, http:// or s3://.',
    '15: Unknown parameter "parameters.backgroundImage".',
  ]);
});

test("a row has no variations, also where its preset or its batch asks for several", () => {
  const presets = { many: { tool: "ai-bg" as const, parameters: { variations: 3 } } };
  const message = 'Rows take no "parameters.variations": give a row for each seed.';
  const own = check(
    [
      { tool: "ai-bg", parameters: { variations: 2 } },
      { preset: "many" },
      { preset: "many", parameters: { variations: 1 } },
    ],
    { presets, tool: null },
  );
  expect(own.faults).toEqual([`1: ${message}`, `2: ${message}`]);
  const ofBatch = check([{}], { tool: "ai-bg", parameters: { variations: 4 } });
  expect(ofBatch.faults).toEqual([`1: ${message}`]);
});

test("a row has no layers, whoever asks for them", () => {
  const presets = { cut: { tool: "ai-bg" as const, parameters: { layers: true } } };
  const message = 'Rows take no "parameters.layers": leave it out, or make a single edit of the photo.';
  const rows = [{ preset: "cut" }, { preset: "cut", parameters: { layers: false } }];
  expect(check(rows, { presets, tool: null }).faults).toEqual([`1: ${message}`]);
});

test("background pictures are taken from the web, from a bucket and from upload sessions", () => {
  const pictures = [
    { imageUrl: "https://shop.example/wall.jpg" },
    { imageUrl: "s3://shop/wall.jpg" },
    { uploadSessionId: "0193" },
  ];
  const { rows, faults } = check(pictures.map((backgroundImage) => ({ parameters: { backgroundImage } })));
  expect(faults).toEqual([]);
  expect(rows.map(({ parameters }) => parameters.backgroundImage)).toEqual(pictures);
});

test("two rows cannot have one place, unless something of their jobs is in it", () => {
  const { faults } = check([
    { destination: { key: "mask.{ext}" } },
    { destination: { key: "mask.{ext}" } },
    { destination: { connection: "archive", key: "mask.{ext}" } },
    { destination: { key: "{jobId}.{ext}" } },
    { destination: { key: "{jobId}.{ext}" } },
    { destination: { key: "K-0/mask.png" } },
    { imageUrl: undefined, uploadSessionId: "1", destination: { key: "{name}.png" } },
    { imageUrl: undefined, uploadSessionId: "2", destination: { key: "{name}.png" } },
  ]);
  expect(faults).toEqual([
    '2: The result of line 1 has the same place, "shop/mask.{ext}": give each row a key of its own.',
  ]);
});

test("the name of a row's first file counts as a part of its place", () => {
  const named = (name: string, key: string) => ({ parameters: { outputs: [{ name }] }, destination: { key } });
  const { faults } = check([
    named("amazon", "{output}.{ext}"),
    named("zalando", "{output}.{ext}"),
    { destination: { key: "amazon.{ext}" } },
  ]);
  expect(faults).toEqual([
    '3: The result of line 1 has the same place, "shop/amazon.{ext}": give each row a key of its own.',
  ]);
});

test("all of a key but the format is known when the row is handed out", () => {
  const { rows } = check([{ ref: "shoes/17", destination: { key: "{batchId}/{ref}/{name}-{tool}-{jobId}.{ext}" } }]);
  const place = placeResult(rows[0]!, { jobId: "j", batchId: "b" });
  expect(place).toEqual({ connection: "shop", key: "b/shoes/17/kettle-mask-j.{ext}" });
});

test("a row with a file that a tool outside the plan draws is refused, and the reason names the file", () => {
  const { faults } = check([
    { parameters: { outputs: [{ name: "plain" }, { name: "soft", shadow: {} }] } },
    { tool: "ai-bg", parameters: { theme: "oak", outputs: [{ name: "main", preset: "ebay" }] } },
  ]);
  expect(faults).toEqual([expect.stringMatching(/"ai-shadows", which draws the file "soft"/)]);
});
