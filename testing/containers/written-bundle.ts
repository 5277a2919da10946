/** A bundle of images and chart, as `packshot bundle images` writes it for clusters without a registry. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { diskFolder } from "../disk-folder.ts";
import type { Engine } from "./engine.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

/** By their names in podman's storage. */
interface BundledNames {
  readonly packshot: string;
  readonly nats: string;
  readonly valkey: string;
}

export interface WrittenBundle {
  readonly folder: string;
  /** OCI archives, one for each image. */
  readonly archives: readonly string[];
  readonly chart: string;
  /** A file of the chart's values that name the images. */
  readonly values: string;
  remove(): void;
}

/** Runs `packshot bundle` with an engine's settings; resolves with what it printed. */
export async function runBundle(engine: Engine, args: readonly string[]): Promise<string> {
  return await engine.run(process.execPath, ["cli/packshot.ts", "bundle", ...args, "--engine", "podman"]);
}

export async function writeBundle(engine: Engine, { packshot, nats, valkey }: BundledNames): Promise<WrittenBundle> {
  const own = mkdtempSync(join(diskFolder, "packshot-bundle-"));
  const remove = () => rmSync(own, { recursive: true, force: true });
  const folder = join(own, "bundle");
  try {
    await runBundle(engine, ["images", folder, "--packshot", packshot, "--nats", nats, "--valkey", valkey]);
    return {
      folder,
      archives: readdirSync(join(folder, "images")).map((name) => join(folder, "images", name)),
      chart: join(folder, `packshot-${version}.tgz`),
      values: join(folder, "images.yaml"),
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}
