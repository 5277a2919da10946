/** One photo: before and after, the report, its other edits, and what can be done with it. */
import { useEffect, useState } from "react";
import { linkHere } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { Spinner } from "../components/loaded.tsx";
import { JobFiles } from "../jobs/job-files.tsx";
import { Compare } from "./compare.tsx";
import { CopyAs } from "./copy-as.tsx";
import { describeProgress, type Edit, type EditRequest, hasEnded, type Parameters, type Photo } from "./edit.ts";
import { ResultThumbnail } from "./photo-list.tsx";
import type { ChoiceParameters } from "./product-choice.ts";
import { ProductPicker } from "./product-picker.tsx";
import { ReportPanel } from "./report-panel.tsx";
import { saveResult } from "./results.ts";
import { useObjectUrl } from "./use-object-url.ts";
import { useEdit, useWorkbench } from "./workbench.tsx";

interface ViewerProps {
  readonly photo: Photo;
  /** What the form has: for another edit of this photo. */
  readonly request: EditRequest;
  readonly choosable: ChoiceParameters;
  /** The product was chosen on this photo, or no longer is. */
  readonly onChoice: (parameters: Parameters) => void;
}

export function Viewer({ photo, request, choosable, onChoice }: ViewerProps) {
  const { board, queue } = useWorkbench();
  const newestId = photo.editIds.at(-1)!;
  const [shownId, setShownId] = useState(newestId);
  const [isPicking, setPicking] = useState(false);
  // A new edit is shown at once.
  useEffect(() => {
    setShownId(newestId);
    setPicking(false);
  }, [newestId]);
  const edit = useEdit(shownId);
  const canPick = choosable.hasPoint || choosable.hasRegion;
  if (edit === undefined) return null;

  function again(): void {
    board.addEdit(photo.id, request);
    queue.start();
  }

  function show(editId: string): void {
    setShownId(editId);
    setPicking(false);
  }

  return (
    <section className="card viewer" aria-labelledby="viewer-title">
      <div className="viewer-head">
        <h2 id="viewer-title">{photo.file.name}</h2>
        {canPick && (
          <Button isPressed={isPicking} onClick={() => setPicking(!isPicking)}>
            Choose on the photo
          </Button>
        )}
      </div>
      {canPick && isPicking ? (
        <ProductPicker photo={photo} choosable={choosable} onChoice={onChoice} parameters={request.parameters} />
      ) : (
        <Outcome edit={edit} photo={photo} />
      )}
      <div className="bar">
        <Button onClick={again}>Edit again with the settings</Button>
        <Variations photo={photo} edit={edit} />
      </div>
      {photo.editIds.length > 1 && <EditChoice photo={photo} shownId={shownId} onShow={show} />}
    </section>
  );
}

function Outcome({ edit, photo }: { readonly edit: Edit; readonly photo: Photo }) {
  const { queue } = useWorkbench();
  const { state } = edit;
  const beforeUrl = useObjectUrl(photo.file);
  if (state.status === "failed") return <ErrorNote error={state.error} onRetry={() => queue.retry(edit.id)} />;
  if (state.status !== "completed") {
    return (
      <div className="viewer-waiting">
        {beforeUrl !== undefined && <img src={beforeUrl} alt={`${photo.file.name} before the edit`} />}
        <Spinner label={describeProgress(state)} />
      </div>
    );
  }
  const { job } = state;
  return (
    <>
      {beforeUrl !== undefined && job.resultUrl !== null && (
        <Compare key={job.id} beforeUrl={beforeUrl} afterUrl={linkHere(job.resultUrl, job)} name={photo.file.name} />
      )}
      <ResultButtons edit={edit} photo={photo} />
      <JobFiles job={job} />
      {job.report !== null && <ReportPanel job={job} report={job.report} />}
    </>
  );
}

function ResultButtons({ edit, photo }: { readonly edit: Edit; readonly photo: Photo }) {
  const [isSaving, setSaving] = useState(false);
  const [isCopying, setCopying] = useState(false);
  const [error, setError] = useState<unknown>();
  if (edit.state.status !== "completed") return null;
  const { job } = edit.state;

  async function save(): Promise<void> {
    setSaving(true);
    setError(undefined);
    await saveResult({ photoName: photo.file.name, job }).catch(setError);
    setSaving(false);
  }

  return (
    <>
      <div className="bar">
        <Button kind="primary" isBusy={isSaving} onClick={() => void save()}>
          Download
        </Button>
        <Button onClick={() => setCopying(true)}>Copy as …</Button>
      </div>
      {job.layers !== undefined && (
        <p>
          Layers:{" "}
          {job.layers.map(({ name, url }) => (
            <span key={name}>
              <a href={linkHere(url, job)} target="_blank" rel="noreferrer">
                {name}
              </a>{" "}
            </span>
          ))}
        </p>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      {isCopying && <CopyAs job={job} photo={photo} request={edit.request} onClose={() => setCopying(false)} />}
    </>
  );
}

const variationsMade = 4;
const seedMax = 4_294_967_295;

/** The same edit with other seeds; a mask has nothing that a seed could change. */
function Variations({ photo, edit }: { readonly photo: Photo; readonly edit: Edit }) {
  const { board, queue } = useWorkbench();
  const { request, state } = edit;
  if (request.tool === "mask") return null;
  const seed = state.status === "completed" ? state.job.parameters.seed : Number(request.parameters.seed ?? 0);

  function make(): void {
    for (let step = 1; step <= variationsMade; step += 1) {
      const parameters = { ...request.parameters, seed: (seed + step) % (seedMax + 1) };
      board.addEdit(photo.id, { ...request, parameters });
    }
    queue.start();
  }

  return (
    <Button isDisabled={!hasEnded(edit)} onClick={make}>
      {`Make ${variationsMade} variations`}
    </Button>
  );
}

interface EditChoiceProps {
  readonly photo: Photo;
  readonly shownId: string;
  readonly onShow: (editId: string) => void;
}

/** All edits of the photo, side by side. */
function EditChoice({ photo, shownId, onShow }: EditChoiceProps) {
  return (
    <section aria-label="Edits of this photo">
      <ul className="variations">
        {photo.editIds.map((id) => (
          <li key={id}>
            <EditCard id={id} isShown={id === shownId} onShow={onShow} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface EditCardProps {
  readonly id: string;
  readonly isShown: boolean;
  readonly onShow: (editId: string) => void;
}

function EditCard({ id, isShown, onShow }: EditCardProps) {
  const edit = useEdit(id);
  if (edit === undefined) return null;
  const { request, state } = edit;
  const seed = state.status === "completed" ? state.job.parameters.seed : request.parameters.seed;
  return (
    <button type="button" className="variation" aria-current={isShown} onClick={() => onShow(id)}>
      {state.status === "completed" ? <ResultThumbnail job={state.job} /> : <span className="thumb" />}
      <span className="variation-words">
        {request.tool}
        <span className="hint">
          {state.status === "completed" ? `seed ${String(seed)}` : describeProgress(state)}
          {request.parameters.theme !== undefined && `, ${String(request.parameters.theme)}`}
        </span>
      </span>
    </button>
  );
}
