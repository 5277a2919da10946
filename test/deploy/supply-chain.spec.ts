/** Where everything in an image comes from: packages by the hashes of the lock file, weights by the record of their training. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { trackedFiles } from "../house-rules/source-tree.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const sha256Of = (path: string) =>
  createHash("sha256")
    .update(readFileSync(join(root, path)))
    .digest("hex");
const weights = trackedFiles().filter((path) => /^models\/.+\.onnx$/.test(path));

interface Component {
  readonly type: string;
  readonly name: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

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

test("the bills of materials name the weights with their digests and the record of their training", () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-sbom-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync("sh", ["deploy/docker/write-sbom.sh", folder], { cwd: root, stdio: "ignore" });
  for (const image of ["amd64", "arm64", "cuda"]) {
    const bill = JSON.parse(readFileSync(join(folder, `packshot-${image}.cdx.json`), "utf8"));
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5" });
    const models = (bill.components as readonly Component[]).filter(({ type }) => type === "machine-learning-model");
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
