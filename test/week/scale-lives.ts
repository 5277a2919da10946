/**
 * Preloaded by `--import` into the processes of a week in short, of whatever release: divides how long records live by WEEK_SCALE,
 * before anything writes one. None lives less than two minutes for it: copies of records stand still while a nats-server moves, and
 * clients repeat requests. WEEK_SOURCE is the process's source tree.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { WEEK_SCALE, WEEK_SOURCE } = process.env;
const scaledSecondsMin = 120;
const subjects = pathToFileURL(join(WEEK_SOURCE!, "packages/domain/subjects.ts")).href;
const { ttlSeconds } = (await import(subjects)) as { readonly ttlSeconds: Record<string, number> };
for (const [name, seconds] of Object.entries(ttlSeconds)) {
  const scaled = Math.max(scaledSecondsMin, Math.round(seconds / Number(WEEK_SCALE)));
  ttlSeconds[name] = Math.min(seconds, scaled);
}
