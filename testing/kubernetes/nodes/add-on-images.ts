/** Images of one static program each, and nothing else: what a cluster runs as pods beside ours. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
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

/** The program has its own name in the image's root, and runs as `user`. Resolves with the image's name. */
export async function makeProgramImage(engine: Engine, image: string, program: string, user = 0): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), "packshot-program-"));
  const name = basename(program);
  try {
    copyFileSync(program, join(place, name));
    await engine.run("tar", ["-C", place, "--owner=0", "--group=0", "-cf", join(place, "image.tar"), name]);
    const changes = [`ENTRYPOINT ["/${name}"]`, `USER ${user}`].flatMap((change) => ["--change", change]);
    await engine.podman(["import", "--quiet", ...changes, join(place, "image.tar"), image]);
    return image;
  } finally {
    rmSync(place, { recursive: true });
  }
}

export async function addOnImages(engine: Engine): Promise<readonly string[]> {
  const images: string[] = [];
  for (const [image, program] of Object.entries(programOf)) images.push(await makeProgramImage(engine, image, program));
  return images;
}
