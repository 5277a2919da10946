/** The doubtful cut-outs of the account or of a batch, page after page, and what was decided about them here. */
import type { Job, ReviewItem } from "@packshot/sdk";
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { Api } from "../api/api.ts";
import { linkHere } from "../api/api.ts";
import { useRead } from "../session/read.ts";
import { useApi } from "../session/session.tsx";

export interface QueueItem {
  /** Stays the same when the cut-out is mended. */
  readonly key: string;
  /** The job that is reviewed: after a mending, the one that has the mended result. */
  readonly jobId: string;
  readonly name: string;
  readonly reasons: readonly string[];
  readonly batch?: ReviewItem["batch"];
  /** Readable from this page; null: the result is elsewhere. */
  readonly resultUrl: string | null;
  readonly thumbnailUrl?: string;
  readonly state: "open" | "approved" | "rejected" | "mended";
}

interface ReviewPage {
  readonly items: readonly QueueItem[];
  readonly nextCursor: string | undefined;
}

type Changes = ReadonlyMap<string, Partial<QueueItem>>;

const pageSize = 100;
const emptyRefetchMs = 3_000;
/** Beyond them a list is no help: reviewed ones make room. */
const itemsMax = 5_000;

export function useReviewQueue(batchId: string | undefined) {
  const api = useApi();
  const batch = useRead(["batch", batchId], (of, signal) => of.packshot.batches.get(batchId!, { signal }), {
    enabled: batchId !== undefined,
  });
  const statusUrl = batch.data?.statusUrl;
  const pages = useInfiniteQuery({
    queryKey: ["review", batchId],
    initialPageParam: undefined as string | undefined,
    enabled: batchId === undefined || statusUrl !== undefined,
    // What is looked at must not go away under the reader's hands.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // An empty queue is looked at again: edits that run may come into it.
    refetchInterval: ({ state }: { readonly state: { readonly data?: InfiniteData<ReviewPage> | undefined } }) =>
      isEmpty(state.data) ? emptyRefetchMs : false,
    queryFn: ({ pageParam: cursor, signal }) =>
      batchId === undefined
        ? readJobs(api, cursor, signal)
        : readRows(api, { batchId, statusUrl: statusUrl!, cursor }, signal),
    getNextPageParam: ({ nextCursor }: ReviewPage, all) =>
      all.reduce((sum, { items }) => sum + items.length, 0) < itemsMax ? nextCursor : undefined,
  });
  const [changes, setChanges] = useState<Changes>(new Map());
  const change = useCallback((key: string, changed: Partial<QueueItem>) => {
    setChanges((before) => new Map(before).set(key, { ...before.get(key), ...changed }));
  }, []);
  const items = (pages.data?.pages ?? [])
    .flatMap((page) => page.items)
    .map((item) => ({ ...item, ...changes.get(item.key) }));
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError]);
  // The first pages of a large batch may have no doubtful row.
  useEffect(() => {
    if (items.length === 0) readOn();
  }, [items.length, readOn]);
  const error = batch.error ?? pages.error;
  return {
    items,
    pages,
    error,
    isReading: error === null && (pages.data === undefined || hasNextPage),
    change,
    readOn,
  };
}

/** null: the job has expired. A row of a batch outlives its job, which alone has the photo. */
export async function readReviewedJob(api: Api, id: string, signal: AbortSignal): Promise<Job | null> {
  return await api.packshot.jobs.get(id, { signal }).catch((error: unknown) => {
    if ((error as { code?: string }).code === "not_found") return null;
    throw error;
  });
}

/** The next cut-out's picture and job come while this one is looked at. */
export function useReadAhead(next: QueueItem | undefined): void {
  const api = useApi();
  const queries = useQueryClient();
  const { jobId, resultUrl } = next ?? {};
  useEffect(() => {
    if (jobId === undefined) return;
    void queries.prefetchQuery({
      queryKey: ["reviewed-job", jobId],
      queryFn: ({ signal }) => readReviewedJob(api, jobId, signal),
    });
    if (resultUrl != null) new Image().src = resultUrl;
  }, [api, queries, jobId, resultUrl]);
}

function isEmpty(read: InfiniteData<ReviewPage> | undefined): boolean {
  return read?.pages.every(({ items, nextCursor }) => items.length === 0 && nextCursor === undefined) ?? false;
}

async function readJobs(api: Api, cursor: string | undefined, signal: AbortSignal): Promise<ReviewPage> {
  const query = { quality: "review", reviewed: "false", limit: pageSize, cursor };
  const { data, nextCursor } = await api.json<{ data: readonly Job[]; nextCursor?: string }>({
    method: "GET",
    path: "/v1/jobs",
    query,
    signal,
  });
  return { items: data.map(itemOfJob), nextCursor };
}

export function itemOfJob(job: Job): QueueItem {
  const { id, metadata, batch, thumbnailUrl, resultUrl } = job;
  const name = metadata.ref ?? metadata.sku ?? metadata.photo ?? batch?.ref ?? `Job …${id.slice(-12)}`;
  return {
    key: id,
    jobId: id,
    name,
    reasons: job.report?.reasons ?? [],
    batch,
    resultUrl: resultUrl && linkHere(resultUrl, job),
    ...(thumbnailUrl === null ? {} : { thumbnailUrl: linkHere(thumbnailUrl, job) }),
    state: "open",
  };
}

async function readRows(
  api: Api,
  {
    batchId,
    statusUrl,
    cursor,
  }: { readonly batchId: string; readonly statusUrl: string; readonly cursor: string | undefined },
  signal: AbortSignal,
): Promise<ReviewPage> {
  const { data, nextCursor } = await api.json<{ data: readonly ReviewItem[]; nextCursor?: string }>({
    method: "GET",
    path: `/v1/batches/${encodeURIComponent(batchId)}/review`,
    query: { limit: pageSize, cursor },
    signal,
  });
  const items = data.map(
    ({ jobId, batch, reasons, resultUrl }): QueueItem => ({
      key: jobId,
      jobId,
      name: batch.ref,
      reasons,
      batch,
      resultUrl: resultUrl && linkHere(resultUrl, { statusUrl }),
      state: "open",
    }),
  );
  return { items, nextCursor };
}
