/**
 * Preloaded by `--import` into the processes of `days-in-short.ts`: divides how long records live by BENCH_TIME_SCALE, before
 * anything writes one. nats-server counts a message's life in whole seconds, so none is shorter than one second. Leases
 * stay as they are: they are about processes, which live at their own pace.
 */
import { ttlSeconds } from "@packshot/domain/subjects.ts";

const scale = Number(process.env.BENCH_TIME_SCALE ?? 1);
const lives: Record<string, number> = ttlSeconds;
for (const [name, seconds] of Object.entries(lives)) {
  if (name !== "lease") lives[name] = Math.max(1, Math.round(seconds / scale));
}
