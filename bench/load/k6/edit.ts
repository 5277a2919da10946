/** One edit as a client sees it: the photo is sent, the end of its job awaited, the result downloaded. */
import { sleep } from "k6";
import http from "k6/http";
import { Counter, Rate, Trend } from "k6/metrics";
import type { EndedJob } from "../ended-job.ts";
import { endedByStream } from "../event-stream.ts";
import type { Tenant } from "../load-settings.ts";
import { photos, settings } from "./settings.ts";

type Tags = Record<string, string>;

/** From the request with the photo to its 202. */
const acceptMs = new Trend("accept_ms", true);
/** From that request to the webhook, or to the answer that the job has ended. */
const completedMs = new Trend("completed_ms", true);
const downloadMs = new Trend("download_ms", true);
const accepted = new Counter("jobs_accepted");
/** Share of jobs that were refused, failed, or had no end. */
const unsuccessful = new Rate("jobs_unsuccessful");
const lost = new Counter("jobs_lost");

const askSeconds = 30;
/** Limits requests that wait for nothing. */
const timeout = "60s";

interface Submitted {
  readonly id: string;
  readonly startedMs: number;
}

let photosSent = 0;

/** null where the job was refused, which counts as unsuccessful. */
export function submitEdit(tenant: Tenant, tags: Tags = {}): Submitted | null {
  const photo = photos[photosSent % photos.length]!;
  photosSent += 1;
  const startedMs = Date.now();
  const response = http.post(
    `${settings.apiUrl}/v1/tools/${settings.tool}/edit`,
    { image: http.file(photo, "photo.jpg", "image/jpeg") },
    { headers: authorization(tenant), tags: { ...tags, name: "submit" }, timeout },
  );
  if (response.status !== 202) {
    unsuccessful.add(true, { ...tags, outcome: String(response.status) });
    return null;
  }
  acceptMs.add(response.timings.duration, tags);
  accepted.add(1, tags);
  return { id: response.json("id") as string, startedMs };
}

/** The whole way; returns the result's bytes where they are wanted. */
export function editPhoto(
  tenant: Tenant,
  tags: Tags = {},
  responseType: "binary" | "none" = "none",
): ArrayBuffer | null {
  const submitted = submitEdit(tenant, tags);
  if (submitted === null) return null;
  const ended = follow(submitted, tenant);
  if (ended === null) lost.add(1, tags);
  if (ended?.status !== "completed") {
    unsuccessful.add(true, { ...tags, outcome: ended?.status ?? "lost" });
    return null;
  }
  completedMs.add(ended.atMs - submitted.startedMs, tags);
  const result = http.get(ended.resultUrl!, { tags: { ...tags, name: "download" }, responseType, timeout });
  downloadMs.add(result.timings.duration, tags);
  unsuccessful.add(result.status !== 200, tags);
  return result.status === 200 ? (result.body as ArrayBuffer | null) : null;
}

/** null where the job did not end in time. */
function follow({ id, startedMs }: Submitted, tenant: Tenant): EndedJob | null {
  const ask = settings.collectorUrl === null ? askApi : askCollector;
  while (Date.now() < startedMs + settings.followMs) {
    const ended = ask(id, tenant);
    if (ended !== null) return ended;
  }
  return null;
}

/** So that what answers with an error at once is not asked a thousand times a second. */
function pauseAfterError({ status }: { readonly status: number }): void {
  if (status !== 200 && status !== 204) sleep(1);
}

/** The collector answers when the webhook has arrived; 204 says that it has not yet. */
function askCollector(id: string): EndedJob | null {
  const url = `${settings.collectorUrl}/jobs/${id}?seconds=${askSeconds}`;
  const response = http.get(url, { tags: { name: "collector" }, timeout });
  pauseAfterError(response);
  return response.status === 200 ? (response.json() as unknown as EndedJob) : null;
}

/** The stream ends when the job has. A proxy may cut it off before: whoever asks again gets what is left. */
function askApi(id: string, tenant: Tenant): EndedJob | null {
  const response = http.get(`${settings.apiUrl}/v1/jobs/${id}/events`, {
    headers: authorization(tenant),
    tags: { name: "events" },
    timeout: settings.followMs,
  });
  const ended = response.status === 200 ? endedByStream(response.body as string, Date.now()) : null;
  if (ended === null) sleep(1);
  return ended;
}

function authorization({ key }: Tenant): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}
