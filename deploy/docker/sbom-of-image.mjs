/**
 * From npm's SBOM on stdin, that of one image on stdout: without packages for other platforms, with those that the console's pages are
 * built of, what the launcher of decoders is built of, CUDA's wheels, and the weights that are in the repository.
 * `node sbom-of-image.mjs amd64|arm64|cuda`. Plain JavaScript for Node 20, as scripts/setup.mjs is.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const image = process.argv[2];
const cpu = image === "arm64" ? "arm64" : "x64";
const root = new URL("../../", import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8"));
const bom = JSON.parse(await text(process.stdin));

/**
 * npm installs an optional package where its fields allow the platform; our base image has glibc. npm's own `--omit dev`
 * also omits what one workspace needs for its tests and another one to run.
 */
function isForImage({ dev, os, cpu: cpus, libc }) {
  return !dev && (!os || os.includes("linux")) && (!cpus || cpus.includes(cpu)) && (!libc || libc.includes("glibc"));
}

/** Where they come from is in the record of their training, whose digest is part of the component. */
function weightsOf(model) {
  const folder = new URL(`models/${model}/`, root);
  const record = new URL("training.json", folder);
  const digest = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
  const { version, license, trainedOn, sha256, int8 } = JSON.parse(readFileSync(new URL("packshot.json", folder), "utf8"));
  const files = ["model.onnx", "model.int8.onnx"].filter((name) => existsSync(new URL(`1/${name}`, folder)));
  return files.map((name) => ({
    "bom-ref": `${model}@${version}/${name}`,
    type: "machine-learning-model",
    name: `${model}/${name}`,
    version,
    description: `trained on ${trainedOn}`,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: "SHA-256", content: digest(new URL(`1/${name}`, folder)) }],
    properties: [
      { name: "packshot:training-record", value: `models/${model}/training.json` },
      { name: "packshot:training-record-sha256", value: digest(record) },
      ...(name === "model.onnx" ? [] : [{ name: "packshot:quantized-from-sha256", value: int8.madeFrom ?? sha256 }]),
    ],
  }));
}

const entries = Object.entries(packages).filter(([path]) => path.includes("node_modules/"));
const nameIn = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const foreign = new Set(
  entries
    // The lock file does not say that sharp's WebAssembly is for browsers; npm learns it from the package.
    .filter(([path, entry]) => !isForImage(entry) || path.endsWith("-wasm32"))
    .map(([path, { version }]) => `${nameIn(path)}@${version}`),
);
const refOf = new Map(bom.components.map((component) => [component["bom-ref"], component]));
const links = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
const reached = new Set();
const toVisit = [bom.metadata.component["bom-ref"]];
while (toVisit.length > 0) {
  const ref = toVisit.pop();
  const component = refOf.get(ref);
  if (reached.has(ref) || (component && foreign.has(`${component.name}@${component.version}`))) continue;
  reached.add(ref);
  toVisit.push(...(links.get(ref) ?? []));
}

/** Packages that are inside the console's files: what builds them is not. */
const isBuildTool = (ref) => /^(vite|csstype|@types\/.+|@packshot\/.+)@/.test(ref);
const bundled = new Set();
const toBundle = [...links.get([...links.keys()].find((ref) => ref.startsWith("@packshot/console@")))];
while (toBundle.length > 0) {
  const ref = toBundle.pop();
  if (bundled.has(ref) || isBuildTool(ref)) continue;
  bundled.add(ref);
  toBundle.push(...(links.get(ref) ?? []));
}
const partOf = (name) => ({ name: "packshot:part-of", value: name });

/** Go's own library, of the image that builds it, and the modules of its go.mod. */
function partsOfCage() {
  const read = (path) => readFileSync(new URL(path, root), "utf8");
  const goVersion = /^ARG GO_IMAGE=golang:([\d.]+)/m.exec(read("deploy/docker/Dockerfile"))[1];
  const modules = [...read("deploy/cage/go.mod").matchAll(/^(?:require)?\s+(\S+\.\S+\/\S+) v([\d.]+)$/gm)];
  return [["stdlib", goVersion], ...modules.map(([, name, version]) => [name, `v${version}`])].map(([name, version]) => ({
    "bom-ref": `pkg:golang/${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:golang/${name}@${version}`,
    licenses: [{ license: { id: "BSD-3-Clause" } }],
    properties: [partOf("packshot-cage")],
  }));
}

const published = new Set(entries.filter(([, { link }]) => !link).map(([path, { version }]) => `${nameIn(path)}@${version}`));
bom.components = bom.components.flatMap((component) => {
  const ref = component["bom-ref"];
  if (!published.has(`${component.name}@${component.version}`)) return [];
  if (reached.has(ref)) return [component];
  // For npm it is for development only, and optional.
  return bundled.has(ref) ? [{ ...component, scope: "required", properties: [partOf("console")] }] : [];
});
bom.components.push(...partsOfCage());
if (image === "cuda") {
  const wheels = readFileSync(new URL("deploy/docker/cuda-requirements.txt", root), "utf8");
  for (const [, name, version, sha256] of wheels.matchAll(/^([\w-]+)==(\S+) --hash=sha256:([0-9a-f]{64})$/gm)) {
    const purl = `pkg:pypi/${name}@${version}`;
    bom.components.push({
      "bom-ref": purl,
      type: "library",
      name,
      version,
      purl,
      hashes: [{ alg: "SHA-256", content: sha256 }],
    });
  }
}
for (const model of readdirSync(new URL("models/", root))) bom.components.push(...weightsOf(model));
const kept = new Set(bom.components.map((component) => component["bom-ref"]).concat(bom.metadata.component["bom-ref"]));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
bom.metadata.component = { ...bom.metadata.component, type: "container", name: image === "cuda" ? "packshot-cuda" : `packshot-${image}` };
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
