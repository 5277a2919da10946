/**
 * Writes the graphs of an image model as a repository that Triton reads, each as a model of its own:
 *
 *     node packages/models/triton-graphs-main.ts --to triton-models data/models/flux2-klein-4b
 *
 * The files are linked where both folders are on one disk, and copied elsewhere. Triton then runs the graphs, and a model server of ours with
 * PACKSHOT_GRAPH_SERVER what lies between them (docs/triton.md).
 */
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { decodeModel, type OnnxModel } from "./onnx-file.ts";
import { graphConfig, graphModelName, kleinTensors } from "./pipeline-tensors.ts";

/** Returns the folders that were written. */
function exportGraphs(home: string, to: string): string[] {
  const version = readdirSync(home)
    .filter((name) => /^[1-9][0-9]*$/.test(name))
    .toSorted((a, b) => Number(a) - Number(b))
    .at(-1);
  if (version === undefined) throw new Error(`${home} has no version of an image model`);
  const model = basename(home);
  const graphs = Object.keys(kleinTensors).map((graph) => {
    const file = join(home, version, `${graph}.onnx`);
    const onnx = decodeModel(readFileSync(file));
    // Each is checked before anything is written.
    return { graph, file, config: graphConfig(model, graph, onnx), weights: filesOfWeights(file, onnx) };
  });
  return graphs.map(({ graph, file, config, weights }) => {
    const target = join(to, graphModelName(model, graph));
    rmSync(target, { recursive: true, force: true });
    mkdirSync(join(target, "1"), { recursive: true });
    place(file, join(target, "1", "model.onnx"));
    for (const name of weights) place(join(home, version, name), join(target, "1", name));
    writeFileSync(join(target, "config.pbtxt"), config);
    return target;
  });
}

/** What the graph's tensors name, beside it. A name that leads out of the folder would be read and written elsewhere. */
function filesOfWeights(file: string, { graph }: OnnxModel): ReadonlySet<string> {
  const entries = graph.initializer.flatMap(({ externalData = [] }) => externalData);
  const names = new Set(entries.filter(({ key }) => key === "location").map(({ value }) => value));
  for (const name of names)
    if (["", "..", "."].includes(name) || basename(name) !== name)
      throw new Error(`${file}: its weights must lie beside it, not in ${JSON.stringify(name)}`);
  return names;
}

function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { to: { type: "string" } } });
  if (values.to === undefined || positionals.length === 0) {
    process.stderr.write("usage: triton-graphs-main.ts --to FOLDER MODEL_FOLDER…\n");
    process.exit(2);
  }
  try {
    for (const home of positionals)
      for (const folder of exportGraphs(resolve(home), values.to)) process.stdout.write(`${folder}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
