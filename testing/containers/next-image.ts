/** The image of a release to come: the same files under another tag and label, so that every container is replaced by it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "./engine.ts";

export async function nextImage(engine: Engine, image: string): Promise<string> {
  const tag = "localhost/packshot-test:next-1";
  const folder = mkdtempSync(join(tmpdir(), "packshot-next-"));
  try {
    writeFileSync(join(folder, "Containerfile"), `FROM ${image}\nLABEL org.opencontainers.image.version=next\n`);
    await engine.run("buildah", ["bud", "--isolation", "chroot", "--format", "docker", "--tag", tag, folder]);
    return tag;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
