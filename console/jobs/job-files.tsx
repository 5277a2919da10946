/** All results of a job that has several: variations, or the files of an edit with `outputs`. */
import type { Job } from "@packshot/sdk";
import { linkHere } from "../api/api.ts";
import { formatBytes } from "../components/format.ts";
import { type Column, Table } from "../components/table.tsx";

type JobFile = NonNullable<Job["results"]>[number];

export function JobFiles({ job }: { readonly job: Job }) {
  if (job.results === undefined) return null;
  return (
    <section className="card" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <Table caption="Results of this job" columns={columnsOf(job)} rows={job.results} keyOf={({ name }) => name} />
    </section>
  );
}

function columnsOf(job: Job): readonly Column<JobFile>[] {
  const isAny = (has: (file: JobFile) => boolean) => (job.results ?? []).some(has);
  const seed: Column<JobFile> = { title: "Seed", isNumber: true, cell: (file) => file.seed ?? "–" };
  const checks: Column<JobFile> = { title: "Checks", isText: true, cell: checksOf };
  const place: Column<JobFile> = {
    title: "Key in your bucket",
    isText: true,
    cell: ({ destinationKey }) => destinationKey ?? "–",
  };
  return [
    { title: "File", isText: true, cell: (file) => <FileName file={file} job={job} /> },
    { title: "Type", cell: ({ contentType }) => contentType ?? "–" },
    { title: "Pixels", isNumber: true, cell: ({ width, height }) => (width === null ? "–" : `${width} × ${height}`) },
    { title: "Size", isNumber: true, cell: ({ bytes }) => (bytes === null ? "–" : formatBytes(bytes)) },
    ...(isAny((file) => file.seed !== undefined) ? [seed] : []),
    ...(isAny((file) => file.checks !== undefined || file.error !== undefined) ? [checks] : []),
    ...(isAny((file) => file.destinationKey !== undefined) ? [place] : []),
  ];
}

/** Signed: it needs no key. */
function FileName({ file: { name, url }, job }: { readonly file: JobFile; readonly job: Job }) {
  if (url === null) return name;
  return (
    <a href={linkHere(url, job)} target="_blank" rel="noreferrer">
      {name}
    </a>
  );
}

/** Why a file was not made stands in the place of its checks. */
function checksOf({ checks, error }: JobFile): string {
  if (error !== undefined) return `Not made, not charged: ${error.message}`;
  if (checks === undefined) return "–";
  const failed = checks.filter(({ passed }) => !passed).map(({ name }) => name);
  return failed.length === 0 ? `All ${checks.length} passed` : `Failed: ${failed.join(", ")}`;
}
