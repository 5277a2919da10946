/** A commit's image is the same whoever builds it: built again from a copy of the source tree, without a layer from before. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { type BuiltImage, buildImage } from "../../testing/containers/build-image.ts";
import { describeInContainers } from "../../testing/containers/describe-in-containers.ts";
import { filesOf, madeLayers } from "../../testing/containers/image-facts.ts";
import { diskFolder } from "../../testing/disk-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const timeoutMs = 1_200_000;
const shownFiles = 10;

describeInContainers(
  "the image, built anew in containers",
  (engine) => {
    let image: BuiltImage;
    beforeAll(async () => {
      image = await buildImage(engine);
    }, timeoutMs);

    test("a copy of the source tree, built anew, makes the same files and layers", { timeout: timeoutMs }, async () => {
      const copy = mkdtempSync(join(diskFolder, "packshot-copy-"));
      const tag = `${image.tag}-anew`;
      try {
        // Written now, while the files of the checkout are as old as it is. What git ignores may not be in the image.
        const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        const paths = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
        for (const path of paths)
          if (path !== "" && existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
        await buildImage(engine, { tag, context: copy, anew: true });
        const ours = await filesOf(engine, image.tag);
        const anew = await filesOf(engine, tag);
        const there = new Set(anew);
        expect(ours.filter((file) => !there.has(file)).slice(0, shownFiles)).toEqual([]);
        expect(anew.length).toBe(ours.length);
        // A layer that was kept from an earlier commit has that one's time.
        const layers = await madeLayers(engine, tag);
        const kept = await madeLayers(engine, image.tag);
        expect(
          kept.map(({ digest, created }, n) => (created === layers[n]!.created ? digest : layers[n]!.digest)),
        ).toEqual(layers.map(({ digest }) => digest));
      } finally {
        rmSync(copy, { recursive: true });
        await engine.podman(["rmi", "--ignore", tag]);
      }
    });
  },
  "test-compose",
);
