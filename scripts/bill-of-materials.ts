/**
 * Writes what the product is made of as CycloneDX 1.5: every npm package that runs, of every platform, and the bundled
 * weights. `node scripts/bill-of-materials.ts [FILE]`; without FILE it is printed. Equal sources give equal bytes.
 *
 * It reads package-lock.json itself: `npm sbom --omit dev` also leaves out what a service needs when the root package has it
 * for its tests, as express and sharp (npm 11.19).
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);

export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
}

export interface RunningPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; undefined: the package names none in the usual field. */
  readonly license: string | undefined;
  readonly integrity: string | undefined;
  /** Not on every machine. */
  readonly isOptional: boolean;
}

/** The packages of others that are installed without development dependencies, sorted, each version once. */
export function runningPackages(lock: Readonly<Record<string, LockedPackage>>): readonly RunningPackage[] {
  const found = new Map<string, RunningPackage>();
  for (const [path, { version, license, integrity, link, dev, optional }] of Object.entries(lock)) {
    const at = path.lastIndexOf("node_modules/");
    if (at === -1 || link === true || dev === true || version === undefined) continue;
    const name = path.slice(at + "node_modules/".length);
    found.set(`${name}@${version}`, { name, version, license, integrity, isOptional: optional === true });
  }
  return [...found.values()].sort((a, b) => (purlOf(a) < purlOf(b) ? -1 : 1));
}

function purlOf({ name, version }: RunningPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

export function readLock(): Readonly<Record<string, LockedPackage>> {
  const text = readFileSync(new URL("package-lock.json", root), "utf8");
  return (JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages;
}

function packageComponent(one: RunningPackage) {
  const digest = /^sha512-(.+)$/.exec(one.integrity ?? "")?.[1];
  return {
    type: "library",
    "bom-ref": purlOf(one),
    name: one.name,
    version: one.version,
    scope: one.isOptional ? "optional" : "required",
    purl: purlOf(one),
    ...(one.license !== undefined && { licenses: [{ expression: one.license }] }),
    ...(digest !== undefined && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
  };
}

/** Weights in the repository; models that are pulled are named in their manifests only. */
function weightComponents() {
  const models = new URL("models/", root);
  return readdirSync(models)
    .sort()
    .flatMap((name) => {
      const manifest = new URL(`${name}/packshot.json`, models);
      const weights = new URL(`${name}/1/model.onnx`, models);
      if (!existsSync(manifest) || !existsSync(weights)) return [];
      const { version, license, trainedOn } = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, string>;
      const content = createHash("sha256").update(readFileSync(weights)).digest("hex");
      return [
        {
          type: "machine-learning-model",
          "bom-ref": `model:${name}@${version}`,
          name,
          version,
          description: `trained on ${trainedOn}`,
          licenses: [{ expression: license }],
          hashes: [{ alg: "SHA-256", content }],
        },
      ];
    });
}

export function billOfMaterials() {
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { version: string };
  const product = { type: "application", "bom-ref": `packshot@${version}`, name: "packshot", version };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { ...product, licenses: [{ expression: "Apache-2.0" }] } },
    components: [...runningPackages(readLock()).map(packageComponent), ...weightComponents()],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = `${JSON.stringify(billOfMaterials(), null, 2)}\n`;
  const [, , file] = process.argv;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}
