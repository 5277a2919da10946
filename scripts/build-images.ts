/**
 * `make images`: builds the images on this machine by podman and buildah, without a registry. NODE_IMAGE and GO_IMAGE (and PYTHON_IMAGE) name
 * base images; without them Debian and this machine's Node and Go, and Debian's Python, stand in for the official ones. CUDA=1 builds packshot-cuda too,
 * whose wheels are 1.6 GB. Prints sizes, layers, and how long each service takes to be ready in a container.
 */
import { fileURLToPath } from "node:url";
import { buildImage, type Target } from "../testing/containers/build-image.ts";
import { type Engine, requireEngine } from "../testing/containers/engine.ts";
import { imageSize, layerSizes } from "../testing/containers/image-facts.ts";
import { startPod } from "../testing/containers/service-pod.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const say = (line: string) => process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

async function build(engine: Engine, target: Target): Promise<string> {
  say(`images: ${target} …`);
  const startedAtMs = performance.now();
  const { tag, base } = await buildImage(engine, { target });
  const size = await imageSize(engine, tag);
  const above = size - (await imageSize(engine, base));
  say(`${tag}: built in ${Math.round((performance.now() - startedAtMs) / 1000)} s on ${base}`);
  say(`  ${megabytes(size)}, ${megabytes(above)} above its base`);
  for (const { bytes, by } of await layerSizes(engine, tag))
    if (bytes > 0) say(`  ${megabytes(bytes).padStart(8)}  ${by}`);
  return tag;
}

const engine = await requireEngine();
say(`images: ${engine.name}`);
const tag = await build(engine, "packshot");
if (process.env.CUDA === "1") await build(engine, "packshot-cuda");
if (process.env.MEASURE !== "0") {
  const pod = await startPod(engine, tag);
  try {
    for (const [service, ms] of Object.entries(pod.readyAfterMs))
      say(`  ${service}: ready after ${(ms / 1000).toFixed(2)} s`);
    say(`  ${await pod.tryEdit()}`);
  } finally {
    await pod.stop();
  }
}
