/**
 * The house rules: what a reader may rely on everywhere in this repository. A rule's exceptions stand in
 * `house-rules/exceptions.ts`, each with its reason.
 */

import { expect, test } from "vitest";
import { nodeEnvironment, nodeFlags, serviceMains } from "../cli/up/services.ts";
import { errorsDocument } from "../scripts/errors-document.ts";
import { exceptions } from "./house-rules/exceptions.ts";
import {
  readManifests,
  readSource,
  readTracked,
  resolveImport,
  type SourceFile,
  trackedFiles,
} from "./house-rules/source-tree.ts";

const fileLinesWanted = 300;
const fileLinesMax = 400;
const functionLinesWanted = 70;
const functionLinesMax = 100;

const tracked = trackedFiles();
const sources = tracked.filter((path) => path.endsWith(".ts")).map(readSource);
const written = sources.filter(({ path }) => !path.includes("/generated/"));
const isProduct = ({ path }: SourceFile) => /^(packages|services|cli|console)\//.test(path);
/** What specs beside it share: `test-x.ts`, imported by no product file. */
const isTestSupport = ({ path }: SourceFile) =>
  /\/test-[^/]+\.ts$/.test(path) && !sources.some((other) => !other.isSpec && other.uses.includes(path));
const product = sources.filter((file) => isProduct(file) && !file.isSpec && !isTestSupport(file));
const specs = sources.filter((file) => file.isSpec);

/** Fails naming every offender at once, less the listed exceptions; an exception that no longer offends fails too. */
function expectNone(rule: keyof typeof exceptions, offenders: readonly string[]): void {
  const excused = exceptions[rule].map(({ what }) => what);
  const matches = (offender: string, what: string) => offender === what || offender.startsWith(`${what}:`);
  expect(offenders.filter((offender) => !excused.some((what) => matches(offender, what)))).toEqual([]);
  expect(
    excused.filter((what) => !offenders.some((offender) => matches(offender, what))),
    "exceptions no longer needed",
  ).toEqual([]);
}

test(`no source file is longer than ${fileLinesMax} lines, and one over ${fileLinesWanted} is pointed out`, () => {
  const long = written.filter((file) => file.lines > fileLinesWanted);
  if (long.length > 0) console.warn(`long files: ${long.map(({ path, lines }) => `${path} (${lines})`).join(", ")}`);
  expectNone(
    "fileLength",
    long.filter((file) => file.lines > fileLinesMax).map((file) => file.path),
  );
});

test(`no function is longer than ${functionLinesMax} lines, and one over ${functionLinesWanted} is pointed out`, () => {
  const long = sources
    .filter((file) => !file.isSpec)
    .flatMap(({ path, functions }) => functions.map((found) => ({ path, ...found })))
    .filter(({ lines }) => lines > functionLinesWanted);
  const show = ({ path, name, firstLine, lines }: (typeof long)[number]) => `${path}:${firstLine} ${name} (${lines})`;
  if (long.length > 0) console.warn(`long functions: ${long.map(show).join(", ")}`);
  expectNone("functionLength", long.filter(({ lines }) => lines > functionLinesMax).map(show));
});

test("no file or folder is named after nothing: utils, helpers, common, types, index", () => {
  const banned = /^(utils?|helpers?|common|types?|index|misc|shared|lib|stuff)$/;
  const code = tracked.filter((path) => /\.(ts|mjs|py)$/.test(path));
  expectNone(
    "names",
    code.filter((path) => path.split("/").some((part) => banned.test(part.replace(/(\.spec)?\.\w+$/, "")))),
  );
});

test("there are no barrels: what is imported is imported from where it is", () => {
  expectNone(
    "barrels",
    sources.filter((file) => file.isBarrel || /^export \* from/m.test(file.text)).map((file) => file.path),
  );
});

/** Layers from the inside out; a file may import from the layers named here, and from its own. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  "packages/domain": [],
  "packages/platform": ["packages/domain"],
  "packages/models": ["packages/domain"],
  "packages/client": [],
  "services/api": ["packages/domain", "packages/platform", "packages/models"],
  "services/inference": ["packages/domain", "packages/platform", "packages/models"],
  "services/webhooks": ["packages/domain", "packages/platform"],
  cli: ["packages/domain", "packages/platform", "packages/models", "packages/client"],
  console: ["packages/client"],
};

function layerOf(path: string): string | undefined {
  return Object.keys(mayImport).find((layer) => path.startsWith(`${layer}/`));
}

test("imports go one way: domain ← platform, models ← services ← cli, and no service imports another", () => {
  const offenders = sources.flatMap((file) => {
    const layer = layerOf(file.path);
    if (layer === undefined) return [];
    return file.imports
      .map((specifier) => resolveImport(file.path, specifier))
      .filter((target) => target !== null)
      .filter((target) => {
        const targetLayer = layerOf(target);
        if (targetLayer === undefined)
          return !((file.isSpec || isTestSupport(file)) && /^(testing|scripts)\//.test(target));
        return targetLayer !== layer && !mayImport[layer]!.includes(targetLayer);
      })
      .map((target) => `${file.path}: ${target}`);
  });
  expectNone("direction", offenders);
});

/** Rooms of the API and the rooms that each may import; `http` and `routes` are the outermost, and import any. */
const apiRoomsMayImport: Readonly<Record<string, readonly string[]>> = {
  records: [],
  access: ["records"],
  idempotency: ["access"],
  accept: ["idempotency", "records"],
  followers: ["records"],
  "use-cases": ["accept", "access", "followers", "idempotency", "records"],
};

test("the API's use cases know nothing of HTTP: neither they nor what they use import http/ or routes/", () => {
  const roomOf = (path: string) => /^services\/api\/([\w-]+)\//.exec(path)?.[1];
  const offenders = product.flatMap((file) => {
    const room = roomOf(file.path);
    const allowed = room === undefined ? undefined : apiRoomsMayImport[room];
    if (allowed === undefined) return [];
    return file.imports
      .map((specifier) => resolveImport(file.path, specifier))
      .filter((target) => target?.startsWith("services/api/") && roomOf(target) !== room)
      .filter((target) => !allowed.includes(roomOf(target!) ?? ""))
      .map((target) => `${file.path}: ${target}`);
  });
  expectNone("apiDirection", offenders);
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

test("every file is an entry or is used by one", () => {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const scripts =
    readManifests()
      .map(({ path }) => readTracked(path))
      .join("\n") + readTracked("Makefile");
  const isEntry = (file: SourceFile) =>
    /(-main|\.config)\.ts$/.test(file.path) ||
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

test("every dependency is pinned, and explained in docs/dependencies.md", () => {
  const manifests = readManifests();
  const wanted = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  );
  const names = new Set(wanted.map(([name]) => name).filter((name) => !name.startsWith("@packshot/")));
  const explained = [...readTracked("docs/dependencies.md").matchAll(/^- (.+?):/gm)].flatMap(([, list]) =>
    [...list!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
  expect([...names].sort()).toEqual(explained.sort());
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)).map(([name]) => name)).toEqual([]);
});

test("a workspace declares the packages that it imports", () => {
  const manifests = readManifests();
  const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const root = manifests.find(({ path }) => path === "package.json")!;
  const offenders = product.flatMap((file) => {
    const home = manifests.find(
      ({ path }) => path !== "package.json" && file.path.startsWith(path.replace("package.json", "")),
    );
    const declared = { ...home?.dependencies, ...(file.path.startsWith("cli/") && root.devDependencies) };
    return file.imports
      .filter((specifier) => !/^(\.|node:)/.test(specifier))
      .map(packageOf)
      .filter((name) => !(name in declared) && name !== home?.name)
      .map((name) => `${file.path}: ${name}`);
  });
  expectNone("undeclared", offenders);
});

test("package-lock.json names every platform's packages, and no registry", () => {
  const { packages } = JSON.parse(readTracked("package-lock.json")) as {
    packages: Record<string, { resolved?: string; link?: boolean; optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    ),
  );
  expect(missing, 'run "npm run lock"').toEqual([]);
  expect(
    Object.keys(packages).filter((path) => packages[path]!.resolved !== undefined && !packages[path]!.link),
  ).toEqual([]);
});

test("docs/errors.md is what the catalog of errors says", () => {
  expect(readTracked("docs/errors.md"), 'run "npm run docs"').toBe(errorsDocument());
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
    /\.(ts|mjs|py|md|json|ya?ml|sh|tpl|proto|pbtxt)$|^Makefile$|^\.ci\/run$/.test(path),
  );
  const offenders = texts.flatMap((path) => {
    const line = readTracked(path)
      .split("\n")
      .findIndex((text) => pattern.test(text));
    return line === -1 ? [] : [`${path}:${line + 1}`];
  });
  expectNone("hostsAndPaths", offenders);
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
