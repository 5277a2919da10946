/** What the documents promise a reader, as far as a machine can check it. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { trackedFiles } from "./house-rules/source-tree.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const documents = trackedFiles().filter((path) => path.endsWith(".md"));

test.each(documents)("every file and folder that %s links to exists", (path) => {
  const text = readFileSync(join(root, path), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link]) => link!);
  expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
});

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = readFileSync(join(root, path), "utf8").matchAll(/^#+ (.+)$/gm);
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
  return new Set([...headings].map(([, heading]) => slug(heading!)));
}

test.each(documents)("every section that %s links to exists", (path) => {
  const text = readFileSync(join(root, path), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*?(?:\.md)?)#([^)]+)\)/g)];
  const missing = links.filter(([, document, anchor]) => {
    const target = document === "" ? path : join(dirname(path), document!);
    return target.endsWith(".md") && !anchorsOf(target).has(anchor!);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

test("docs/ARCHITECTURE.md stays an introduction of at most 1,500 words", () => {
  const words = readFileSync(join(root, "docs/ARCHITECTURE.md"), "utf8")
    .split(/\s+/)
    .filter((word) => /\w/.test(word));
  expect(words.length).toBeLessThanOrEqual(1500);
});

test("the example change in CONTRIBUTING.md applies to this tree", () => {
  const [, diff] = /```diff\n([\s\S]*?)```/.exec(readFileSync(join(root, "CONTRIBUTING.md"), "utf8"))!;
  const apply = () => execFileSync("git", ["apply", "--check", "-"], { cwd: root, input: diff!, encoding: "utf8" });
  expect(apply).not.toThrow();
});

test("every row of docs/threats.md names specs, and each of them has the test that it names", () => {
  const rows = readFileSync(join(root, "docs/threats.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| **"));
  const broken = rows.flatMap((row) => {
    const cells = row.slice(1, -1).split("|");
    const [, resource] = /\*\*(.+?)\*\*/.exec(row)!;
    const held = [...cells.at(-1)!.matchAll(/`([\w./-]+\.spec\.ts)` "(.+?)"(?=<br>| $)/g)];
    if (cells.length !== 6 || held.length !== cells.at(-1)!.split("<br>").length) return [`${resource}: ${row}`];
    const isThere = (path: string, name: string) =>
      existsSync(join(root, path)) && readFileSync(join(root, path), "utf8").includes(name);
    return held.flatMap(([, path, name]) => (isThere(path!, name!) ? [] : [`${resource}: ${path} "${name}"`]));
  });
  expect(rows.length).toBeGreaterThan(30);
  expect(broken).toEqual([]);
});

test("every path that the glossary gives for a term exists", () => {
  const glossary = readFileSync(join(root, "docs/glossary.md"), "utf8");
  const rows = glossary.split("\n").filter((line) => line.startsWith("| "));
  const paths = rows.flatMap((row) => [...row.split(" | ")[2]!.matchAll(/`([\w./-]+)`/g)].map(([, path]) => path!));
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the guide of shadows was measured with the weights that estimate the stance today", () => {
  const weights = readFileSync(join(root, "services/inference/imaging/shadow/pose-weights.json"));
  const hash = createHash("sha256").update(weights).digest("hex").slice(0, 12);
  expect(readFileSync(join(root, "docs/guides/shadows.md"), "utf8")).toContain(`with the weights \`${hash}\``);
});

test("docs/adr/README.md lists every decision by its number and title, without a gap", () => {
  const names = documents.filter((path) => /^docs\/adr\/\d/.test(path)).map((path) => basename(path));
  const lines = names.map((name) => {
    const [heading] = readFileSync(join(root, "docs/adr", name), "utf8").split("\n", 1);
    return `- [${name.slice(0, 4)}](${name}) ${heading!.replace(/^# /, "")}`;
  });
  const index = readFileSync(join(root, "docs/adr/README.md"), "utf8").split("\n");
  expect(index.filter((line) => line.startsWith("- "))).toEqual(lines);
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, at) => at + 1));
});

test("every decision that code or a document names exists", () => {
  const texts = trackedFiles().filter((path) => /\.(tsx?|mjs|py|md|ya?ml|sh|tpl|go)$|file$/.test(path));
  const named = texts.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(/docs\/adr\/[\w-]+\.md/g)].map(
      ([record]) => `${path}: ${record}`,
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((use) => !existsSync(join(root, use.split(": ")[1]!)))).toEqual([]);
});
