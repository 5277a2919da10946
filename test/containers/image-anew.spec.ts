/** A commit's image is the same bytes whoever builds it: built again from a copy of the source tree, without a layer from before. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { type BuiltImage, buildImage } from "../../testing/containers/build-image.ts";
import { describeInContainers } from "../../testing/containers/describe-in-containers.ts";
import { layersOf } from "../../testing/containers/image-layers.ts";
import { diskFolder } from "../../testing/disk-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Two builds, one of them of everything, beside whatever else the machine does. */
const timeoutMs = 2_400_000;
const layersMin = 5;

describeInContainers(
  "the image, built anew in containers",
  (engine) => {
    let image: BuiltImage;
    beforeAll(async () => {
      image = await buildImage(engine);
    }, timeoutMs);

    test("a copy of the source tree, built anew, makes the same layers", { timeout: timeoutMs }, async () => {
      const copy = mkdtempSync(join(diskFolder, "packshot-copy-"));
      const tag = `${image.tag}-anew`;
      try {
        // Written now, while the files of the checkout are as old as it is. What git ignores may not be in the image.
        const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        const paths = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
        for (const path of paths)
          if (path !== "" && existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
        await buildImage(engine, { tag, context: copy, anew: true });
        const kept = await layersOf(engine, image.tag);
        const anew = await layersOf(engine, tag);
        expect(anew.length).toBeGreaterThan(layersMin);
        // But for times: a layer that was kept from an earlier commit has that one's.
        expect(kept.map(({ content }) => content)).toEqual(anew.map(({ content }) => content));
        // All files of a layer have the one time that the image names for it, so that layers of one commit differ in nothing.
        for (const { times, madeAt } of [...kept, ...anew]) expect(times).toEqual([madeAt]);
      } finally {
        rmSync(copy, { recursive: true });
        await engine.podman(["rmi", "--ignore", tag]);
      }
    });
  },
  "test-compose",
);
