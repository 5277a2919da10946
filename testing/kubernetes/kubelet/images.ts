/**
 * What the images of the chart hold, and those of the engines that tests run beside it, as far as a process needs it. No
 * image is pulled: a container runs on the machine's own programs, with a checkout where our images have it.
 */

export interface ImageContents {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly workingDir: string;
}

const known: Readonly<Record<string, ImageContents>> = {
  packshot: { entrypoint: ["node"], command: ["services/api/api-main.ts"], workingDir: "/packshot" },
  nats: { entrypoint: ["nats-server"], command: ["--config", "/etc/nats/nats-server.conf"], workingDir: "/" },
  valkey: { entrypoint: [], command: ["redis-server"], workingDir: "/data" },
  prometheus: { entrypoint: ["prometheus"], command: [], workingDir: "/" },
  keda: { entrypoint: ["keda-operator"], command: [], workingDir: "/" },
  "keda-metrics-apiserver": { entrypoint: ["keda-adapter"], command: [], workingDir: "/" },
  versitygw: { entrypoint: ["versitygw"], command: [], workingDir: "/" },
};

/** The end of a tag that stands for an image which cannot be pulled. */
const missingTag = "-missing";

export class ImagePullError extends Error {}

export function tagOf(image: string): string | undefined {
  return image.split("@")[0]!.split(/:(?=[^/]*$)/)[1];
}

export function contentsOfImage(image: string): ImageContents {
  const [path = ""] = image.split("@")[0]!.split(/:(?=[^/]*$)/);
  const tag = tagOf(image);
  const contents = known[path.split("/").at(-1)!];
  if (contents !== undefined && tag?.endsWith(missingTag) !== true) return contents;
  throw new ImagePullError(`failed to pull and unpack image "${image}": not found`);
}
