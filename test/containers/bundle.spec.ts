/** `packshot bundle` as operators of a cluster without a registry use it: saved here, loaded by an engine that has no image. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildImage } from "../../testing/containers/build-image.ts";
import { describeInContainers } from "../../testing/containers/describe-in-containers.ts";
import { type Engine, requireEngine } from "../../testing/containers/engine.ts";
import { standInEngines } from "../../testing/containers/stand-in-engines.ts";
import { runBundle, type WrittenBundle, writeBundle } from "../../testing/containers/written-bundle.ts";
import { diskFolder } from "../../testing/disk-folder.ts";
import { findProgram } from "../../testing/programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const timeoutMs = 1_200_000;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

describeInContainers(
  "images and chart for a cluster without a registry, in containers",
  (engine) => {
    let folder: string;
    let bundle: WrittenBundle;
    let names: readonly string[];
    let bare: Engine;

    beforeAll(async () => {
      folder = mkdtempSync(join(diskFolder, "packshot-bare-"));
      const { tag } = await buildImage(engine);
      const { nats, valkey } = await standInEngines(engine);
      names = [tag, nats, valkey];
      bundle = await writeBundle(engine, { packshot: tag, nats, valkey });
      bare = await requireEngine(join(folder, "storage"));
    }, timeoutMs);
    afterAll(async () => {
      // Its layers belong to users of the containers, whom only the engine may remove. A reset of the engine would remove the
      // machine's networks too, which every storage has in common.
      await bare?.podman(["rmi", "--all", "--force"]);
      bundle?.remove();
      rmSync(folder, { recursive: true, force: true });
    }, timeoutMs);

    test("is loaded whole, and its image runs", async () => {
      for (const name of names) await expect(bare.podman(["image", "exists", name])).rejects.toThrow();
      expect(await runBundle(bare, ["load", bundle.folder])).toContain("files are as they were written");
      for (const name of names) await bare.podman(["image", "exists", name]);
      expect(await bare.podman(["run", "--rm", "--network", "none", names[0]!, "cli/packshot.ts", "--version"])).toBe(
        version,
      );
    });

    test("its chart renders with its values, and names no image that is not in it", () => {
      const helm = findProgram("helm") ?? "helm";
      const args = ["template", "shop", bundle.chart, "--values", bundle.values];
      const kubernetes = ["--kube-version", "1.33.0"];
      const rendered = execFileSync(helm, [...args, ...kubernetes], { encoding: "utf8", maxBuffer: 1e8 });
      const used = new Set([...rendered.matchAll(/^\s*(?:- )?image: "?([^"\s]+)"?$/gm)].map(([, image]) => image!));
      expect(used.size).toBeGreaterThan(1);
      expect([...used].filter((image) => !names.includes(image))).toEqual([]);
    });

    test("loads nothing once a file of it is damaged", async () => {
      appendFileSync(bundle.values, "#\n");
      await expect(runBundle(bare, ["load", bundle.folder])).rejects.toThrow("is damaged");
    });
  },
  "test-compose",
);
