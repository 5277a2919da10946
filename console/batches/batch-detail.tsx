/** One batch: progress, what may be done with it, its failed rows, and its report and results as files. */
import { Definitions } from "../components/definitions.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import { useRead } from "../session/read.ts";
import { BatchActions } from "./batch-actions.tsx";
import { BatchFiles } from "./batch-files.tsx";
import { type Batch, BatchProgress, BatchStatus, isGoing } from "./batch-status.tsx";
import { FailedRows } from "./failed-rows.tsx";
import "./batches.css";

const refetchIntervalMs = 2_000;

export function BatchDetail({ params }: PageProps) {
  const id = params.id!;
  const read = useRead(
    ["batch", id],
    (api, signal) => api.json<Batch>({ method: "GET", path: `/v1/batches/${encodeURIComponent(id)}`, signal }),
    { refetchIntervalMs },
  );
  return (
    <>
      <p>
        <Link to="/batches">All batches</Link>
      </p>
      <h1>Batch …{id.slice(-12)}</h1>
      <Loaded read={read} label="Loading the batch">
        {(batch) => (
          <div className="stack">
            <BatchActions batch={batch} />
            {batch.error !== null && (
              <div role="alert" className="note note-error">
                <p className="note-title">Its file could not be read</p>
                <p>{batch.error.message}</p>
              </div>
            )}
            <BatchState batch={batch} />
            {batch.status !== "validating" && <BatchFiles batch={batch} />}
            {failedCount(batch) > 0 && <FailedRows key={`${batch.try} ${failedCount(batch)}`} batch={batch} />}
          </div>
        )}
      </Loaded>
    </>
  );
}

function failedCount({ counts, deliveriesFailed }: Batch): number {
  return counts.failed + deliveriesFailed;
}

const countNames = ["completed", "failed", "skipped", "open", "pending", "cancelled"] as const;

function BatchState({ batch }: { readonly batch: Batch }) {
  const { counts, expiresAt, finishedAt } = batch;
  return (
    <div className="columns">
      <section className="card" aria-labelledby="progress">
        <h2 id="progress">Progress</h2>
        <BatchProgress batch={batch} isShort={!isGoing(batch)} />
        <dl className="batch-counts">
          {countNames.map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{counts[name].toLocaleString("en")}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="card" aria-labelledby="facts">
        <h2 id="facts">Facts</h2>
        <Definitions
          entries={[
            ["Status", <BatchStatus key="status" batch={batch} />],
            ["Id", <code key="id">{batch.id}</code>],
            ["Tool", batch.tool ?? "by row"],
            ["Try", batch.try > 1 ? batch.try : undefined],
            ["Done before", batch.onExisting === "skip" ? "such rows are skipped" : "such rows are edited again"],
            ["Credits", batch.creditsCharged.toLocaleString("en")],
            ["Deliveries failed", batch.deliveriesFailed > 0 ? batch.deliveriesFailed.toLocaleString("en") : undefined],
            ["Created", <Time key="created" at={batch.createdAt} />],
            ["Ended", finishedAt && <Time key="ended" at={finishedAt} />],
            ["Removed", expiresAt && <Time key="removed" at={expiresAt} />],
            [
              "Jobs",
              <Link key="jobs" to="/jobs" query={{ batch: batch.id }}>
                Its jobs
              </Link>,
            ],
            [
              "Review",
              <Link key="review" to="/review" query={{ batch: batch.id }}>
                Review doubtful rows
              </Link>,
            ],
          ]}
        />
      </section>
    </div>
  );
}
