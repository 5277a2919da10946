import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseManifest } from "./manifest.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const manifestFile = (name: string) => join(root, "models", name, "packshot.json");
const manifests = readdirSync(join(root, "models"))
  .filter((name) => existsSync(manifestFile(name)))
  .map((name) => parseManifest(readFileSync(manifestFile(name), "utf8"), name));

/** The newest measurement's rows of the network's own matte, by group of photos. */
function measuredScores(model: string): Record<string, number> {
  const results = join(root, "bench", "results");
  const day = readdirSync(results)
    .filter((name) => existsSync(join(results, name, "mask.md")))
    .sort()
    .at(-1)!;
  const row = new RegExp(`^\\| ${model} plain \\| (\\w+) \\| \\d+ \\| (\\S+) \\| (\\S+) \\| (\\S+) \\|`, "gm");
  const rows = readFileSync(join(results, day, "mask.md"), "utf8").matchAll(row);
  return Object.fromEntries(
    [...rows].flatMap(([, group, iou, boundaryIou, worstIou]) => [
      [`${group}Iou`, Number(iou)],
      [`${group}BoundaryIou`, Number(boundaryIou)],
      [`${group}WorstIou`, Number(worstIou)],
    ]),
  );
}

it.each(manifests.filter(({ score }) => score !== null))(
  "$name: its manifest's scores are the measured ones",
  ({ name, score }) => {
    expect(score).toEqual(measuredScores(name));
  },
);
