/** Takes photos: dropped anywhere on the page, pasted, or chosen. */
import { useEffect, useRef, useState } from "react";
import { Button } from "../components/button.tsx";
import { useToast } from "../components/toast.tsx";

interface DropZoneProps {
  readonly hint: string;
  /** Photos are there already: it leaves them the room. */
  readonly isSmall: boolean;
  readonly onPhotos: (files: readonly File[]) => void;
}

/** Browsers know no type of some photos' files. */
const photoName = /\.(jpe?g|png|webp|avif|tiff?|gif|heic|heif)$/i;

function isPhoto({ type, name }: File): boolean {
  return type.startsWith("image/") || (type === "" && photoName.test(name));
}

export function DropZone({ hint, isSmall, onPhotos }: DropZoneProps) {
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = useRef<(files: FileList | null | undefined) => void>(() => {});
  take.current = (files) => {
    const given = [...(files ?? [])];
    const photos = given.filter(isPhoto);
    const others = given.length - photos.length;
    if (others > 0) toast(others === 1 ? "One file is no photo" : `${others} files are no photos`);
    if (photos.length > 0) onPhotos(photos);
  };

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    window.addEventListener("dragover", over, { signal });
    window.addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(false), { signal });
    window.addEventListener("paste", (event) => take.current(event.clipboardData?.files), { signal });
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      take.current(event.dataTransfer?.files);
    };
    window.addEventListener("drop", drop, { signal });
    return () => stop.abort();
  }, []);

  return (
    <section className={`drop ${isSmall ? "drop-small" : ""} ${isOver ? "drop-over" : ""}`} aria-label="Photos to edit">
      <div>
        <p className="drop-title">Drop photos here</p>
        <p className="hint">{hint}</p>
      </div>
      <Button kind="primary" onClick={() => input.current?.click()}>
        Choose photos
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept="image/*,.heic,.heif,.tif,.tiff"
        aria-label="Photos"
        onChange={(event) => {
          take.current(event.target.files);
          // The same files may be chosen again.
          event.target.value = "";
        }}
      />
    </section>
  );
}
