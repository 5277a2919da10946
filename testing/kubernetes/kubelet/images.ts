/**
 * What the images of the chart hold, as far as a process needs it. No image is pulled: a container runs on the
 * machine's own programs, with this checkout where our images have it.
 */

export interface ImageContents {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly workingDir: string;
}

const packshot: ImageContents = {
  entrypoint: ["node"],
  command: ["services/api/api-main.ts"],
  workingDir: "/packshot",
};
const known: Readonly<Record<string, ImageContents>> = {
  packshot,
  "packshot-model-server": { ...packshot, command: ["services/inference/model-server-main.ts"] },
  "packshot-model-server-cuda": { ...packshot, command: ["services/inference/model-server-main.ts"] },
  nats: { entrypoint: ["nats-server"], command: ["--config", "/etc/nats/nats-server.conf"], workingDir: "/" },
  redis: { entrypoint: [], command: ["redis-server"], workingDir: "/data" },
  valkey: { entrypoint: [], command: ["redis-server"], workingDir: "/data" },
  busybox: { entrypoint: [], command: ["sh"], workingDir: "/" },
};

/** The end of a tag that stands for an image which cannot be pulled. */
const missingTag = "-missing";

export class ImagePullError extends Error {}

export function contentsOfImage(image: string): ImageContents {
  const [path = "", tag] = image.split("@")[0]!.split(/:(?=[^/]*$)/);
  const contents = known[path.split("/").at(-1)!];
  if (contents !== undefined && tag?.endsWith(missingTag) !== true) return contents;
  throw new ImagePullError(`failed to pull and unpack image "${image}": not found`);
}
