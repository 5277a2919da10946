/** The house rules' own tools: a rule that finds nothing must be one that could. */

import { expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { bannedWords } from "./banned-words.ts";
import { type FunctionLength, measureFunction } from "./function-length.ts";
import { circlesOf, mutualFolders } from "./import-circles.ts";
import { isFunction, isPacking, visit } from "./syntax-tree.ts";

test("a circle of imports is found with all its members, and what only leads to it is not in it", () => {
  const imports = new Map([
    ["start", ["a"]],
    ["a", ["b", "leaf"]],
    ["b", ["c"]],
    ["c", ["a"]],
    ["leaf", []],
  ]);
  expect(circlesOf(imports).map((circle) => circle.sort())).toEqual([["a", "b", "c"]]);
});

test("folders import each other even where no two files do", () => {
  const imports = new Map([
    ["x/a.ts", ["y/b.ts"]],
    ["y/c.ts", ["x/d.ts", "z/e.ts"]],
  ]);
  expect(mutualFolders(imports)).toEqual(["x ↔ y: x/a.ts, y/c.ts"]);
});

function functionsIn(text: string): FunctionLength[] {
  const found: FunctionLength[] = [];
  visit(parseAst(text, { lang: "ts" }, "test.ts"), (node, parent) => {
    if (isFunction(node)) found.push(measureFunction(node, parent, text));
  });
  return found;
}

test("a function is as long as it is with its nested ones, and one that returns them is a factory", () => {
  const nested = "  function inner() {\n    return 1;\n  }\n";
  expect(functionsIn(`function plain() {\n${nested}  return inner();\n}`)).toEqual([
    { name: "plain", firstLine: 1, lines: 6, isFactory: false },
    { name: "inner", firstLine: 2, lines: 3, isFactory: false },
  ]);
  const factories = [`function make() {\n${nested}  return { inner };\n}`, "const make = () => ({ inner: () => 1 });"];
  for (const text of factories) expect(functionsIn(text)[0]).toMatchObject({ name: "make", isFactory: true });
  expect(functionsIn("const createSlot = () => new Slot();")[0]).toMatchObject({ isFactory: true });
});

test("literals and declarations that pack several things are found, and other spreads are not", () => {
  const packed = (text: string) => {
    let found = 0;
    visit(parseAst(text, { lang: "ts" }, "test.ts"), (node) => (found += Number(isPacking(node))));
    return found;
  };
  expect(["const x = { ...{ a, b } };", "const [a, b] = [1, 2];"].map(packed)).toEqual([1, 1]);
  expect(["const x = { ...y, a };", "const [a, b] = list;", "[a, b] = [b, a];"].map(packed)).toEqual([0, 0, 0]);
});

test("British spellings are found in identifiers, and ordinary words are not", () => {
  const isBanned = (line: string) => bannedWords.some(({ pattern }) => pattern.test(line));
  expect(["organise", "colourOf", "the neighbours", "initialised"].filter(isBanned)).toHaveLength(4);
  expect(["license", "exercise", "advise"].filter(isBanned)).toEqual([]);
});
