/** The bodies that endpoints get: one for each event, in our own shape or as CloudEvents. */

import type { BatchCounts, BatchRef } from "../batches/batch.ts";
import type { Check, ReportSummary } from "../edits/edit-report.ts";
import type { JobError } from "../errors.ts";
import {
  allResults,
  type FailedResult,
  type FileRef,
  type JobReview,
  type Metadata,
  type PlacedResult,
  type ResultFile,
} from "../jobs/job.ts";
import type {
  BatchNewsEvent,
  JobEndedEvent,
  JobReviewedEvent,
  WebhookDisabledEvent,
  WebhookEventKind,
  WebhookTestEvent,
} from "./event.ts";

/** The JSON body that every endpoint gets, the same for each kind of event (docs/webhooks.md). */
export interface Envelope {
  readonly event: WebhookEventKind;
  readonly eventId: string;
  readonly createdAt: string;
  readonly data: {
    readonly id: string;
    readonly tool: string | null;
    readonly status: string;
    readonly resultUrl?: string;
    /** Only when the edit has several results, or `outputs`; the first is that of `resultUrl`. */
    readonly results?: readonly (ResultLink | FailedLink)[];
    /** Only when the edit was to keep its layers. */
    readonly layers?: readonly ResultLink[];
    readonly thumbnailUrl?: string;
    /** Only when the edit kept the product's own shadow. */
    readonly shadowUrl?: string;
    /** The bucket that the result went to. */
    readonly destination?: JobEndedEvent["destination"];
    readonly error?: JobError;
    readonly metadata: Metadata;
    readonly createdAt: string;
    readonly startedAt: string | null;
    readonly finishedAt: string | null;
    /** When the links stop working and the job is removed. */
    readonly expiresAt: string | null;
    readonly creditsCharged: number;
    /** As the job's report has them. With `job.completed` only. */
    readonly quality?: ReportSummary["quality"];
    readonly reasons?: ReportSummary["reasons"];
    /** Only for an edit with a preset. */
    readonly checks?: readonly Check[];
    /** Milliseconds by stage, with `job.completed`. */
    readonly timings?: Readonly<Record<string, number>>;
    /** Only for a batch. */
    readonly rows?: number;
    readonly counts?: BatchCounts;
    readonly deliveriesFailed?: number;
    /** With `job.reviewed` only. */
    readonly review?: JobReview;
    /** With `webhook.disabled` only. */
    readonly webhook?: {
      readonly url: string;
      readonly disabledReason: WebhookDisabledEvent["reason"];
      readonly failingSince: string | null;
    };
    /** Only for a job that a batch made. */
    readonly batch?: { readonly id: string; readonly ref: string; readonly row: number };
  };
}

/** A result as clients see it. */
export interface ResultLink extends Omit<PlacedResult, "key"> {
  readonly url: string;
}

/** A result that could not be made, likewise. */
export interface FailedLink extends Pick<FailedResult, "name" | "error"> {
  readonly url: null;
  readonly contentType: null;
  readonly bytes: null;
  readonly width: null;
  readonly height: null;
}

interface NamedFiles {
  readonly result: FileRef;
  readonly results?: readonly PlacedResult[];
  readonly failedResults?: readonly FailedResult[];
  readonly layers?: readonly ResultFile[];
}

/**
 * Links to the files that have names; undefined where the job has none of that kind.
 *
 * @param sign makes the link to one of the job's files, saved as `part`
 */
export async function linkResults(
  files: NamedFiles,
  sign: (file: FileRef, part: string) => Promise<string>,
): Promise<{ results: (ResultLink | FailedLink)[] | undefined; layers: ResultLink[] | undefined }> {
  const { result, results, layers } = files;
  const link = async ({ key, ...file }: PlacedResult): Promise<ResultLink> => {
    const { contentType, bytes } = file;
    return { ...file, url: await sign({ key, contentType, bytes }, key === result.key ? "result" : file.name) };
  };
  const all = allResults(files).map((file) => ("error" in file ? failedLink(file) : link(file)));
  return {
    results: results && (await Promise.all(all)),
    layers: layers && (await Promise.all(layers.map(link))),
  };
}

function failedLink({ name, error }: FailedResult): FailedLink {
  return { name, url: null, contentType: null, bytes: null, width: null, height: null, error };
}

export function jobEnvelope(
  event: JobEndedEvent,
  links: Pick<Envelope["data"], "resultUrl" | "results" | "layers" | "thumbnailUrl" | "shadowUrl">,
): Envelope {
  return {
    event: `job.${event.kind}`,
    eventId: event.eventId,
    createdAt: event.createdAt,
    data: {
      id: event.jobId,
      tool: event.tool,
      status: event.kind,
      ...links,
      destination: event.destination,
      ...(event.error === null ? {} : { error: event.error }),
      metadata: event.metadata,
      createdAt: event.jobCreatedAt,
      startedAt: event.startedAt,
      finishedAt: event.finishedAt,
      expiresAt: event.expiresAt,
      // A failed or cancelled job costs nothing.
      creditsCharged: event.kind === "completed" ? event.credits : 0,
      ...event.report,
      timings: event.timings,
      batch: event.batch === undefined ? undefined : batchOfJob(event.batch),
    },
  };
}

export function reviewedEnvelope(event: JobReviewedEvent, links: Pick<Envelope["data"], "resultUrl">): Envelope {
  const { quality, reasons } = event.report;
  return {
    event: "job.reviewed",
    eventId: event.eventId,
    createdAt: event.createdAt,
    data: {
      id: event.jobId,
      tool: event.tool,
      status: "completed",
      ...links,
      metadata: event.metadata,
      createdAt: event.jobCreatedAt,
      startedAt: event.startedAt,
      finishedAt: event.finishedAt,
      expiresAt: event.expiresAt,
      creditsCharged: event.credits,
      quality,
      reasons,
      review: event.review,
      batch: event.batch && batchOfJob(event.batch),
    },
  };
}

/** What clients see of it. */
export function batchOfJob({ id, ref, row }: BatchRef): {
  readonly id: string;
  readonly ref: string;
  readonly row: number;
} {
  return { id, ref, row };
}

/** A test has the same fields as a job's event; `data.id` is the webhook's, so that nobody takes it for a job. */
export function testEnvelope(event: WebhookTestEvent): Envelope {
  return {
    event: "webhook.test",
    eventId: event.eventId,
    createdAt: event.createdAt,
    data: {
      id: event.webhookId,
      tool: null,
      status: "test",
      metadata: {},
      createdAt: event.createdAt,
      startedAt: null,
      finishedAt: null,
      expiresAt: null,
      creditsCharged: 0,
    },
  };
}

/** `data.id` is that of the webhook that was disabled. */
export function disabledEnvelope({ eventId, createdAt, webhook, reason }: WebhookDisabledEvent): Envelope {
  const { id, url, metadata, failingSince } = webhook;
  return {
    event: "webhook.disabled",
    eventId,
    createdAt,
    data: {
      id,
      tool: null,
      status: "disabled",
      metadata,
      createdAt: webhook.createdAt,
      startedAt: null,
      finishedAt: null,
      expiresAt: null,
      creditsCharged: 0,
      webhook: { url, disabledReason: reason, failingSince },
    },
  };
}

/** `data.id` is the batch's. It has no single tool, and its results are in its report. */
export function batchEnvelope(event: BatchNewsEvent): Envelope {
  const { id, status, rows, counts, credits, deliveriesFailed = 0, createdAt, finishedAt, expiresAt } = event.batch;
  return {
    event: webhookEventKindOf(event),
    eventId: event.eventId,
    createdAt: event.createdAt,
    data: {
      id,
      tool: null,
      status,
      metadata: {},
      createdAt,
      startedAt: createdAt,
      finishedAt,
      expiresAt,
      creditsCharged: credits,
      rows,
      counts,
      deliveriesFailed,
    },
  };
}

/** The envelope as CloudEvents 1.0 has it, in structured JSON mode. `specversion` comes first: `contentTypeOf` reads it. */
export function cloudEvent({ event, eventId, createdAt, data }: Envelope, accountId: string) {
  return {
    specversion: "1.0",
    id: eventId,
    source: `/accounts/${accountId}`,
    type: `packshot.${event}`,
    subject: data.id,
    time: createdAt,
    datacontenttype: "application/json",
    data,
  };
}

/** @param body of a delivery, which stays as it was queued whatever becomes of its webhook */
export function contentTypeOf(body: string): string {
  return body.startsWith('{"specversion":"1.0"') ? "application/cloudevents+json" : "application/json";
}

/** What webhooks are told of. */
export type ToldEvent = JobEndedEvent | JobReviewedEvent | WebhookTestEvent | WebhookDisabledEvent | BatchNewsEvent;

export function webhookEventKindOf(event: ToldEvent): WebhookEventKind {
  switch (event.kind) {
    case "test":
      return "webhook.test";
    case "webhookdisabled":
      return "webhook.disabled";
    case "batchprogress":
      return "batch.progress";
    case "batchcompleted":
      return "batch.completed";
    default:
      return `job.${event.kind}`;
  }
}
