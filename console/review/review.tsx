/** Doubtful cut-outs, one after the other: approved, rejected, or mended with the brush. By keyboard throughout. */
import { useCallback, useState } from "react";
import { Empty } from "../components/empty.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { CheckField } from "../components/field.tsx";
import { useGround } from "../components/ground.tsx";
import { Spinner } from "../components/loaded.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import { CutOutPanel } from "./cut-out-panel.tsx";
import { useDecision, type Verdict } from "./decisions.ts";
import { useKeys } from "./keys.ts";
import { QueueList } from "./queue-list.tsx";
import "./review.css";
import { type QueueItem, useReadAhead, useReviewQueue } from "./review-queue.ts";

export function Review({ query }: PageProps) {
  const batchId = query.get("batch") ?? undefined;
  const queue = useReviewQueue(batchId);
  return (
    <>
      <h1>Review</h1>
      {batchId !== undefined && (
        <p>
          Of the batch <Link to={`/batches/${batchId}`}>{batchId.slice(-8)}</Link>. <Link to="/review">All jobs</Link>
        </p>
      )}
      {queue.error !== null && <ErrorNote error={queue.error} onRetry={() => void queue.pages.refetch()} />}
      {queue.items.length === 0 && queue.isReading && <Spinner label="Loading doubtful cut-outs" />}
      {queue.pages.data !== undefined && queue.items.length === 0 && !queue.pages.hasNextPage && <NothingToReview />}
      {queue.items.length > 0 && <Queue key={batchId} queue={queue} />}
    </>
  );
}

function NothingToReview() {
  return (
    <Empty title="There is nothing to review">
      <p>
        Completed edits come here whose report says <code>review</code>: single ones for as long as their jobs are kept,
        those of a batch on the batch's page.
      </p>
    </Empty>
  );
}

function Queue({ queue }: { readonly queue: ReturnType<typeof useReviewQueue> }) {
  const { items, pages, change, readOn } = queue;
  const [current, setCurrent] = useState(0);
  const [isMending, setMending] = useState(false);
  const [hasKeys, setHasKeys] = useState(true);
  const item = items[Math.min(current, items.length - 1)]!;
  const show = useCallback(
    (index: number) => {
      setMending(false);
      setCurrent(Math.min(items.length - 1, Math.max(0, index)));
    },
    [items.length],
  );
  const decision = useDecision({
    onDecided(decided, verdict) {
      change(decided.key, { state: verdict, ...(verdict === "rejected" && { resultUrl: null }) });
      show(nextOpen(items, current));
    },
  });
  // Keys have no disabled state: a second press must not decide about the next one.
  const decide = (verdict: Verdict) => {
    if (!decision.isPending && item.state !== "rejected") decision.mutate({ item, verdict });
  };
  const ground = useGround();
  useReadAhead(items[nextOpen(items, current)]);
  useKeys(hasKeys && !isMending, {
    j: () => show(current + 1),
    k: () => show(current - 1),
    a: () => decide("approved"),
    r: () => decide("rejected"),
  });
  const { hasNextPage } = pages;
  const open = items.filter(({ state }) => state === "open" || state === "mended").length;

  return (
    <>
      <div className="bar">
        <p role="status">
          {current + 1} of {items.length}
          {hasNextPage && " and more"}, {open} to decide
        </p>
        <CheckField
          label="Keys: those on the buttons; + and − zoom, G changes the background"
          isChecked={hasKeys}
          onChange={setHasKeys}
        />
      </div>
      <div className="review-columns">
        <QueueList items={items} current={current} onChoose={show} onEnd={readOn} />
        <CutOutPanel
          key={item.key}
          item={item}
          decision={decision}
          hasKeys={hasKeys}
          ground={ground}
          isMending={isMending}
          onMending={setMending}
          onDecide={decide}
          onStep={(by) => show(current + by)}
          onMended={(changed) => change(item.key, changed)}
        />
      </div>
    </>
  );
}

/** The next one that nobody has decided about; else the one after this. */
function nextOpen(items: readonly QueueItem[], current: number): number {
  const next = items.findIndex(({ state }, index) => index > current && state === "open");
  return next < 0 ? current + 1 : next;
}
