/** What a table was measured on. */
import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";

export function hardware(): string {
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${gib} GiB, Node ${process.versions.node}${gpus()}`;
}

function gpus(): string {
  try {
    const query = ["--query-gpu=name,driver_version", "--format=csv,noheader"];
    return `, ${execFileSync("nvidia-smi", query, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()}`;
  } catch {
    return "";
  }
}
