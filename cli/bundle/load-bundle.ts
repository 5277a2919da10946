import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { CommandError } from "../command-line/command.ts";
import { type BundledImage, type ImageName, imageText, imageValues, parseImage } from "./bundled-images.ts";
import { verifyChecksums } from "./checksums.ts";
import type { ImageEngine } from "./image-engine.ts";
import { imageList } from "./write-bundle.ts";

interface LoadOptions {
  /** A registry that gets the images, too. */
  readonly push: string | undefined;
  /** Gets the chart's values that name the images there. The bundle stays as it is: it may be on a disk that cannot be written. */
  readonly valuesFile: string;
  readonly say: (line: string) => void;
}

/** Nothing is loaded of a bundle with a damaged file. */
export async function loadBundle(
  folder: string,
  findEngine: () => Promise<ImageEngine>,
  { push, valuesFile, say }: LoadOptions,
): Promise<void> {
  const names = await verifyChecksums(folder);
  say(`${names.length} files are as they were written`);
  const engine = await findEngine();
  for (const name of names.filter((one) => one.startsWith("images/"))) {
    say(`${name} …`);
    await engine.load(join(folder, name));
  }
  if (push === undefined) return;
  for (const name of readFileSync(join(folder, imageList), "utf8").split("\n").filter(Boolean)) {
    const there = imageText({ ...parseImage(name), registry: push });
    say(`${there} …`);
    await engine.tag(name, there);
    await engine.push(there);
  }
  const pushed = readImages(folder).map((image) => ({ ...image, name: { ...image.name, registry: push } }));
  writeFileSync(valuesFile, imageValues(pushed));
  say(`${valuesFile} names the images there`);
}

function readImages(folder: string): readonly BundledImage[] {
  const values = parse(readFileSync(join(folder, "images.yaml"), "utf8")) as {
    image?: ImageName;
    nats?: { image: ImageName };
    redis?: { image: ImageName };
  };
  const { image, nats, redis } = values;
  if (!image || !nats || !redis) throw new CommandError(`${folder}/images.yaml does not name the images.`);
  return [
    { value: "image", name: image },
    { value: "nats.image", name: nats.image },
    { value: "redis.image", name: redis.image },
  ];
}
