/**
 * The house rules on what is written for operators and readers: what a reader may rely on everywhere in this
 * repository. The exceptions to a rule stand in `exceptions.ts`, each with its reason.
 */

import { expect, test } from "vitest";
import { newestPeersChart } from "../../bench/peers/peers-chart.ts";
import { nodeEnvironment, nodeFlags, serviceMains } from "../../cli/up/services.ts";
import { errorsDocument } from "../../scripts/errors-document.ts";
import { parametersDocument } from "../../scripts/parameters-document.ts";
import { themeWordsDocument } from "../../scripts/theme-words-document.ts";
import { expectNone } from "./expect-none.ts";
import { readTracked } from "./source-tree.ts";
import { tracked } from "./sources.ts";

test("docs/errors.md is what the catalog of errors says", () => {
  expect(readTracked("docs/errors.md"), 'run "npm run docs"').toBe(errorsDocument());
});

test("docs/parameters.md is what the schemas of the tools say", () => {
  expect(readTracked("docs/parameters.md"), 'run "npm run docs"').toBe(parametersDocument());
});

test("docs/theme-words.md is what the lexicon of themes says", () => {
  expect(readTracked("docs/theme-words.md"), 'run "npm run docs"').toBe(themeWordsDocument());
});

test("docs/peers.svg is what the newest table of peers says", () => {
  const chart = tracked.includes("docs/peers.svg") ? readTracked("docs/peers.svg") : undefined;
  expect(chart, 'run "npm run docs"').toBe(newestPeersChart());
});

test("no tracked file names a registry's host, or a path of somebody's machine", () => {
  // Pieced together, so that this file does not find itself.
  const hosts = [
    "registry.npm" + "js",
    "npm" + "js.org",
    "pypi" + ".org",
    "files.python" + "hosted",
    "proxy.gol" + "ang",
  ];
  const folders = ["work", "root", "Users", "home/[a-z]+"].map((name) => `(?<![\\w.~)}-])/${name}/`);
  const pattern = new RegExp([...hosts.map((host) => host.replaceAll(".", "\\.")), ...folders].join("|"));
  const texts = tracked.filter((path) =>
    /\.(tsx?|mjs|py|md|json|ya?ml|sh|tpl|proto|pbtxt)$|^Makefile$|^\.ci\/run$/.test(path),
  );
  const offenders = texts.flatMap((path) => {
    const line = readTracked(path)
      .split("\n")
      .findIndex((text) => pattern.test(text));
    return line === -1 ? [] : [`${path}:${line + 1}`];
  });
  expectNone("hostsAndPaths", offenders);
});

test("commands of the documents run where the pinned Node is not first on PATH", () => {
  const documents = tracked.filter((path) => /^(README\.md|docs\/(?!adr\/).*\.md)$/.test(path));
  const offenders = documents.flatMap((path) =>
    readTracked(path)
      .split("\n")
      .flatMap((line, at) => (/(?<!npx )\bnode (?:\.{0,2}\/)?[\w/.-]+\.ts\b/.test(line) ? [`${path}:${at + 1}`] : [])),
  );
  expect(offenders, 'write "npx node": an older Node reads no TypeScript').toEqual([]);
});

test("the chart starts every service as the launcher does, with the same flags and environment for Node", () => {
  const templates = tracked.filter((path) => path.startsWith("deploy/helm/templates/")).map(readTracked);
  const missing = (Object.keys(serviceMains) as (keyof typeof serviceMains)[]).flatMap((name) => {
    const command = `args: [${[...nodeFlags[name], serviceMains[name]].join(", ")}]`;
    const own = templates.find((template) => template.includes(command));
    if (own === undefined) return [command];
    return Object.entries(nodeEnvironment[name])
      .map(([variable, value]) => `- { name: ${variable}, value: ${value} }`)
      .filter((line) => !own.includes(line));
  });
  expect(missing).toEqual([]);
});
