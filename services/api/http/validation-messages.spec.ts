import { tools } from "@packshot/domain/edits/tools.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { loadContract } from "./contract.ts";
import { validationError } from "./validation-messages.ts";

const documents = ["../openapi.yaml", "../admin-openapi.yaml", "../features/removebg/removebg-openapi.yaml"];

interface PatternSchema {
  readonly pattern: string;
  readonly examples?: readonly string[];
}

const ajv = new Ajv2020({ strict: false, verbose: true });

/** Every schema with a pattern, at any depth; the same one once. */
function patternSchemas(node: unknown, found = new Map<string, PatternSchema>()): Map<string, PatternSchema> {
  if (typeof node !== "object" || node === null) return found;
  const { pattern } = node as Partial<PatternSchema>;
  if (typeof pattern === "string") found.set(JSON.stringify(node), node as PatternSchema);
  for (const part of Object.values(node)) patternSchemas(part, found);
  return found;
}

const schemas = [
  ...patternSchemas([
    ...documents.map((path) => loadContract(new URL(path, import.meta.url)).document),
    ...Object.values(tools),
  ]).values(),
];

it("finds the patterns of the documents", () => {
  expect(schemas.length).toBeGreaterThan(20);
});

it.each(schemas)("says in words what $pattern wants", (schema) => {
  const { pattern, examples = [] } = schema;
  const wrong = ["\u0001", "x", "Ä"].find((text) => !new RegExp(pattern, "u").test(text));
  const validate = ajv.compile({ properties: { field: { ...schema, minLength: 0, maxLength: 9999 } } });
  expect(validate({ field: wrong })).toBe(false);
  const { message } = validationError(validate.errors, "field");
  expect(message).not.toContain(pattern);
  expect(message).not.toMatch(/\[|\^|\$|not of the form/);
  expect(message).toMatch(/^"field" must [^.]+/);
  for (const example of examples) expect(example).toMatch(new RegExp(pattern, "u"));
});

it.each([
  ["a name in an object", { metadata: { "a b": "1" } }, '"metadata.a b" must be named with'],
  ["a photo as a data: URL", { imageUrl: "data:image/png;base64,AAAA" }, "multipart form"],
  ["a long one", { imageUrl: `DATA:image/png;base64,${"A".repeat(9999)}` }, "multipart form"],
  ["a path", { imageUrl: "/photos/1.jpg" }, '"imageUrl" must begin with https://'],
  ["a typo", { paramaters: {} }, 'Unknown field "paramaters": did you mean "parameters"?'],
  ["another style of names", { Meta_Data: {} }, 'Unknown field "Meta_Data": did you mean "metadata"?'],
  ["an unknown name", { color: "red" }, 'Unknown field "color".'],
])("says what is wrong with %s", (_what, body, words) => {
  const { document, compileBody } = loadContract(new URL("../openapi.yaml", import.meta.url));
  const parse = compileBody(document.components.schemas.EditRequest!);
  expect(() => parse({ imageUrl: "https://a.example/b.jpg", ...body })).toThrow(words);
});

it("shows no pattern of a schema that has no words for it", () => {
  const validate = ajv.compile({ properties: { field: { pattern: "^[a-f]+$" } } });
  validate({ field: "x" });
  expect(validationError(validate.errors, "field").message).not.toContain("^[a-f]");
});
