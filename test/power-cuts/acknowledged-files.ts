/**
 * A client that remembers every file that it was told is there: photos that it sent, and results that it may fetch. After a
 * cut each must be there, whole and with the same bytes.
 */
import { createHash, randomUUID } from "node:crypto";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import sharp from "sharp";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import type { Answer, AskUntilAnswered } from "../failures/exactness-client.ts";

export interface AcknowledgedFilesDeps {
  readonly askUntilAnswered: AskUntilAnswered;
  readonly storage: Storage;
  readonly accountId: string;
  readonly apiKey: string;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export interface AcknowledgedFiles {
  /** Sends edit after edit until `signal`. */
  run(): Promise<void>;
  /** Looks at the newest, or at all: what is missing, torn or another's. */
  check(which: "newest" | "all"): Promise<string[]>;
  readonly accepted: ReadonlySet<string>;
  /** How many files are known by their bytes. */
  count(): number;
}

/** What the client knows of a job by its answers. */
interface KnownJob {
  readonly id: string;
  readonly source: string;
  hasCompleted: boolean;
  /** Digest, once it was fetched. */
  result?: string;
}

/** A drawn product may be none to the network; and five cuts in one job's edits end it, which the exactness check looks at. */
const mayFailWith = ["no_product_found", "internal_error"];
const newest = 40;
/** A job whose worker lost its power is taken again after half a minute; meanwhile others end. */
const followedMax = 10;
const pauseMs = 300;
const pollMs = 150;
const fileBytesMax = 16 * 1024 * 1024;

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export function createAcknowledgedFiles(deps: AcknowledgedFilesDeps): AcknowledgedFiles {
  const { askUntilAnswered, storage, accountId, apiKey, random, signal } = deps;
  const authorization = { Authorization: `Bearer ${apiKey}` };
  const jobs: KnownJob[] = [];
  const uploads: { readonly id: string; readonly source: string }[] = [];

  async function photo(): Promise<Buffer> {
    const color = `#${Math.floor(random() * 2 ** 24)
      .toString(16)
      .padStart(6, "0")}`;
    return await drawnMug(color, 160, 120);
  }

  async function post(path: string, body: FormData | object): Promise<Answer | undefined> {
    const key = { ...authorization, "Idempotency-Key": randomUUID() };
    const isForm = body instanceof FormData;
    const headers = isForm ? key : { ...key, "Content-Type": "application/json" };
    return await askUntilAnswered(path, () => ({
      method: "POST",
      headers,
      body: isForm ? body : JSON.stringify(body),
    }));
  }

  async function upload(bytes: Buffer): Promise<string | undefined> {
    const contentType = "image/jpeg";
    const created = await post("/v1/uploads", { contentType, filename: "mug.jpg", sizeBytes: bytes.length });
    if (created?.status !== 201) return undefined;
    const { pathname, search } = new URL(String(created.body.uploadUrl));
    const put = { method: "PUT", headers: { "Content-Type": contentType }, body: new Uint8Array(bytes) };
    const sent = await askUntilAnswered(`${pathname}${search}`, () => put);
    if (sent === undefined || sent.status >= 300) return undefined;
    const id = String(created.body.uploadSessionId);
    uploads.push({ id, source: digest(bytes) });
    return id;
  }

  async function submit(bytes: Buffer): Promise<KnownJob | undefined> {
    const uploadSessionId = random() < 0.5 ? await upload(bytes) : undefined;
    const form = new FormData();
    form.set("image", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), "mug.jpg");
    const answer = await post("/v1/tools/mask/edit", uploadSessionId === undefined ? form : { uploadSessionId });
    if (answer?.status !== 202) return undefined;
    const job = { id: String(answer.body.id), source: digest(bytes), hasCompleted: false };
    jobs.push(job);
    return job;
  }

  const look = (job: KnownJob) => askUntilAnswered(`/v1/jobs/${job.id}`, () => ({ headers: authorization }));

  async function fetchResult(url: unknown): Promise<Buffer | undefined> {
    try {
      const answer = await fetch(String(url));
      return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
    } catch {
      return undefined; // The power was cut.
    }
  }

  /** Until the client has its result, or knows that it will get none. Some results are never fetched before a cut. */
  async function follow(job: KnownJob): Promise<void> {
    const fetches = random() < 0.5;
    while (!signal.aborted) {
      const body = (await look(job))?.body;
      if (body?.status === "completed") {
        job.hasCompleted = true;
        const bytes = fetches ? await fetchResult(body.resultUrl) : undefined;
        if (bytes !== undefined) job.result = digest(bytes);
        return;
      }
      if (body?.status === "failed") return;
      await pause(pollMs, signal);
    }
  }

  async function checkJob(job: KnownJob): Promise<string[]> {
    const answer = await look(job);
    if (answer?.status !== 200) return [`job ${job.id} was accepted and is answered ${answer?.status}`];
    const { status, resultUrl } = answer.body;
    if (job.hasCompleted && status !== "completed") return [`job ${job.id} had completed and is ${status}`];
    if (status === "failed") {
      const { code } = answer.body.error as { readonly code: string };
      return mayFailWith.includes(code) ? [] : [`job ${job.id} failed with ${code}`];
    }
    if (status !== "completed") {
      const found = await checkFile(storageKeys.source(accountId, job.id), job.source);
      // It may have ended, and its photo gone, since the answer.
      return found.length > 0 && (await look(job))?.body.status !== status ? [] : found;
    }
    const bytes = await fetchResult(resultUrl);
    if (bytes === undefined) return [`the result of job ${job.id} is missing`];
    if (job.result !== undefined && job.result !== digest(bytes)) return [`the result of job ${job.id} has changed`];
    return await sharp(bytes)
      .raw()
      .toBuffer()
      .then(
        () => [],
        (error: Error) => [`the result of job ${job.id} is torn: ${error.message}`],
      );
  }

  async function checkFile(key: string, expected: string): Promise<string[]> {
    const bytes = await storage.read(key, { bytesMax: fileBytesMax });
    if (bytes === undefined) return [`${key} is missing`];
    return digest(bytes) === expected ? [] : [`${key} has other bytes than were sent (${bytes.length})`];
  }

  return {
    async run() {
      const followed = new Set<Promise<void>>();
      while (!signal.aborted) {
        const job = followed.size < followedMax ? await submit(await photo()) : undefined;
        if (job !== undefined) {
          const following = follow(job).finally(() => followed.delete(following));
          followed.add(following);
        }
        await pause(pauseMs, signal);
      }
      await Promise.all(followed);
    },
    async check(which) {
      const from = which === "all" ? 0 : -newest;
      const found: string[] = [];
      for (const job of jobs.slice(from)) found.push(...(await checkJob(job)));
      for (const { id, source } of uploads.slice(from))
        found.push(...(await checkFile(storageKeys.upload(accountId, id), source)));
      return found;
    },
    get accepted() {
      return new Set(jobs.map(({ id }) => id));
    },
    count: () => uploads.length + jobs.length + jobs.filter(({ hasCompleted }) => hasCompleted).length,
  };
}
