/** The account's jobs, newest first, with their thumbnails; read again every few seconds. */
import type { Job } from "@packshot/sdk";
import { type FormEvent, useState } from "react";
import { linkHere } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/empty.tsx";
import { TextField } from "../components/field.tsx";
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
/** In the address and in the list of states; the API has it as a quality. */
const needsReview = "review";
const tools = ["mask", "ai-shadows", "ai-bg"];
const any = (what: string) => ({ value: "", label: `Any ${what}` });

export function JobList({ query }: PageProps) {
  const filter = {
    status: query.get("status") ?? undefined,
    tool: query.get("tool") ?? undefined,
    batch: query.get("batch") ?? undefined,
    metadata: query.get("metadata") ?? undefined,
  };
  const cursor = query.get("cursor") ?? undefined;
  const read = useRead(
    ["jobs", filter, cursor],
    (api, signal) =>
      api.json<JobPage>({
        method: "GET",
        path: "/v1/jobs",
        query: { ...queryOf(filter), cursor, limit: pageSize },
        signal,
      }),
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
          options={[
            any("status"),
            ...statuses.map((status) => ({ value: status, label: status })),
            { value: needsReview, label: "needs review" },
          ]}
          onChange={(status) => navigate(path, { ...filter, status })}
        />
        <Select
          label="Tool"
          value={filter.tool ?? ""}
          options={[any("tool"), ...tools.map((tool) => ({ value: tool, label: tool }))]}
          onChange={(tool) => navigate(path, { ...filter, tool })}
        />
        <JobSearch
          key={filter.metadata}
          metadata={filter.metadata}
          onSearch={(metadata) => navigate(path, { ...filter, metadata })}
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

interface JobFilter {
  readonly status?: string | undefined;
  readonly tool?: string | undefined;
  readonly batch?: string | undefined;
  /** `sku: K-17` */
  readonly metadata?: string | undefined;
}

function queryOf({ status, metadata, ...filter }: JobFilter): Readonly<Record<string, string | undefined>> {
  const entry = metadata === undefined ? undefined : metadataEntry(metadata);
  return {
    ...filter,
    ...(status === needsReview ? { quality: "review", reviewed: "false" } : { status }),
    ...(entry !== undefined && { [`metadata.${entry.name}`]: entry.value }),
  };
}

/** What `sku: K-17` says, as the list shows it, or `sku=K-17`, as the API takes it. */
function metadataEntry(text: string): { readonly name: string; readonly value: string } | undefined {
  const [, name, value] = /^\s*([^\s=:&]+)\s*[:=]\s*(.*?)\s*$/.exec(text) ?? [];
  return name === undefined || !value ? undefined : { name, value };
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface JobSearchProps {
  readonly metadata: string | undefined;
  /** undefined: any. */
  readonly onSearch: (metadata: string | undefined) => void;
}

/** Opens the job of an id, or filters by metadata. */
function JobSearch({ metadata = "", onSearch }: JobSearchProps) {
  const [text, setText] = useState(metadata);
  const [error, setError] = useState<string>();
  function search(event: FormEvent): void {
    event.preventDefault();
    const asked = text.trim();
    const isKnown = asked === "" || metadataEntry(asked) !== undefined;
    setError(isKnown || idPattern.test(asked) ? undefined : "Neither a job's id nor a name with a value");
    if (idPattern.test(asked)) navigate(`${path}/${asked.toLowerCase()}`);
    else if (isKnown) onSearch(asked === "" ? undefined : asked);
  }
  return (
    <search>
      <form className="bar" onSubmit={search}>
        <TextField
          label="Metadata or id"
          type="search"
          name="metadata"
          placeholder="sku: K-17"
          spellCheck={false}
          error={error}
          value={text}
          onChange={setText}
        />
        <Button type="submit">Find</Button>
      </form>
    </search>
  );
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No job is like that">An ended job is kept for a limited time.</Empty>;
  return (
    <Empty title="There are no jobs">
      <p>
        Edit a photo in the <Link to="/">playground</Link>. An ended job is kept for a limited time.
      </p>
    </Empty>
  );
}

const columns: readonly Column<Job>[] = [
  { title: "Result", cell: (job) => <JobThumbnail job={job} /> },
  {
    title: "Job",
    isText: true,
    cell: (job) => (
      <span>
        <Link to={`${path}/${job.id}`}>…{job.id.slice(-12)}</Link>
        {Object.entries(job.metadata).map(([name, value]) => (
          <span key={name} className="job-tag">
            {name}: <bdi>{value}</bdi>
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
