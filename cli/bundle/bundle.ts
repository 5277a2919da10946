/** `packshot bundle`: images and chart as files, for clusters that reach no registry. */
import { join, resolve } from "node:path";
import { anyWords, type Command, CommandError, calledFrom, readArguments } from "../command-line/command.ts";
import { printLine } from "../command-line/print.ts";
import { bundledImages, version } from "./bundled-images.ts";
import { findEngine } from "./image-engine.ts";
import { loadBundle } from "./load-bundle.ts";
import { writeBundle } from "./write-bundle.ts";

const help = `packshot bundle: images and chart as files, for a cluster without a registry.

  packshot bundle images FOLDER    save the images that the chart runs as OCI
                                   archives, with the chart, the values that
                                   name the images, and SHA256SUMS. An image
                                   that is not here is pulled first
  packshot bundle load FOLDER      check every file, then load the images

  --packshot IMAGE   our image (default localhost/packshot:${version},
                     which "make images" builds)
  --nats IMAGE       nats-server's, and
  --valkey IMAGE     Valkey's (default: those of the chart)
  --also IMAGE       a further one, such as that with CUDA; repeatable
  --push REGISTRY    load: push the images there, too; pushed-images.yaml here
                     then has the chart's values that name them
  --engine NAME      podman or docker (default: the one that is on PATH)

FOLDER must not exist for images. Then, where the cluster is:

  packshot bundle load FOLDER --push registry.local:5000
  helm install packshot FOLDER/packshot-${version}.tgz -f pushed-images.yaml

  packshot bundle images packshot-bundle`;

const flags = {
  packshot: { type: "string" },
  nats: { type: "string" },
  valkey: { type: "string" },
  also: { type: "string", multiple: true, default: [] as string[] },
  push: { type: "string" },
  engine: { type: "string" },
} as const;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, anyWords);
  const [action, folder, ...more] = positionals;
  if ((action !== "images" && action !== "load") || folder === undefined || more.length > 0)
    throw new CommandError(`"packshot bundle images FOLDER" or "packshot bundle load FOLDER"; --help says more.`);
  const path = resolve(calledFrom(), folder);
  if (action === "load") {
    const valuesFile = join(calledFrom(), "pushed-images.yaml");
    await loadBundle(path, () => findEngine(values.engine), { push: values.push, valuesFile, say: printLine });
    return 0;
  }
  if (values.push !== undefined) throw new CommandError(`--push belongs to "packshot bundle load".`);
  await writeBundle(path, findEngine(values.engine), bundledImages(values), printLine);
  printLine(`the bundle is whole: ${folder}`);
  return 0;
}

export const bundle: Command = { summary: "images and chart as files, for clusters without a registry", help, run };
