/** Report and results as files: fetched, so that the key stays in a header, and then given to the browser to save. */
import { useMutation } from "@tanstack/react-query";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { useApi } from "../session/session.tsx";
import type { Batch } from "./batch-status.tsx";

interface BatchFile {
  readonly title: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly name: string;
}

/** Results of so many rows are in one part of the archive. */
const rowsPerPart = 10_000;

function filesOf({ id, rows }: Batch): readonly BatchFile[] {
  const path = (rest: string) => `/v1/batches/${encodeURIComponent(id)}/${rest}`;
  const parts = Math.max(1, Math.ceil(rows / rowsPerPart));
  return [
    { title: "Report as CSV", path: path("report"), query: { format: "csv" }, name: `batch-${id}.csv` },
    { title: "Report as NDJSON", path: path("report"), query: { format: "ndjson" }, name: `batch-${id}.ndjson` },
    ...Array.from({ length: parts }, (_, index) => ({
      title: parts === 1 ? "Results as ZIP" : `Results as ZIP, part ${index + 1} of ${parts}`,
      path: path("archive"),
      query: { part: index + 1 },
      name: parts === 1 ? `batch-${id}.zip` : `batch-${id}-${index + 1}-of-${parts}.zip`,
    })),
  ];
}

export function BatchFiles({ batch }: { readonly batch: Batch }) {
  const api = useApi();
  const save = useMutation({
    async mutationFn({ path, query, name }: BatchFile) {
      const response = await api.stream({ method: "GET", path, query });
      saveFile(await response.blob(), name);
    },
  });
  return (
    <section className="card" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <div className="bar">
        {filesOf(batch).map((file) => (
          <Button
            key={file.name}
            isBusy={save.isPending && save.variables.name === file.name}
            onClick={() => save.mutate(file)}
          >
            {file.title}
          </Button>
        ))}
      </div>
      {save.isPending && <p role="status">{save.variables.title}: it is made while it comes.</p>}
      {save.error !== null && <ErrorNote error={save.error} />}
    </section>
  );
}

const revokeAfterMs = 60_000;

/** As a click on a link with `download` does. */
function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}
