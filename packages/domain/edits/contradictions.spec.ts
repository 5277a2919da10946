import { expect, it } from "vitest";
import { contradictionOf } from "./contradictions.ts";
import type { EditParameters, ToolId } from "./tools.ts";

const web = { name: "web" };

it.each<readonly [ToolId, EditParameters, string]>([
  ["mask", { outputs: [web, { name: "zalando" }, { name: "web" }] }, "parameters.outputs.2.name"],
  ["mask", { outputs: [web, { name: "result" }] }, "parameters.outputs.1.name"],
  ["mask", { outputs: [web, { name: "variation-2" }] }, "parameters.outputs.1.name"],
  ["mask", { preset: "ebay", outputs: [web] }, "parameters.preset"],
  ["mask", { alphaOnly: true, outputs: [web] }, "parameters.alphaOnly"],
  ["mask", { keepShadow: true, outputs: [web] }, "parameters.keepShadow"],
  ["ai-shadows", { layers: true, outputs: [web] }, "parameters.layers"],
  ["ai-bg", { variations: 2, outputs: [web] }, "parameters.variations"],
  ["mask", { outputs: [{ ...web, preset: "ebay", shadow: {} }] }, "parameters.outputs.0.shadow"],
  ["mask", { outputs: [web, { name: "b", preset: "ebay", background: {} }] }, "parameters.outputs.1.background"],
  ["mask", { outputs: [{ ...web, output: { fit: "grow" } }] }, "parameters.outputs.0.output.fit"],
  [
    "mask",
    { outputs: [{ ...web, background: {}, output: { background: "#ffffff" } }] },
    "parameters.outputs.0.background",
  ],
  [
    "mask",
    { outline: {}, outputs: [{ ...web, shadow: {}, output: { fit: "grow" } }] },
    "parameters.outputs.0.output.fit",
  ],
])("%s cannot have %j: it names %s, and says what to do", (tool, parameters, field) => {
  const contradiction = contradictionOf(tool, parameters)!;
  expect(contradiction.field).toBe(field);
  expect(contradiction.message).toMatch(/leave|give/i);
});

it.each<readonly [ToolId, EditParameters]>([
  ["mask", { outputs: [web, { name: "b", preset: "ebay", output: { width: 1_000 } }] }],
  ["mask", { alphaOnly: false, keepShadow: false, outputs: [web] }],
  ["mask", { outputs: [{ ...web, shadow: { kind: "drop" }, output: { fit: "grow" } }] }],
  ["mask", { outline: {}, outputs: [{ ...web, preset: "ebay" }] }],
  ["ai-bg", { variations: 1, layers: false, outputs: [web, { name: "b", preset: "ebay" }] }],
])("%s may have %j", (tool, parameters) => {
  expect(contradictionOf(tool, parameters)).toBeUndefined();
});
