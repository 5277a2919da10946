/** How long records and messages live, divided by the scale of a week. */
import { jetstreamManager } from "@nats-io/jetstream";
import type { Log } from "@packshot/log/log.ts";
import type { WeekPlan } from "./week-plan.ts";

/** Garbage is collected all the time: V8 lets small heaps fill up for longer than a week in short, which looks like a leak. */
const preloaded = [
  new URL("scale-lives.ts", import.meta.url),
  new URL("../../bench/load/collect-garbage.ts", import.meta.url),
];
const nanosPerSecond = 1e9;

export type Environment = Readonly<Record<string, string>>;

/** For processes of that source tree: what they write expires as much earlier. What their heaps hold is written to the other folder. */
export function scaledLives(folder: string, plan: WeekPlan, heapsFolder: string): Environment {
  return {
    HEAPS_FOLDER: heapsFolder,
    NODE_OPTIONS: preloaded.map(({ href }) => `--import=${href}`).join(" "),
    WEEK_SOURCE: folder,
    WEEK_SCALE: String(plan.scale),
    WEEK_LIFE_SECONDS_MIN: String(plan.lifeSecondsMin),
    PACKSHOT_RETENTION_SECONDS: String(plan.retentionSeconds),
  };
}

/** Streams whose messages live for a limited time. Migrations give them their own times back. */
export async function scaleStreams({ connection }: Log, { scale, lifeSecondsMin }: WeekPlan): Promise<void> {
  const manager = await jetstreamManager(connection);
  for (const { config } of await Array.fromAsync(manager.streams.list())) {
    if (config.max_age === 0) continue;
    const wanted = Math.min(
      config.max_age,
      Math.max(lifeSecondsMin * nanosPerSecond, Math.round(config.max_age / scale)),
    );
    const window = Math.min(config.duplicate_window, wanted);
    await manager.streams.update(config.name, { ...config, max_age: wanted, duplicate_window: window });
  }
}
