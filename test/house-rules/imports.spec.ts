/**
 * The house rules on imports: what a reader may rely on everywhere in this repository. The exceptions to a rule stand
 * in `exceptions.ts`, each with its reason.
 */

import { expect, test } from "vitest";
import { expectNone } from "./expect-none.ts";
import { circlesOf, mutualFolders } from "./import-circles.ts";
import { readManifests, readTracked, resolveImport, type SourceFile } from "./source-tree.ts";
import { product, sources } from "./sources.ts";

const serviceLayers = ["packages/domain", "packages/platform", "packages/log", "packages/service"];

/** Layers from the inside out; a file may import from the layers named here, and from its own. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  "packages/domain": [],
  "packages/platform": ["packages/domain"],
  "packages/log": ["packages/domain", "packages/platform"],
  "packages/service": ["packages/domain", "packages/platform", "packages/log"],
  "packages/models": ["packages/domain", "packages/platform"],
  "packages/sdk": [],
  "packages/github-action": ["packages/domain", "packages/sdk"],
  "packages/n8n-node": ["packages/sdk"],
  "services/api": [...serviceLayers, "packages/models", "packages/sdk"],
  "services/inference": [...serviceLayers, "packages/models"],
  "services/webhooks": serviceLayers,
  cli: ["packages/domain", "packages/platform", "packages/log", "packages/models", "packages/sdk"],
  console: ["packages/domain", "packages/sdk"],
};

function layerOf(path: string): string | undefined {
  return Object.keys(mayImport).find((layer) => path.startsWith(`${layer}/`));
}

test("imports go one way: domain ← platform ← log ← service, models ← services ← cli, and no service imports another", () => {
  const offenders = sources.flatMap((file) => {
    const layer = layerOf(file.path);
    if (layer === undefined) return [];
    return file.imports
      .map((specifier) => resolveImport(file.path, specifier))
      .filter((target) => target !== null)
      .filter((target) => {
        const targetLayer = layerOf(target);
        if (targetLayer === undefined) return !(file.isSpec && /^(testing|scripts)\//.test(target));
        return targetLayer !== layer && !mayImport[layer]!.includes(targetLayer);
      })
      .map((target) => `${file.path}: ${target}`);
  });
  expectNone("direction", offenders);
});

/** Everything that a file imports from this repository, for its types only or not. */
const imports = new Map(
  sources.map(({ path, imports: specifiers }) => {
    const targets = specifiers.map((specifier) => resolveImport(path, specifier));
    return [path, targets.filter((target) => target !== null && target !== path)] as const;
  }),
) as ReadonlyMap<string, readonly string[]>;

test("no files import each other in a circle, not even for types only", () => {
  expectNone(
    "circles",
    circlesOf(imports).map((circle) => circle.toSorted().join(" ↔ ")),
  );
});

const productPaths = new Set(product.map(({ path }) => path));
const productImports = new Map([...imports].filter(([path]) => productPaths.has(path)));

test("no two folders of the product import each other", () => {
  expectNone("mutualFolders", mutualFolders(productImports));
});

/** Folders of the API that every feature uses, and that know no feature. */
const apiRooms = ["access", "audit", "catalog", "core", "http", "records"];

/** Within a service: the folder on the left never imports from the one on the right. */
const mustNotImport: readonly (readonly [from: string, to: string])[] = [
  ["services/inference/imaging/", "services/inference/edits/"],
  ["services/inference/edits/", "services/inference/consumer/"],
  ...apiRooms.map((room) => [`services/api/${room}/`, "services/api/features/"] as const),
];

test("in a service, image processing knows no edits, and what features share knows no feature", () => {
  const offenders = [...productImports].flatMap(([path, targets]) =>
    targets
      .filter((target) => mustNotImport.some(([from, to]) => path.startsWith(from) && target.startsWith(to)))
      .map((target) => `${path}: ${target}`),
  );
  expectNone("folderDirection", offenders);
});

test("no process that holds a key opens an image: sharp is out of reach of its main module", () => {
  const importsOf = new Map(sources.map((file) => [file.path, file.imports]));
  const holders = product.filter(({ path, text }) => /-main\.ts$/.test(path) && /PACKSHOT_\w+_KEY/.test(text));
  expect(holders.map(({ path }) => path).sort()).toEqual([
    "services/api/api-main.ts",
    "services/webhooks/webhooks-main.ts",
  ]);
  const reached = new Set(holders.map(({ path }) => path));
  for (const path of reached) for (const target of imports.get(path) ?? []) reached.add(target);
  expectNone(
    "imagesBesideKeys",
    [...reached].filter((path) => importsOf.get(path)?.some((name) => /^(sharp|libheif-js|@img)(\/|$)/.test(name))),
  );
});

test("there are no barrels: what is imported is imported from where it is", () => {
  expectNone(
    "barrels",
    sources.filter((file) => file.isBarrel || /^export \* from/m.test(file.text)).map((file) => file.path),
  );
});

test("the domain is pure: it imports no npm package and no node: module", () => {
  const domain = product.filter((file) => file.path.startsWith("packages/domain/"));
  expectNone(
    "pureDomain",
    domain.flatMap(({ path, imports }) =>
      imports.filter((name) => !name.startsWith(".")).map((name) => `${path}: ${name}`),
    ),
  );
});

test("the environment is read in packages/platform/config only", () => {
  const readers = product.filter((file) =>
    /\bprocess\.env\b/.test(file.text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, "")),
  );
  expectNone(
    "environment",
    readers.filter((file) => !file.path.startsWith("packages/platform/config/")).map((file) => file.path),
  );
});

test("commands print through cli/command-line/print.ts, which lets no foreign text steer a terminal", () => {
  const printers = product.filter(
    ({ path, text }) => path.startsWith("cli/") && /\bprocess\.std(out|err)\.write\b|\bconsole\.\w+\(/.test(text),
  );
  expectNone(
    "printing",
    printers.map(({ path }) => path).filter((path) => path !== "cli/command-line/print.ts"),
  );
});

test("every file is an entry or is used by one", () => {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const scripts =
    readManifests()
      .map(({ path }) => readTracked(path))
      .join("\n") + readTracked("Makefile");
  const isEntry = (file: SourceFile) =>
    /(-main|\.config)\.tsx?$/.test(file.path) ||
    file.path === "packages/sdk/packshot.ts" ||
    /^(bench|training|scripts|test|testing)\//.test(file.path) ||
    (file.path.startsWith("cli/") && scripts.includes(file.path));
  const reached = new Set<string>();
  const queue = sources.filter((file) => isEntry(file));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file.path)) continue;
    reached.add(file.path);
    for (const target of file.uses) {
      const used = byPath.get(target);
      if (used && !reached.has(target)) queue.push(used);
    }
  }
  expectNone(
    "deadFiles",
    product.filter((file) => !reached.has(file.path)).map((file) => file.path),
  );
});

test("the model server opens what anybody sends, and has no way to nats-server", () => {
  const reached = new Set(["services/inference/model-server-main.ts"]);
  for (const file of reached) for (const target of imports.get(file) ?? []) reached.add(target);
  expect(reached.size).toBeGreaterThan(20);
  const connecting = sources.filter(({ path, imports: specifiers }) => {
    return reached.has(path) && specifiers.some((specifier) => specifier.startsWith("@nats-io/"));
  });
  expect(connecting.map(({ path }) => path)).toEqual([]);
});

/** What a file loads at once: neither types nor `import("…")`. */
function loads({ text }: SourceFile): string[] {
  const statement = /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;
  return [...text.matchAll(statement)].map((match) => match[1]!);
}

/** Each takes a start a twentieth of a second or more, and many deployments, or most starts, have no use for it. */
const loadedOnDemand = /^(@aws-sdk|@keyv\/redis|yaml$)/;

test("services load S3's SDK, Redis' client and the parser of YAML only where they are used", () => {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const mains = sources.map(({ path }) => path).filter((path) => /^services\/[^/]+\/[^/]+-main\.ts$/.test(path));
  const offenders: string[] = [];
  const seen = new Set(mains);
  for (const path of seen)
    for (const specifier of loads(byPath.get(path)!)) {
      const target = resolveImport(path, specifier);
      if (target !== null && byPath.has(target)) seen.add(target);
      if (loadedOnDemand.test(specifier)) offenders.push(`${path}: ${specifier}`);
    }
  expect(mains.length).toBeGreaterThanOrEqual(4);
  expect(seen.size).toBeGreaterThan(200);
  expect(offenders).toEqual([]);
});
