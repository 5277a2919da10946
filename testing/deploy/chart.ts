/** The chart, rendered by helm: its objects, and what helm and kubectl-validate say. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { findProgram } from "../programs.ts";
import type { KubernetesObject } from "./kubernetes-objects.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const chartFolder = join(root, "deploy/helm");
const examplesFolder = join(chartFolder, "examples");
/** The oldest that `Chart.yaml` allows and kubectl-validate knows. */
const kubernetesVersion = "1.30.0";

const tool = (name: string) => findProgram(name) ?? name;

export const exampleNames: readonly string[] = readdirSync(examplesFolder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.replace(".yaml", ""));

export interface ChartValues {
  /** A file of `examples/`. */
  readonly example?: string;
  /** More values, which win. */
  readonly values?: object;
}

function withValuesFile<T>({ example, values }: ChartValues, use: (args: readonly string[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "packshot-chart-"));
  const file = join(folder, "values.yaml");
  writeFileSync(file, JSON.stringify(values ?? {}));
  const files = [...(example === undefined ? [] : [join(examplesFolder, `${example}.yaml`)]), file];
  try {
    return use(files.flatMap((path) => ["--values", path]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface HelmOutcome {
  readonly status: number | null;
  readonly output: string;
}

function helm(args: readonly string[]): HelmOutcome {
  const { status, stdout, stderr } = spawnSync(tool("helm"), args, { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

export function lintChart(values: ChartValues = {}): HelmOutcome {
  return withValuesFile(values, (files) =>
    helm(["lint", "--strict", chartFolder, "--kube-version", kubernetesVersion, ...files]),
  );
}

/** `helm template` of values that may be wrong. */
export function tryChart(values: ChartValues): HelmOutcome {
  return withValuesFile(values, (files) => helm(["template", "packshot", chartFolder, ...kubeVersion(), ...files]));
}

function kubeVersion(): readonly string[] {
  return ["--kube-version", kubernetesVersion];
}

const rendered = new Map<string, string>();

/** The chart does not change while a spec runs, and helm takes most of a second. */
export function renderText(values: ChartValues = {}, release = "packshot"): string {
  const key = JSON.stringify([values, release]);
  const known = rendered.get(key) ?? renderAnew(values, release);
  rendered.set(key, known);
  return known;
}

function renderAnew(values: ChartValues, release: string): string {
  return withValuesFile(values, (files) =>
    execFileSync(tool("helm"), ["template", release, chartFolder, "--namespace", "shop", ...kubeVersion(), ...files], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 ** 2,
    }),
  );
}

/** The objects that an install would make. An error names a document that is no YAML, or says a key twice. */
export function renderChart(values: ChartValues = {}, release = "packshot"): KubernetesObject[] {
  return parseAllDocuments(renderText(values, release)).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    const object = document.toJS() as KubernetesObject | null;
    return object === null ? [] : [object];
  });
}

/** Whether Kubernetes' own schemas accept the objects, whose kinds must be built-in ones. */
export function validateObjects(objects: readonly KubernetesObject[]): HelmOutcome {
  const folder = mkdtempSync(join(tmpdir(), "packshot-objects-"));
  const file = join(folder, "objects.yaml");
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join("\n---\n"));
  try {
    const args = ["--version", kubernetesVersion.replace(/\.0$/, ""), file];
    const { status, stdout, stderr } = spawnSync(tool("kubectl-validate"), args, { encoding: "utf8" });
    return { status, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
