/** The account's jobs, newest first, with their thumbnails; read again every few seconds. */
import type { Job } from "@packshot/sdk";
import { linkHere } from "../api/api.ts";
import { Empty } from "../components/empty.tsx";
import { formatDuration } from "../components/format.ts";
import { Loaded } from "../components/loaded.tsx";
import { Select } from "../components/select.tsx";
import { type Column, Pager, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/location.ts";
import type { PageProps } from "../router/match-page.ts";
import { useRead } from "../session/read.ts";
import "./jobs.css";
import { JobStatus } from "./job-status.tsx";

interface JobPage {
  readonly data: readonly Job[];
  readonly nextCursor?: string;
}

const path = "/jobs";
const pageSize = 25;
const refetchIntervalMs = 3_000;
const statuses = ["queued", "processing", "completed", "failed", "cancelled"];
const tools = ["mask", "ai-shadows", "ai-bg"];
const any = (what: string) => ({ value: "", label: `Any ${what}` });

export function JobList({ query }: PageProps) {
  const filter = {
    status: query.get("status") ?? undefined,
    tool: query.get("tool") ?? undefined,
    batch: query.get("batch") ?? undefined,
  };
  const cursor = query.get("cursor") ?? undefined;
  const read = useRead(
    ["jobs", filter, cursor],
    (api, signal) =>
      api.json<JobPage>({ method: "GET", path: "/v1/jobs", query: { ...filter, cursor, limit: pageSize }, signal }),
    { refetchIntervalMs },
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <h1>Jobs</h1>
      <div className="bar">
        <Select
          label="Status"
          value={filter.status ?? ""}
          options={[any("status"), ...statuses.map((status) => ({ value: status, label: status }))]}
          onChange={(status) => navigate(path, { ...filter, status })}
        />
        <Select
          label="Tool"
          value={filter.tool ?? ""}
          options={[any("tool"), ...tools.map((tool) => ({ value: tool, label: tool }))]}
          onChange={(tool) => navigate(path, { ...filter, tool })}
        />
        {filter.batch !== undefined && (
          <p>
            Of the batch <Link to={`/batches/${filter.batch}`}>{filter.batch.slice(-8)}</Link>.{" "}
            <Link to={path} query={{ ...filter, batch: undefined }}>
              All jobs
            </Link>
          </p>
        )}
      </div>
      <Loaded read={read} label="Loading the jobs">
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 ? (
              <NoJobs isFiltered={isFiltered || cursor !== undefined} />
            ) : (
              <Table caption="Jobs, newest first" columns={columns} rows={data} keyOf={({ id }) => id} />
            )}
            <Pager path={path} query={filter} cursor={cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  );
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No job is like that">An ended job is removed an hour after its end.</Empty>;
  return (
    <Empty title="There are no jobs">
      <p>
        Edit a photo in the <Link to="/">playground</Link>. An ended job is removed an hour after its end.
      </p>
    </Empty>
  );
}

const columns: readonly Column<Job>[] = [
  { title: "Photo", cell: (job) => <JobThumbnail job={job} /> },
  {
    title: "Job",
    cell: (job) => (
      <span>
        <Link to={`${path}/${job.id}`}>…{job.id.slice(-12)}</Link>
        {Object.entries(job.metadata).map(([name, value]) => (
          <span key={name} className="job-tag">
            {name}: {value}
          </span>
        ))}
      </span>
    ),
  },
  { title: "Tool", cell: ({ tool }) => tool },
  {
    title: "Status",
    cell: (job) => (
      <span>
        <JobStatus job={job} />
        {job.error !== null && <span className="job-tag">{job.error.code}</span>}
      </span>
    ),
  },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Took",
    isNumber: true,
    cell: ({ createdAt, finishedAt }) =>
      finishedAt === null ? "–" : formatDuration(Date.parse(finishedAt) - Date.parse(createdAt)),
  },
  { title: "Credits", isNumber: true, cell: ({ creditsCharged }) => creditsCharged },
];

function JobThumbnail({ job }: { readonly job: Job }) {
  if (job.thumbnailUrl === null) return <span className="job-thumbnail job-thumbnail-none">–</span>;
  return <img className="job-thumbnail checkered" src={linkHere(job.thumbnailUrl, job)} alt="" loading="lazy" />;
}
