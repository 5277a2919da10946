/** Images that pods of the chart's tests run, by their names in podman's storage and on nodes, and the chart's values that name them. */
import { realpathSync } from "node:fs";
import { tagOf } from "../../testing/containers/build-image.ts";
import type { Engine } from "../../testing/containers/engine.ts";
import { natsImage, standInEngines, valkeyImage } from "../../testing/containers/stand-in-engines.ts";
import { makeStandIn } from "../../testing/containers/stand-in-images.ts";
import { makeProgramImage } from "../../testing/kubernetes/nodes/add-on-images.ts";
import { findProgram, type ProgramName, programs } from "../../testing/programs.ts";

export const packshotImage = tagOf("packshot");
export { natsImage, valkeyImage };

/** As `--set` takes them. `part`: whose image it is; that of every process of ours when absent. */
export function imageValues(image: string, part?: string): readonly string[] {
  const [, registry, repository, tag] = /^([^/]+)\/(.+):([^:]+)$/.exec(image)!;
  const prefix = part === undefined ? "image" : `${part}.image`;
  return [`${prefix}.registry=${registry}`, `${prefix}.repository=${repository}`, `${prefix}.tag=${tag}`];
}

/** Images of podman's storage for nats-server and Redis. */
export const engineValues: readonly string[] = [
  ...imageValues(natsImage, "nats"),
  ...imageValues(valkeyImage, "redis"),
];

/** This checkout's image, and those of the engines that the chart runs beside it. */
export const localImages: readonly string[] = [...imageValues(packshotImage), ...engineValues];

/** What `localImages` names. Ours is built before the tests, by the target of make: even from kept layers that takes a minute. */
export async function chartImages(engine: Engine): Promise<readonly string[]> {
  await standInEngines(engine);
  return [packshotImage, natsImage, valkeyImage];
}

function requireProgram(name: ProgramName): string {
  const found = findProgram(name);
  if (found === undefined) throw new Error(`${name} is missing: ${programs[name].install}`);
  return realpathSync(found);
}

export const s3Image = "localhost/packshot-add-on/versitygw:test";

export async function makeS3Image(engine: Engine): Promise<string> {
  return await makeProgramImage(engine, s3Image, requireProgram("versitygw"));
}

export const prometheusImage = "localhost/packshot-stand-in/prometheus:here";

export async function makePrometheusImage(engine: Engine): Promise<string> {
  const containerfile = ["COPY prometheus /usr/local/bin/prometheus", 'ENTRYPOINT ["prometheus"]'];
  return await makeStandIn(engine, {
    image: prometheusImage,
    containerfile,
    files: { prometheus: requireProgram("prometheus") },
  });
}
