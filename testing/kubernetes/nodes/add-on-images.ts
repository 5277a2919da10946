/** Images of the programs that a cluster runs as pods beside ours: each has its program and nothing else. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Engine } from "../../containers/engine.ts";
import { namesImage, pauseImage } from "./add-on-objects.ts";

const folder = fileURLToPath(new URL("../../../.tools/add-ons", import.meta.url));
/** What scripts/setup.mjs builds, by the image that has it. */
const programOf: Readonly<Record<string, string>> = {
  [pauseImage]: join(folder, "pause"),
  [namesImage]: join(folder, "names"),
};

export const addOnPrograms: readonly string[] = Object.values(programOf);

/** An image of one static program. */
async function imageOfProgram(engine: Engine, image: string, program: string): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), "packshot-program-"));
  try {
    copyFileSync(program, join(place, "program"));
    await engine.run("tar", ["-C", place, "--owner=0", "--group=0", "-cf", join(place, "image.tar"), "program"]);
    const entrypoint = ["--change", 'ENTRYPOINT ["/program"]'];
    await engine.podman(["import", "--quiet", ...entrypoint, join(place, "image.tar"), image]);
    return image;
  } finally {
    rmSync(place, { recursive: true });
  }
}

export async function addOnImages(engine: Engine): Promise<readonly string[]> {
  const images: string[] = [];
  for (const [image, program] of Object.entries(programOf)) images.push(await imageOfProgram(engine, image, program));
  return images;
}
