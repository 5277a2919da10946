/** All photos with what became of them. A row is drawn only while it is in sight. */
import type { Job } from "@packshot/sdk";
import { memo, useEffect, useRef, useState } from "react";
import { linkHere } from "../api/api.ts";
import { describeError } from "../api/describe-error.ts";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { describeProgress, type Edit, hasEnded, type Photo } from "./edit.ts";
import { type NamedResult, saveAllResults } from "./results.ts";
import { useEdit, useEdits, usePhotos, useWorkbench } from "./workbench.tsx";

interface PhotoListProps {
  readonly selectedId: string | undefined;
  readonly onSelect: (photoId: string) => void;
}

export function PhotoList({ selectedId, onSelect }: PhotoListProps) {
  const photos = usePhotos();
  return (
    <section className="card photos" aria-labelledby="photos-title">
      <Summary photos={photos} />
      <ul>
        {photos.map((photo) => (
          <PhotoRow key={photo.id} photo={photo} isSelected={photo.id === selectedId} onSelect={onSelect} />
        ))}
      </ul>
    </section>
  );
}

function Summary({ photos }: { readonly photos: readonly Photo[] }) {
  const edits = useEdits();
  const ended = edits.filter(hasEnded).length;
  const failed = edits.filter(({ state }) => state.status === "failed").length;
  const review = edits.filter(({ state }) => state.status === "completed" && state.job.report?.quality === "review");
  const isDone = ended === edits.length;
  const parts = [
    `${ended} of ${edits.length} edits ended`,
    failed > 0 && `${failed} failed`,
    review.length > 0 && `${review.length} to be reviewed`,
  ];
  return (
    <>
      <div className="bar">
        <h2 id="photos-title">{photos.length === 1 ? "1 photo" : `${photos.length} photos`}</h2>
        <ListButtons photos={photos} edits={edits} />
      </div>
      <progress value={ended} max={edits.length} aria-label="Edits that have ended" />
      <p className="hint" role="status" data-done={isDone}>
        {isDone ? parts.filter(Boolean).join(", ") : ""}
      </p>
      {!isDone && <p className="hint">{parts.filter(Boolean).join(", ")}</p>}
    </>
  );
}

interface ListButtonsProps {
  readonly photos: readonly Photo[];
  readonly edits: readonly Edit[];
}

function ListButtons({ photos, edits }: ListButtonsProps) {
  const { board, queue } = useWorkbench();
  const [saving, setSaving] = useState<{ readonly done: number; readonly of: number } | undefined>();
  const [error, setError] = useState<unknown>();
  const results = newestResults(photos, edits);
  const failed = newestFailed(photos, edits);

  async function saveAll(): Promise<void> {
    setError(undefined);
    setSaving({ done: 0, of: results.length });
    try {
      await saveAllResults(results, (done) => setSaving({ done, of: results.length }));
    } catch (error) {
      setError(error);
    } finally {
      setSaving(undefined);
    }
  }

  function clear(): void {
    for (const { id } of edits) queue.cancel(id);
    for (const { id } of photos) board.remove(id);
  }

  return (
    <>
      <Button isDisabled={results.length === 0} isBusy={saving !== undefined} onClick={() => void saveAll()}>
        {saving === undefined ? `Download all (${results.length})` : `Packing ${saving.done} of ${saving.of}`}
      </Button>
      {failed.length > 0 && (
        <Button onClick={() => failed.forEach(({ id }) => void queue.retry(id))}>Try {failed.length} again</Button>
      )}
      <Button kind="quiet" onClick={clear}>
        Remove all
      </Button>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}

/** The newest edit of each photo, where that has failed. */
function newestFailed(photos: readonly Photo[], edits: readonly Edit[]): Edit[] {
  const newestIds = new Set(photos.map(({ editIds }) => editIds.at(-1)));
  return edits.filter(({ id, state }) => state.status === "failed" && newestIds.has(id));
}

/** The newest completed edit of each photo. */
function newestResults(photos: readonly Photo[], edits: readonly Edit[]): NamedResult[] {
  const jobs = new Map<string, Job>();
  for (const { photoId, state } of edits) if (state.status === "completed") jobs.set(photoId, state.job);
  return photos.flatMap(({ id, file }) => {
    const job = jobs.get(id);
    return job === undefined ? [] : [{ photoName: file.name, job }];
  });
}

interface PhotoRowProps {
  readonly photo: Photo;
  readonly isSelected: boolean;
  readonly onSelect: (photoId: string) => void;
}

const PhotoRow = memo(function PhotoRow({ photo, isSelected, onSelect }: PhotoRowProps) {
  const { board, queue } = useWorkbench();
  const edit = useEdit(photo.editIds.at(-1)!);
  if (edit === undefined) return null;
  const { state } = edit;
  return (
    <li className={isSelected ? "photo photo-selected" : "photo"}>
      <button type="button" className="photo-select" aria-current={isSelected} onClick={() => onSelect(photo.id)}>
        <PhotoThumbnail file={photo.file} />
        <span className="photo-words">
          <span className="photo-name">{photo.file.name}</span>
          <span className={`hint state-${state.status}`}>
            {state.status === "failed" ? describeError(state.error).title : describeProgress(state)}
          </span>
        </span>
        {state.status === "completed" && <ResultThumbnail job={state.job} />}
      </button>
      {state.status === "failed" && (
        <Button kind="quiet" label={`Try ${photo.file.name} again`} onClick={() => queue.retry(edit.id)}>
          Try again
        </Button>
      )}
      {!hasEnded(edit) && (
        <Button kind="quiet" label={`Cancel ${photo.file.name}`} onClick={() => queue.cancel(edit.id)}>
          Cancel
        </Button>
      )}
      {hasEnded(edit) && (
        <Button kind="quiet" label={`Remove ${photo.file.name}`} onClick={() => board.remove(photo.id)}>
          <span aria-hidden="true">✕</span>
        </Button>
      )}
    </li>
  );
});

export function ResultThumbnail({ job }: { readonly job: Job }) {
  if (job.thumbnailUrl === null) return null;
  return (
    <img className="thumb checkered" src={linkHere(job.thumbnailUrl, job)} alt="" loading="lazy" decoding="async" />
  );
}

/** A small picture of a photo that was not sent yet, made when it comes into sight, two at a time. */

const side = 112;
const madeAtOnceMax = 2;
let making = 0;
const waiting: (() => void)[] = [];

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (making >= madeAtOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  making += 1;
  try {
    return await work();
  } finally {
    making -= 1;
    waiting.shift()?.();
  }
}

/** The browser decodes and scales it beside the page's own thread. */
async function draw(file: File, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  await withSlot(async () => {
    if (signal.aborted) return;
    const bitmap = await createImageBitmap(file, { resizeWidth: side, resizeQuality: "low" });
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  });
}

function PhotoThumbnail({ file }: { readonly file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const element = canvas.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      // Not every browser shows TIFF or HEIC.
      draw(file, element, stop.signal).catch(() => setFailed(true));
    });
    observer.observe(element);
    return () => {
      stop.abort();
      observer.disconnect();
    };
  }, [file]);
  return <canvas ref={canvas} width={side} height={side} className={hasFailed ? "thumb thumb-none" : "thumb"} />;
}
