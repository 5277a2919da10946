/** What `run.ts` asked for, and the photos. */
import type { LoadSettings } from "../load-settings.ts";

export const settings = JSON.parse(open(__ENV.LOAD_SETTINGS!)) as LoadSettings;
/** k6 opens files only before it starts, once for each client. */
export const photos = settings.photos.map((path) => open(path, "b"));
/** What a scenario's last jobs get to end. */
export const gracefulStop = `${Math.ceil(settings.followMs / 1000)}s`;
export const summaryTrendStats = ["count", "min", "med", "p(95)", "p(99)", "max"];
/** Addresses and jobs' ids stay out of the results. */
export const systemTags = ["status", "method", "name", "scenario"] as const;
