/**
 * The house rules on files, functions and words: what a reader may rely on everywhere in this repository. The
 * exceptions to a rule stand in `exceptions.ts`, each with its reason.
 */

import { test } from "vitest";
import { bannedWords } from "./banned-words.ts";
import { expectNone } from "./expect-none.ts";
import { readTracked, resolveImport } from "./source-tree.ts";
import { product, sources, specs, tracked, written } from "./sources.ts";

const fileLinesMax = 500;
const ownFileLinesMin = 40;
const functionLinesMax = 70;
const factoryLinesMax = 150;

test(`no source file and no spec is longer than ${fileLinesMax} lines`, () => {
  const long = written.filter(({ lines }) => lines > fileLinesMax);
  expectNone(
    "fileLength",
    long.map(({ path, lines }) => `${path}: ${lines}`),
  );
});

test(`a file under ${ownFileLinesMin} lines with one reader in its folder is part of that file`, () => {
  const readers = new Map<string, Set<string>>();
  for (const { path, imports } of product)
    for (const specifier of imports) {
      const target = resolveImport(path, specifier);
      if (target !== null) readers.set(target, (readers.get(target) ?? new Set()).add(path));
    }
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
  const small = product.filter(({ path, lines, isSpec }) => {
    const [reader, ...others] = readers.get(path) ?? [];
    const isAlone = reader !== undefined && others.length === 0 && folderOf(reader) === folderOf(path);
    return !isSpec && lines < ownFileLinesMin && isAlone && !path.includes("/generated/");
  });
  expectNone(
    "smallFiles",
    small.map(({ path, lines }) => `${path}: ${lines}`),
  );
});

test(`no function is longer than ${functionLinesMax} lines with those nested in it, a factory than ${factoryLinesMax}`, () => {
  const long = written
    .filter((file) => !file.isSpec)
    .flatMap(({ path, functions }) =>
      functions
        .filter(({ lines, isFactory }) => lines > (isFactory ? factoryLinesMax : functionLinesMax))
        .map(({ name, firstLine, lines }) => `${path}:${firstLine} ${name} (${lines})`),
    );
  expectNone("functionLength", long);
});

test("nothing is packed to look shorter: one property a line, one constant a declaration", () => {
  expectNone(
    "packing",
    written.flatMap(({ path, packing }) => packing.map((line) => `${path}:${line}`)),
  );
});

test("no file or folder has a name without a meaning: utils, helpers, common, types, index", () => {
  const banned = /^(utils?|helpers?|common|types?|index|misc|shared|lib|stuff)$/;
  const code = tracked.filter((path) => /\.(tsx?|mjs|py)$/.test(path));
  expectNone(
    "names",
    code.filter((path) => path.split("/").some((part) => banned.test(part.replace(/(\.spec)?\.\w+$/, "")))),
  );
});

test("spelling is American", () => {
  const isHistory = (path: string) => /^(bench\/results\/|test\/house-rules\/)/.test(path);
  const texts = tracked.filter(
    (path) => /\.(tsx?|mjs|py|md|ya?ml|sh|tpl|go|html)$|^Makefile$/.test(path) && !isHistory(path),
  );
  const offenders = texts.flatMap((path) =>
    readTracked(path)
      .split("\n")
      .flatMap((line, index) =>
        bannedWords
          .filter(({ pattern }) => pattern.test(line))
          .map(({ pattern, instead }) => `${path}:${index + 1} ${pattern.exec(line)![0]} (say: ${instead})`),
      ),
  );
  expectNone("bannedWords", offenders);
});

test('no comment begins with "Of": it would need the name below it to be understood', () => {
  const code = tracked.filter((path) => /\.(tsx?|mjs|py|ya?ml|sh|tpl|go|css|html|proto)$|^Makefile$/.test(path));
  const offenders = code.flatMap((path) =>
    [...readTracked(path).matchAll(/(?:\/\*\*?(?:\s*\n\s*\*)?|\/\/|(?:^|\s)#|<!--)\s+(Of\b.*)/gm)].map(
      ([, comment]) => `${path}: ${comment}`,
    ),
  );
  expectNone("comments", offenders);
});

test("exports have names", () => {
  expectNone(
    "defaultExports",
    sources.filter((file) => file.hasDefaultExport && !file.path.endsWith(".config.ts")).map((file) => file.path),
  );
});

test("no spec is narrowed to itself by .only", () => {
  const narrowed = /\b(?:test|it|describe|suite)(?:\.\w+)*\.only\b/;
  expectNone(
    "only",
    specs.filter((file) => narrowed.test(file.text)).map((file) => file.path),
  );
});

test("specs wait for events and never sleep", () => {
  const sleeps = /\bsetTimeout\(\s*(?:resolve|r|done|res)\b|\b(?:sleep|delay)\(|from "node:timers\/promises"/;
  expectNone(
    "sleeps",
    specs.filter((file) => sleeps.test(file.text)).map((file) => file.path),
  );
});

test("what makes a temporary folder removes it", () => {
  expectNone(
    "temporaryFolders",
    sources.filter(({ text }) => /\bmkdtemp/.test(text) && !/\brm(Sync)?\(/.test(text)).map(({ path }) => path),
  );
});

test("a source file that a comment or a document names is there", () => {
  const names = new Set(tracked.flatMap((path) => [path, path.split("/").at(-1)!]));
  const isThere = (name: string) =>
    names.has(name) || tracked.some((path) => path.endsWith(`/${name.replace(/^(\.\.?\/)+/, "")}`));
  const isHistory = (path: string) => /^(CHANGELOG\.md|bench\/results\/|test\/house-rules\/)/.test(path);
  const texts = tracked.filter((path) => /\.(tsx?|md|go|py|ya?ml|sh)$/.test(path) && !isHistory(path));
  const named = /`((?:[\w.-]+\/)*[a-z][\w-]+(?:\.[\w-]+)*\.tsx?)`/g;
  expectNone(
    "namedFiles",
    texts.flatMap((path) =>
      [...readTracked(path).matchAll(named)].flatMap(([, name]) => (isThere(name!) ? [] : [`${path}: ${name}`])),
    ),
  );
});
