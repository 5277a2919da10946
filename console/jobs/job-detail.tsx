/** One job: its result, stages, parameters, links and events, and what can be done with it. */
import type { Job } from "@packshot/sdk";
import { linkHere } from "../api/api.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Definitions } from "../components/definitions.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import { useJobProgress } from "../session/job-progress.ts";
import { useRead } from "../session/read.ts";
import { DeliverAgain, JobActions, ReviewActions } from "./job-actions.tsx";
import { JobEvents } from "./job-events.tsx";
import { JobFiles } from "./job-files.tsx";
import { isUnfinished, JobStatus } from "./job-status.tsx";
import { JobTimeline } from "./job-timeline.tsx";
import "./jobs.css";

export function JobDetail({ params }: PageProps) {
  const id = params.id!;
  const read = useRead(["job", id], (api, signal) => api.packshot.jobs.get(id, { signal }));
  return (
    <>
      <p>
        <Link to="/jobs">All jobs</Link>
      </p>
      <h1>Job …{id.slice(-12)}</h1>
      <Loaded read={read} label="Loading the job">
        {(job) => <FollowedJob key={job.id} read={job} />}
      </Loaded>
    </>
  );
}

/** While it goes on, the job comes by its event stream. */
function FollowedJob({ read }: { readonly read: Job }) {
  const followed = useJobProgress(isUnfinished(read) ? read.id : undefined);
  // Once it has ended, the page's own copy is the one that actions change.
  const job = isUnfinished(read) ? (followed.job ?? read) : read;
  return (
    <div className="stack">
      <JobActions job={job} />
      <div className="columns">
        <JobResult job={job} />
        <section className="card" aria-labelledby="stages">
          <h2 id="stages">Stages</h2>
          {job.status === "queued" && followed.position !== undefined && (
            <p role="status">{followed.position} of your jobs were queued before it.</p>
          )}
          <JobTimeline job={job} stage={followed.stage} />
        </section>
        <JobFacts job={job} />
        <section className="card" aria-labelledby="parameters">
          <h2 id="parameters">Parameters</h2>
          <CodeBlock text={JSON.stringify(job.parameters, null, 2)} what="parameters as JSON" />
        </section>
      </div>
      <JobFiles job={job} />
      <JobEvents job={job} />
    </div>
  );
}

function JobResult({ job }: { readonly job: Job }) {
  if (job.resultUrl === null || job.thumbnailUrl === null) {
    return (
      <section className="card" aria-labelledby="result">
        <h2 id="result">Result</h2>
        {job.error === null ? (
          <p>{missingResult(job)}</p>
        ) : (
          <div className="note note-error">
            <p className="note-title">{job.error.code}</p>
            <p>{job.error.message}</p>
            <p>It cost nothing.{job.error.retryable && " The same edit may succeed later: run it again."}</p>
          </div>
        )}
      </section>
    );
  }
  return (
    <section className="card" aria-labelledby="result">
      <h2 id="result">Result</h2>
      <a href={linkHere(job.resultUrl, job)} target="_blank" rel="noreferrer">
        <img
          className="job-result checkered"
          src={linkHere(job.thumbnailUrl, job)}
          alt="The result; opens it in full size"
        />
      </a>
      {job.destination?.error != null && (
        <div className="note note-error">
          <p className="note-title">Delivery to your bucket failed</p>
          <p>{job.destination.error.message}</p>
          <p>The edit is done and charged. Its result is here until it is removed.</p>
          <DeliverAgain job={job} />
        </div>
      )}
      {job.report?.quality === "review" && <Doubts job={job} reasons={job.report.reasons ?? []} />}
    </section>
  );
}

/** Why a job that has not failed has no result. */
function missingResult(job: Job): string {
  if (isUnfinished(job)) return "Not available yet.";
  if (job.status === "cancelled") return "A cancelled job has none, and costs nothing.";
  return job.review?.verdict === "rejected" ? "It was rejected, and removed." : "It is no longer here.";
}

interface DoubtsProps {
  readonly job: Job;
  readonly reasons: readonly string[];
}

/** Why a cut-out is doubtful, and what a person makes of it. */
function Doubts({ job, reasons }: DoubtsProps) {
  return (
    <div className="note note-warn">
      <p className="note-title">{job.review === null ? "Needs review" : `Reviewed: ${job.review.verdict}`}</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <ReviewActions job={job} />
    </div>
  );
}

function JobFacts({ job }: { readonly job: Job }) {
  const { metadata, batch, destination } = job;
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <Definitions
        entries={[
          ["Status", <JobStatus key="status" job={job} />],
          ["Id", <code key="id">{job.id}</code>],
          ["Tool", job.tool],
          ["Created", <Time key="created" at={job.createdAt} />],
          ["Ended", job.finishedAt && <Time key="ended" at={job.finishedAt} />],
          ["Removed", job.expiresAt && <Time key="expires" at={job.expiresAt} />],
          ["Credits", job.creditsCharged],
          [
            "Batch",
            batch && <Link key="batch" to={`/batches/${batch.id}`}>{`Row ${batch.row + 1}, ${batch.ref}`}</Link>,
          ],
          ["Your bucket", destination && `s3://${destination.connection}/${destination.key}`],
          ["Delivery", destination?.status],
          ...Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value] as const),
          ["Result", job.resultUrl && <FileLink key="result" url={linkHere(job.resultUrl, job)} name="Download" />],
          ["Photo", job.photoUrl && <FileLink key="photo" url={linkHere(job.photoUrl, job)} name="Open" />],
          ["Matte", job.matteUrl && <FileLink key="matte" url={linkHere(job.matteUrl, job)} name="Open" />],
          ["Layers", job.layers && <NamedLinks key="layers" files={job.layers} job={job} />],
          [
            "Thumbnail",
            job.thumbnailUrl && <FileLink key="thumbnail" url={linkHere(job.thumbnailUrl, job)} name="Open" />,
          ],
          ["Shadow", job.shadowUrl && <FileLink key="shadow" url={linkHere(job.shadowUrl, job)} name="Download" />],
        ]}
      />
    </section>
  );
}

interface NamedLinksProps {
  readonly files: NonNullable<Job["layers"]>;
  readonly job: Job;
}

function NamedLinks({ files, job }: NamedLinksProps) {
  return (
    <span>
      {files.map(({ name, url }) => (
        <span key={name}>
          <FileLink url={linkHere(url, job)} name={name} />{" "}
        </span>
      ))}
    </span>
  );
}

/** Signed: it needs no key. */
function FileLink({ url, name }: { readonly url: string; readonly name: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {name}
    </a>
  );
}
