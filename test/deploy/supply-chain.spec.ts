/** Where everything in an image comes from: packages by the hashes of the lock file, weights by the record of their training. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { trackedFiles } from "../house-rules/source-tree.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const sha256Of = (path: string) =>
  createHash("sha256")
    .update(readFileSync(join(root, path)))
    .digest("hex");
/** npm reads the lock file for each. */
const billsTimeoutMs = 120_000;
/** One of each image. */
let bills: readonly { readonly components: readonly Component[] }[] = [];
const weights = trackedFiles().filter((path) => /^models\/.+\.onnx$/.test(path));

interface Component {
  readonly scope?: "required" | "optional";
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-sbom-"));
  try {
    execFileSync("sh", ["deploy/docker/write-sbom.sh", folder], { cwd: root, stdio: "ignore" });
    bills = ["amd64", "arm64", "cuda"].map((image) =>
      JSON.parse(readFileSync(join(folder, `packshot-${image}.cdx.json`), "utf8")),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}, billsTimeoutMs);

test("every package that runs is bound to its bytes by the lock file", () => {
  const { packages } = read("package-lock.json") as {
    packages: Record<string, { integrity?: string; link?: boolean; dev?: boolean }>;
  };
  const running = Object.entries(packages).filter(
    ([path, { link, dev }]) => path.includes("node_modules/") && link !== true && dev !== true,
  );
  expect(running.length).toBeGreaterThan(100);
  const unbound = running.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""));
  expect(unbound.map(([path]) => path)).toEqual([]);
});

test("weights that are in the repository are those of their manifest and of the record of their training", () => {
  expect(weights).toContain("models/packshot-mask/1/model.onnx");
  for (const path of weights) {
    const folder = dirname(dirname(path));
    const manifest = read(`${folder}/packshot.json`);
    const record = read(`${folder}/training.json`);
    const isInt8 = path.endsWith(".int8.onnx");
    const named = isInt8 ? [manifest.int8.sha256, record.int8.sha256] : [manifest.sha256, record.sha256["model.onnx"]];
    expect(named, path).toEqual([sha256Of(path), sha256Of(path)]);
  }
});

interface Recipe {
  readonly shards: object;
  readonly seed: number;
  readonly before?: { readonly recipe?: Recipe };
}

interface Material {
  readonly license: string;
  readonly creator?: string;
  readonly source?: string;
}

/** All things in a record that name a license: photos, and what was rendered with. */
function materialsIn(record: unknown): Material[] {
  if (typeof record !== "object" || record === null) return [];
  if ("license" in record) return [record as Material];
  return Object.values(record).flatMap(materialsIn);
}

test("the record of a training goes back to its first step, with digests of its code and licenses of its materials", () => {
  const folders = [...new Set(weights.map((path) => dirname(dirname(path))))];
  for (const folder of folders) {
    const record = read(`${folder}/training.json`) as { recipe: Recipe; sha256: Record<string, string> };
    const steps: Recipe[] = [];
    for (let step: Recipe | undefined = record.recipe; step !== undefined; step = step.before?.recipe) steps.push(step);
    expect(steps.every(({ seed, shards }) => Number.isInteger(seed) && Object.keys(shards).length > 0)).toBe(true);
    expect(steps.at(-1)).not.toHaveProperty("before");
    for (const digest of Object.values(record.sha256)) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const materials = materialsIn(record);
    expect(materials.filter(({ creator, source }) => !(creator ?? source))).toEqual([]);
    expect([...new Set(materials.map(({ license }) => license))].sort()).toEqual(["BSD-3-Clause", "CC0-1.0", "MIT"]);
  }
});

test("the bills of materials name what console and launcher are built of", () => {
  const sources = trackedFiles().filter(
    (path) => /^console\/.+\.tsx?$/.test(path) && !/\.spec\.|vite\.config/.test(path),
  );
  const imports = sources.flatMap((path) => [
    ...readFileSync(join(root, path), "utf8").matchAll(/ from "((?:@[^/"]+\/)?[^./"][^/"]*)/g),
  ]);
  const imported = new Set(
    imports.map(([, name]) => name!).filter((name) => !/^(@packshot$|@packshot\/|node:)/.test(name)),
  );
  const modules = readFileSync(join(root, "deploy/cage/go.mod"), "utf8").match(/\S+\.\S+\/\S+ v\S+/g)!;
  for (const { components } of bills) {
    const partsOf = (whole: string) =>
      components.filter(({ properties = [] }) => properties.some(({ value }) => value === whole));
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...imported, "scheduler", "@tanstack/query-core"]));
    expect(partsOf("console").filter(({ name }) => /^(vite|@types\/.+)$/.test(name))).toEqual([]);
    expect(partsOf("console").filter(({ scope }) => scope === "optional")).toEqual([]);
    const ofCage = partsOf("packshot-cage").map(({ name, version }) => `${name} ${version}`);
    expect(ofCage).toEqual([expect.stringMatching(/^stdlib \d+\.\d+\.\d+$/), ...modules]);
    const parts = [...partsOf("console"), ...partsOf("packshot-cage")];
    const licenses = parts.flatMap(({ licenses = [] }) => licenses.map(({ license }) => license.id));
    expect(licenses).toHaveLength(parts.length);
    expect([...new Set(licenses)].sort()).toEqual(["BSD-3-Clause", "MIT"]);
  }
});

test("the bills of materials name the weights with their digests and the record of their training", () => {
  for (const bill of bills) {
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5" });
    const models = bill.components.filter(({ type }) => type === "machine-learning-model");
    expect(models.map(({ name }) => name).sort()).toEqual(
      weights.map((path) => path.replace(/^models\/(.+)\/1\//, "$1/")).sort(),
    );
    for (const { name, hashes, licenses, properties } of models) {
      const [model, file] = name.split("/");
      expect(hashes).toEqual([{ alg: "SHA-256", content: sha256Of(`models/${model}/1/${file}`) }]);
      expect(licenses![0]!.license.id).toBe(read(`models/${model}/packshot.json`).license);
      expect(properties).toContainEqual({
        name: "packshot:training-record-sha256",
        value: sha256Of(`models/${model}/training.json`),
      });
    }
  }
});
