/** Which bundled weights a measurement was made with, so that it can be told from one with other weights. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const folder = new URL("../../models/packshot-mask/", import.meta.url);

/** Everything in the model's folder that changes a matte or the time that it takes. */
const files = ["config.pbtxt", "1/model.onnx", "1/model.int8.onnx"] as const;

/** `packshot-mask 0.14.0 (8b58d4607e6f)`: the manifest's version, and a digest of the files. */
export function bundledWeights(): string {
  const { name, version } = JSON.parse(readFileSync(new URL("packshot.json", folder), "utf8")) as {
    readonly name: string;
    readonly version: string;
  };
  const digest = createHash("sha256");
  for (const file of files) {
    const path = new URL(file, folder);
    if (existsSync(path)) digest.update(file).update(withoutReview(file, readFileSync(path)));
  }
  return `${name} ${version} (${digest.digest("hex").slice(0, 12)})`;
}

/** Limits of reviews, and comments, change neither a matte nor its time. */
export function withoutReview(file: string, bytes: Buffer): Buffer | string {
  if (file !== "config.pbtxt") return bytes;
  const reviews = /parameters \{\s*key: "packshot\.(?:doubt|review)_[^}]*\}\s*\}\n/g;
  return bytes
    .toString("utf8")
    .replace(/^#.*\n/gm, "")
    .replace(reviews, "");
}

/** What `bundledWeights` said when a table of results was written; undefined: the table does not say. */
export function weightsOfResults(markdown: string): string | undefined {
  return /^Bundled weights: (.+ \(\w{12}\))\.$/m.exec(markdown)?.[1];
}
