import { expect, it } from "vitest";
import { loadContract } from "../../http/contract.ts";
import { createEditRequestReader } from "./edit-request.ts";

const contract = loadContract(new URL("../../openapi.yaml", import.meta.url));
const reader = createEditRequestReader({ contract, models: () => [] });
const imageUrl = "https://shop.example/kettle.jpg";

function fromForm(fields: Readonly<Record<string, string>>) {
  return reader.fromForm("mask", {
    fields: { imageUrl, ...fields },
    file: undefined,
    pictures: {},
    discard: async () => {},
  });
}

it("takes parameters, metadata and the destination of a form as JSON, as fields, or both", () => {
  const { parameters, metadata, destination } = fromForm({
    parameters: '{"seed":7,"output":{"format":"webp","width":null}}',
    "output.width": " 800 ",
    "parameters.alphaOnly": "True",
    metadata: '{"sku":"K-17"}',
    "metadata.ref": "9",
    destination: '{"connection":"shop"}',
    "destination.key": "a.png",
  });
  expect(parameters).toEqual({ seed: 7, alphaOnly: true, output: { format: "webp", width: 800 } });
  expect(metadata).toEqual({ sku: "K-17", ref: "9" });
  expect(destination).toEqual({ connection: "shop", key: "a.png" });
});

it.each(["10", "-5%"])("refuses a margin of %s by its name", (left) => {
  const problem = (fields: Readonly<Record<string, string>>) => () => fromForm(fields);
  expect(problem({ "output.margin.left": left })).toThrow('"parameters.output.margin.left" must look like');
  const outputs = JSON.stringify([{ name: "web", output: { margin: { left } } }]);
  expect(problem({ outputs })).toThrow('"parameters.outputs.0.output.margin.left" must look like');
});

it.each(["100%", "150%", "99.5%", "0%", "12000px"])("takes a margin of %s", (left) => {
  expect(fromForm({ "output.margin.left": left }).parameters).toEqual({ output: { margin: { left } } });
});

it.each(["0%", "99.999999%", "100%", "100.0%", "00100%", "100.000001%", "100.999999%", "99999px"])(
  "takes a point at %s",
  (x) => {
    expect(fromForm({ "point.x": x, "region.right": x }).parameters).toEqual({ point: { x }, region: { right: x } });
  },
);

it.each([
  [{ parameters: '{"seed":7}', seed: "8" }, '"parameters.seed" is given twice'],
  [{ parameters: '{"output":{"width":7}}', "output.width": "7" }, '"parameters.output.width" is given twice'],
  [{ parameters: '{"output":7}', "output.width": "7" }, '"parameters.output" is given twice'],
  [{ metadata: '{"sku":"a"}', "metadata.sku": "b" }, '"metadata.sku" is given twice'],
  [{ parameters: "seed=7" }, '"parameters" must be a JSON object, or a field for each'],
  [{ parameters: "[7]" }, '"parameters" must be a JSON object'],
  [{ destination: "shop" }, '"destination" must be a JSON object'],
  [{ parameters: '{"seed":"x"}' }, '"parameters.seed" must be of type integer or null.'],
  [{ parameters: '{"seed":"7"}' }, '"parameters.seed" must be of type integer or null: 7, without quotes.'],
  [
    { seed: "0x10" },
    '"parameters.seed" must be of type integer or null, in decimal digits: 16 (in JSON, without quotes).',
  ],
  [
    { seed: "1e3" },
    '"parameters.seed" must be of type integer or null, in decimal digits: 1000 (in JSON, without quotes).',
  ],
  [{ seed: "1.5" }, '"parameters.seed" must be of type integer or null.'],
  [{ "point.x": "101%" }, '"parameters.point.x" must be a length in the photo such as "120px" or "10%", up to 100%.'],
  [{ "region.right": "101.0%" }, '"parameters.region.right" must be a length in the photo'],
  [{ parameters: '{"__proto__":{"seed":1}}' }, 'Unknown field "parameters.__proto__"'],
  [{ outputs: "x" }, '"parameters.outputs" must be of type array or null: write it as a list in JSON, [{ … }].'],
  [
    { parameters: '{"outputs":"x"}' },
    '"parameters.outputs" must be of type array or null: write it as a list in JSON, [{ … }].',
  ],
  [{ parameters: '{"outputs":"[]"}' }, '"parameters.outputs" must be of type array or null, without quotes.'],
  [{ alphaOnly: "maybe" }, '"parameters.alphaOnly" must be of type boolean'],
])("says what is wrong with the fields %j", (fields, words) => {
  expect(() => fromForm(fields)).toThrow(words);
});
