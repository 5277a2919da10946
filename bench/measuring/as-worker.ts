import { spawnSync } from "node:child_process";
import { nodeEnvironment, nodeFlags } from "../../cli/up/services.ts";

/**
 * Runs this program anew with a worker's flags and allocator, which decide how often garbage is collected, and ends with its
 * exit status; returns where it has them already.
 */
export function runAsWorker(): void {
  if (nodeFlags.worker.every((flag) => process.execArgv.includes(flag))) return;
  const args = [...nodeFlags.worker, ...process.execArgv, ...process.argv.slice(1)];
  const env = { ...process.env, ...nodeEnvironment.worker };
  process.exit(spawnSync(process.execPath, args, { env, stdio: "inherit" }).status ?? 1);
}
