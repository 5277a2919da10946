import { expect, test } from "vitest";
import { unflattenFields } from "./unflatten-fields.ts";

const schema = {
  type: "object",
  properties: {
    seed: { type: "integer" },
    isWanted: { type: ["boolean", "null"] },
    output: { type: "object", properties: { width: { type: "integer" }, format: { type: "string" } } },
  },
};

test("dots nest, and numbers are read by the schema", () => {
  const fields = [
    ["seed", "7"],
    ["output.width", "800"],
    ["output.format", "webp"],
  ] as const;
  expect(unflattenFields(fields, schema)).toEqual({ seed: 7, output: { width: 800, format: "webp" } });
});

test("a list is separated by commas or spaces", () => {
  const list = { type: "object", properties: { palette: { type: ["array", "null"] } } };
  const palette = ["#aabbcc", "#112233"];
  for (const text of ["#aabbcc,#112233", "#aabbcc, #112233", " #aabbcc #112233 ", "#aabbcc;#112233,"]) {
    expect(unflattenFields([["palette", text]], list)).toEqual({ palette });
  }
  expect(unflattenFields([["palette", ""]], list)).toEqual({ palette: [] });
});

test.each([
  [
    ["output", "1"],
    ["output.width", "5"],
  ],
  [
    ["output.width", "5"],
    ["output", "1"],
  ],
] as const)("a text beside fields below it stays a text, for the validator to name: %j, %j", (...fields) => {
  expect(unflattenFields(fields, schema)).toEqual({ output: "1" });
});

test.each([
  [
    ["seed", "1"],
    ["seed.x", "5"],
  ],
  [
    ["seed.x", "5"],
    ["seed", "1"],
  ],
] as const)("fields below a number are not lost beside it, for the validator to refuse: %j, %j", (...fields) => {
  expect(unflattenFields(fields, schema)).toEqual({ seed: { x: "5" } });
});

test.each([
  ["true", true],
  ["True", true],
  ["on", true],
  ["1", true],
  ["Yes", true],
  ["FALSE", false],
  ["False", false],
  ["off", false],
  ["0", false],
  ["no", false],
  [" true ", true],
  ["", ""],
  ["maybe", "maybe"],
])("the boolean %j, as Python, spreadsheets and browsers write it, is %j", (text, value) => {
  expect(unflattenFields([["isWanted", text]], schema)).toEqual({ isWanted: value });
});

test.each([
  [" 7 ", 7],
  ["\u00a07\n", 7],
  ["7.0", 7],
  ["+7", 7],
  ["-7", -7],
  [".5", 0.5],
  ["5.", 5],
  ["007", 7],
  ["7 8", "7 8"],
  [" ", " "],
  ["0x10", "0x10"],
  ["0b1", "0b1"],
  ["1e3", "1e3"],
  ["1_000", "1_000"],
  ["1,5", "1,5"],
  ["Infinity", "Infinity"],
  ["NaN", "NaN"],
  ["-", "-"],
  [".", "."],
])("the number %j is %j", (text, value) => expect(unflattenFields([["seed", text]], schema)).toEqual({ seed: value }));

test("a list of objects is JSON, and what is none stays text, so that the validator names it", () => {
  const item = { type: "object", properties: { name: { type: "string" } } };
  const list = { type: "object", properties: { outputs: { type: ["array", "null"], items: item } } };
  const of = (text: string) => unflattenFields([["outputs", text]], list).outputs;
  expect(of('[{"name": "a, b"}]')).toEqual([{ name: "a, b" }]);
  expect(of("a,b")).toBe("a,b");
});
