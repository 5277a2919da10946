/** Licenses that the product's users can live with. What the images hold is in their bills of materials (deploy/docker). */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectNone } from "./expect-none.ts";
import { readTracked } from "./source-tree.ts";

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
}

interface RunningPackage {
  readonly name: string;
  readonly license: string | undefined;
}

/** Those that are inside the console's files: npm takes them for development dependencies. */
function bundledPackages(packages: Readonly<Record<string, LockedPackage>>): ReadonlySet<string> {
  const buildTools = /^node_modules\/(vite$|@types\/|@packshot\/)/;
  const found = new Set<string>();
  const visit = (names: Readonly<Record<string, string>> = {}) => {
    for (const path of Object.keys(names).map((name) => `node_modules/${name}`)) {
      if (buildTools.test(path) || found.has(path)) continue;
      found.add(path);
      visit(packages[path]!.dependencies);
    }
  };
  visit(packages.console!.devDependencies);
  return found;
}

/** Packages of others that are installed without development dependencies, on any platform, and that browsers load. */
function runningPackages(): readonly RunningPackage[] {
  const { packages } = JSON.parse(readTracked("package-lock.json")) as { packages: Record<string, LockedPackage> };
  const bundled = bundledPackages(packages);
  return Object.entries(packages)
    .filter(
      ([path, { link, dev }]) => path.includes("node_modules/") && link !== true && (dev !== true || bundled.has(path)),
    )
    .map(([path, { license }]) => ({ name: path.slice(path.lastIndexOf("node_modules/") + 13), license }));
}

/** All of them allow use, change and resale with their notice kept. */
const allowed: ReadonlySet<string> = new Set([
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Unlicense",
  "(MIT OR CC0-1.0)",
]);

test("every package that runs has an allowed license", () => {
  const running = runningPackages();
  expect(running.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["express", "sharp", "onnxruntime-node", "react", "scheduler"]),
  );
  const offenders = running
    .filter(({ license }) => license === undefined || !allowed.has(license))
    .map(({ name, license }) => `${name}: ${license}`);
  // libvips has a package for each platform.
  const families = offenders.map((offender) =>
    offender.replace(/^(@img\/sharp)-(libvips|wasm32|win32)[^:]*/, "$1-libvips"),
  );
  expectNone("licenses", [...new Set(families)]);
});

test("packages without a license in the usual field have one in their own files", () => {
  const unnamed = runningPackages().filter(({ license }) => license === undefined);
  expect(unnamed.map(({ name }) => name)).toEqual(["busboy", "streamsearch"]);
  for (const { name } of unnamed) {
    const file = new URL(`../../node_modules/${name}/LICENSE`, import.meta.url);
    expect(readFileSync(file, "utf8"), name).toContain("Permission is hereby granted, free of charge");
  }
});
