/** The playground's photos and edits. It outlives the page, so that edits go on while another page is shown. */
import { PackshotError } from "@packshot/sdk";
import { randomId } from "../api/api.ts";
import type { Edit, EditRequest, EditState, Photo } from "./edit.ts";

export interface Board {
  subscribe(onChange: () => void): () => void;
  photos(): readonly Photo[];
  edit(id: string): Edit | undefined;
  /** Oldest first. */
  edits(): readonly Edit[];
  /** Adds photos with an edit each, a few at a time, so that the page stays smooth with hundreds. */
  add(files: readonly File[], request: EditRequest, bytesMax: number): Promise<void>;
  /** Adds an edit of a photo that is there. */
  addEdit(photoId: string, request: EditRequest): string;
  set(editId: string, state: EditState, jobId?: string): void;
  remove(photoId: string): void;
}

const addedAtOnce = 20;

export function createBoard(): Board {
  const listeners = new Set<() => void>();
  let photos: readonly Photo[] = [];
  let edits: ReadonlyMap<string, Edit> = new Map();
  let list: readonly Edit[] = [];

  function setEdits(next: ReadonlyMap<string, Edit>): void {
    edits = next;
    list = [...next.values()];
  }

  function notify(): void {
    for (const listener of listeners) listener();
  }

  function newEdit(photoId: string, request: EditRequest, state: EditState = { status: "waiting" }): Edit {
    return { id: randomId(), photoId, request, idempotencyKey: randomId(), state };
  }

  function addPhotos(files: readonly File[], request: EditRequest, bytesMax: number): void {
    const next = new Map(edits);
    const added = files.map((file): Photo => {
      const id = randomId();
      const edit = newEdit(id, request, file.size > bytesMax ? tooLarge(file, bytesMax) : undefined);
      next.set(edit.id, edit);
      return { id, file, editIds: [edit.id] };
    });
    setEdits(next);
    photos = [...photos, ...added];
    notify();
  }

  return {
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    photos: () => photos,
    edit: (id) => edits.get(id),
    edits: () => list,
    async add(files, request, bytesMax) {
      for (let start = 0; start < files.length; start += addedAtOnce) {
        addPhotos(files.slice(start, start + addedAtOnce), request, bytesMax);
        // The page is drawn between.
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    addEdit(photoId, request) {
      const edit = newEdit(photoId, request);
      setEdits(new Map(edits).set(edit.id, edit));
      photos = photos.map((photo) =>
        photo.id === photoId ? { ...photo, editIds: [...photo.editIds, edit.id] } : photo,
      );
      notify();
      return edit.id;
    },
    set(editId, state, jobId) {
      const edit = edits.get(editId);
      if (edit === undefined) return;
      setEdits(new Map(edits).set(editId, { ...edit, state, ...(jobId === undefined ? {} : { jobId }) }));
      notify();
    },
    remove(photoId) {
      photos = photos.filter(({ id }) => id !== photoId);
      setEdits(new Map([...edits].filter(([, edit]) => edit.photoId !== photoId)));
      notify();
    },
  };
}

function tooLarge(file: File, bytesMax: number): EditState {
  const text = `${file.name} has ${file.size.toLocaleString("en")} bytes; the plan allows ${bytesMax.toLocaleString("en")}.`;
  return { status: "failed", error: new PackshotError("file_too_large", text) };
}
