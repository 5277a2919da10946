/** One client, each photo once: does the whole way work? */
import { check } from "k6";
import type { Options } from "k6/options";
import { editPhoto } from "./edit.ts";
import { gracefulStop, photos, settings, summaryTrendStats, systemTags } from "./settings.ts";

export { handleSummary } from "./summary.ts";

export const options: Options = {
  summaryTrendStats,
  systemTags: [...systemTags],
  scenarios: {
    smoke: {
      executor: "per-vu-iterations",
      exec: "smoke",
      iterations: photos.length,
      maxDuration: gracefulStop,
    },
  },
  thresholds: { checks: ["rate==1"], jobs_unsuccessful: ["rate==0"] },
};

export function smoke(): void {
  const result = editPhoto(settings.main, {}, "binary");
  const bytes = new Uint8Array(result ?? new ArrayBuffer(0));
  check(bytes, { "the result is an image": isImage });
}

/** PNG, as of `mask`, or JPEG, as of the other tools. */
function isImage(bytes: Uint8Array): boolean {
  return (bytes[0] === 0x89 && bytes[1] === 0x50) || (bytes[0] === 0xff && bytes[1] === 0xd8);
}
