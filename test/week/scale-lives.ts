/**
 * Preloaded by `--import` into the processes of a week in short, of whatever release: divides how long records live by WEEK_SCALE,
 * before anything writes one. None lives less than WEEK_LIFE_SECONDS_MIN for it. WEEK_SOURCE is the process's source tree.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { WEEK_SCALE, WEEK_LIFE_SECONDS_MIN, WEEK_SOURCE } = process.env;
const subjects = pathToFileURL(join(WEEK_SOURCE!, "packages/domain/subjects.ts")).href;
const { ttlSeconds } = (await import(subjects)) as { readonly ttlSeconds: Record<string, number> };
for (const [name, seconds] of Object.entries(ttlSeconds)) {
  const scaled = Math.max(Number(WEEK_LIFE_SECONDS_MIN), Math.round(seconds / Number(WEEK_SCALE)));
  ttlSeconds[name] = Math.min(seconds, scaled);
}
