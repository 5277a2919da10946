/**
 * Measures the features of rendered mattes as the product does: `node training/stance/features.ts FOLDER` reads FOLDER/poses.json of
 * render.py, and writes FOLDER/features.json for fit.py.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { featureNames, poseFeatures } from "../../services/inference/imaging/shadow/pose-features.ts";
import { createSilhouette } from "../../services/inference/imaging/shadow/silhouette.ts";

const [, , folder = "."] = process.argv;
const poses = JSON.parse(readFileSync(path.join(folder, "poses.json"), "utf8")) as readonly { readonly file: string }[];
const rows = [];
for (const pose of poses) {
  const matte = sharp(path.join(folder, pose.file)).extractChannel(0).raw();
  const { data, info } = await matte.toBuffer({ resolveWithObject: true });
  const silhouette = createSilhouette(data, info.width, info.height);
  if (silhouette !== null) rows.push({ ...pose, f: [...poseFeatures(silhouette)] });
}
writeFileSync(path.join(folder, "features.json"), JSON.stringify({ featureNames, rows }));
process.stdout.write(`${rows.length} mattes\n`);
