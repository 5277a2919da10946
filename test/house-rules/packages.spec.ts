/**
 * The house rules on packages: what a reader may rely on everywhere in this repository. The exceptions to a rule stand
 * in `exceptions.ts`, each with its reason.
 */

import { expect, test } from "vitest";
import { expectNone } from "./expect-none.ts";
import { readManifests, readTracked } from "./source-tree.ts";
import { product } from "./sources.ts";

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

test("everything that names the release names the same one", () => {
  const { version } = JSON.parse(readTracked("package.json")) as { version: string };
  const wrong = readManifests().flatMap(({ path, ...manifest }) => {
    const packages = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(([name]) =>
      name.startsWith("@packshot/"),
    );
    return [manifest.version, ...packages.map(([, wanted]) => wanted)].some((named) => named !== version) ? [path] : [];
  });
  expect(wrong).toEqual([]);
  expect(readTracked("deploy/helm/Chart.yaml")).toContain(`\nversion: ${version}\nappVersion: ${version}\n`);
  expect(readTracked("deploy/compose/compose.yaml")).toContain(`:-packshot:${version}}`);
  expect(readTracked("deploy/compose/compose.gpu.yaml")).toContain(`:-packshot:${version}-cuda}`);
  expect(readTracked("CHANGELOG.md")).toMatch(
    new RegExp(`^## (Not yet released: )?${version.replace(/\.\d+$/, "")}`, "m"),
  );
});

test("a workspace declares the packages that it imports", () => {
  const manifests = readManifests();
  const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const root = manifests.find(({ path }) => path === "package.json")!;
  const offenders = product.flatMap((file) => {
    const home = manifests.find(
      ({ path }) => path !== "package.json" && file.path.startsWith(path.replace("package.json", "")),
    );
    const declared = {
      ...home?.dependencies,
      ...(file.path.startsWith("cli/") && root.devDependencies),
      // It is built: whoever runs the product needs none of its packages.
      ...(/^(console|packages\/n8n-node)\/|\/vite\.config\.ts$/.test(file.path) && home?.devDependencies),
    };
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
