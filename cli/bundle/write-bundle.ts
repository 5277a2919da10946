import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "../command-line/command.ts";
import { type BundledImage, chartFolder, imageText, imageValues, version } from "./bundled-images.ts";
import { writeChecksums } from "./checksums.ts";
import { type ImageEngine, must } from "./image-engine.ts";

/** The names of all images, one a line. */
export const imageList = "images.txt";

/** The file of an image in the bundle. */
function archiveOf({ name }: BundledImage): string {
  return `images/${imageText(name).replaceAll(/[/:]/g, "_")}.tar`;
}

/** Under another name first, so that a bundle that exists is whole. */
export async function writeBundle(
  folder: string,
  findEngine: Promise<ImageEngine>,
  images: readonly BundledImage[],
  say: (line: string) => void,
): Promise<void> {
  const engine = await findEngine;
  const files = images.map(archiveOf);
  const twice = files.find((file, at) => files.indexOf(file) !== at);
  if (twice !== undefined) throw new CommandError(`two images would be ${twice}: name each once.`);
  if (existsSync(folder)) throw new CommandError(`${folder} exists: name a folder that does not.`);
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.draft-`);
  try {
    mkdirSync(join(draft, "images"));
    for (const image of images) {
      const name = imageText(image.name);
      if (!(await engine.has(name))) await engine.pull(name);
      say(`${name} …`);
      await engine.save(name, join(draft, archiveOf(image)));
    }
    await packChart(draft);
    writeFileSync(join(draft, "images.yaml"), imageValues(images));
    writeFileSync(join(draft, imageList), images.map(({ name }) => `${imageText(name)}\n`).join(""));
    await writeChecksums(draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** As `helm package` does: the chart's files in a folder of the chart's name. */
async function packChart(draft: string): Promise<void> {
  const work = mkdtempSync(`${draft}.chart-`);
  try {
    symlinkSync(chartFolder, join(work, "packshot"));
    const archive = join(draft, `packshot-${version}.tgz`);
    await must("tar", ["--dereference", "-C", work, "-czf", archive, "packshot"]);
  } finally {
    rmSync(work, { recursive: true });
  }
}
