/**
 * The brush: strokes keep or remove what they cover, and the matte that comes of it is sent as `maskImage`. The photo is shown
 * below; what is removed is tinted. Arrow keys move the brush, and Space paints where it is.
 */
import type { Job } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { linkHere, randomId } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { CheckField, Field } from "../components/field.tsx";
import { formatCredits } from "../components/format.ts";
import { Spinner } from "../components/loaded.tsx";
import { useToast } from "../components/toast.tsx";
import { readAccountAgain, useRead } from "../session/read.ts";
import { useApi } from "../session/session.tsx";
import { useKeys } from "./keys.ts";
import { type Brush as BrushKind, createMaskCanvas, type MaskCanvas, type Spot } from "./mask-canvas.ts";
import { itemOfJob, type QueueItem } from "./review-queue.ts";
import { useZoom, type Zoom, ZoomButtons } from "./zoom.tsx";

interface BrushProps {
  readonly job: Job;
  readonly hasKeys: boolean;
  readonly onClose: () => void;
  readonly onMended: (changed: Partial<QueueItem>) => void;
}

/** Diameters, as shares of the photo's longer side. */
const sizes = [0.01, 0.02, 0.04, 0.07, 0.12, 0.2] as const;
const sizeDefault = 2;

export function Brush({ job, hasKeys, onClose, onMended }: BrushProps) {
  const matte = useRead(["matte", job.id], async (api, signal) => {
    const { stream } = await api.packshot.jobs.download(job, "matte", { signal });
    return await createImageBitmap(await new Response(stream).blob());
  });
  if (matte.error !== null) return <ErrorNote error={matte.error} onRetry={() => void matte.refetch()} />;
  if (matte.data === undefined) return <Spinner label="Loading the matte" />;
  return <Painting job={job} matte={matte.data} hasKeys={hasKeys} onClose={onClose} onMended={onMended} />;
}

function Painting({ job, matte, hasKeys, onClose, onMended }: BrushProps & { readonly matte: ImageBitmap }) {
  const shown = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<MaskCanvas>(undefined);
  const [mode, setMode] = useState<BrushKind["mode"]>("keep");
  const [size, setSize] = useState<number>(sizeDefault);
  const [strokes, setStrokes] = useState(0);
  const [snaps, setSnaps] = useState(true);
  const mend = useMend(job, onMended);
  useEffect(() => {
    canvas.current = createMaskCanvas(matte, shown.current!);
    setStrokes(0);
  }, [matte]);

  const brush = { mode, size: sizes[size]! * Math.max(matte.width, matte.height) };
  const resize = (by: number) => setSize((before) => Math.min(sizes.length - 1, Math.max(0, before + by)));
  function paint(act: (canvas: MaskCanvas) => void): void {
    act(canvas.current!);
    setStrokes(canvas.current!.strokes());
  }
  const undo = () => paint((on) => on.undo());
  const save = async () => mend.mutate({ mask: await canvas.current!.toBlob(), refine: snaps });
  const zoom = useZoom();
  useKeys(hasKeys, {
    "+": () => zoom.step(1),
    "=": () => zoom.step(1),
    "-": () => zoom.step(-1),
    b: () => setMode("keep"),
    x: () => setMode("remove"),
    z: undo,
    "[": () => resize(-1),
    "]": () => resize(1),
    escape: onClose,
  });

  return (
    <>
      <Toolbar mode={mode} onMode={setMode} size={size} onSize={setSize} strokes={strokes} onUndo={undo} zoom={zoom} />
      <section ref={zoom.stage} className="brush-stage">
        <Surface job={job} shown={shown} brush={brush} onPaint={paint} size={matte} zoom={zoom.factor} />
      </section>
      <p className="hint">
        Red is removed. Keys: B keeps, X removes, [ and ] change the size, + and − zoom, Z undoes, Escape closes; on the
        photo, arrow keys move the brush and Space paints.
      </p>
      <CheckField
        label="Snap to the edge: the matte's edge is aligned with the photo's"
        isChecked={snaps}
        onChange={setSnaps}
      />
      <div className="bar">
        <Button kind="primary" isBusy={mend.isPending} isDisabled={strokes === 0} onClick={() => void save()}>
          Save
        </Button>
        <Button isDisabled={mend.isPending} onClick={onClose}>
          Close
        </Button>
        <p className="hint">The first mending of a job is free.</p>
      </div>
      {mend.error !== null && <ErrorNote error={mend.error} />}
    </>
  );
}

interface ToolbarProps {
  readonly mode: BrushKind["mode"];
  readonly onMode: (mode: BrushKind["mode"]) => void;
  /** Index of `sizes`. */
  readonly size: number;
  readonly onSize: (size: number) => void;
  readonly strokes: number;
  readonly onUndo: () => void;
  readonly zoom: Zoom;
}

function Toolbar({ mode, onMode, size, onSize, strokes, onUndo, zoom }: ToolbarProps) {
  return (
    <div className="bar" role="toolbar" aria-label="Brush">
      <Button isPressed={mode === "keep"} onClick={() => onMode("keep")}>
        Keep
      </Button>
      <Button isPressed={mode === "remove"} onClick={() => onMode("remove")}>
        Remove
      </Button>
      <Field label="Size">
        {(bind) => (
          <input
            {...bind}
            type="range"
            min={0}
            max={sizes.length - 1}
            step={1}
            value={size}
            onChange={({ target }) => onSize(Number(target.value))}
          />
        )}
      </Field>
      <Button isDisabled={strokes === 0} onClick={onUndo}>
        Undo
      </Button>
      <ZoomButtons zoom={zoom} />
    </div>
  );
}

interface SurfaceProps {
  readonly job: Job;
  readonly shown: React.RefObject<HTMLCanvasElement | null>;
  readonly brush: BrushKind;
  readonly size: { readonly width: number; readonly height: number };
  readonly onPaint: (act: (canvas: MaskCanvas) => void) => void;
  /** 1: the whole photo is seen. */
  readonly zoom: number;
}

function Surface({ job, shown, brush, size, onPaint, zoom }: SurfaceProps) {
  const [at, setAt] = useState<CursorSpot>({ x: size.width / 2, y: size.height / 2 });

  function spotOf({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): Spot {
    const area = currentTarget.getBoundingClientRect();
    return {
      x: ((clientX - area.left) / area.width) * size.width,
      y: ((clientY - area.top) / area.height) * size.height,
    };
  }

  function press(event: KeyboardEvent): void {
    const step = brush.size / 2;
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const move = steps[event.key];
    if (move === undefined && event.key !== " ") return;
    event.preventDefault();
    if (move === undefined) {
      onPaint((canvas) => {
        canvas.begin(brush, at);
        canvas.end();
      });
      return;
    }
    const within = (value: number, max: number) => Math.min(max, Math.max(0, value));
    setAt({ x: within(at.x + move[0], size.width), y: within(at.y + move[1], size.height), isByKeys: true });
  }

  return (
    <div
      className="review-surface"
      role="application"
      aria-label="The photo: arrow keys move the brush, Space paints"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard paints here
      tabIndex={0}
      style={surfaceSize(size, zoom)}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const spot = spotOf(event);
        setAt(spot);
        onPaint((canvas) => canvas.begin(brush, spot));
      }}
      onPointerMove={(event) => {
        const spot = spotOf(event);
        setAt(spot);
        if (event.buttons === 1) onPaint((canvas) => canvas.extend(spot));
      }}
      onPointerUp={() => onPaint((canvas) => canvas.end())}
      onPointerCancel={() => onPaint((canvas) => canvas.end())}
    >
      <img src={linkHere(job.photoUrl!, job)} alt="" draggable={false} />
      <canvas ref={shown} />
      <Cursor at={at} brush={brush} size={size} />
    </div>
  );
}

interface CursorSpot extends Spot {
  /** A pointer is where it is seen; keys may move the brush out of sight. */
  readonly isByKeys?: boolean;
}

function Cursor({ at, brush, size }: Pick<SurfaceProps, "brush" | "size"> & { readonly at: CursorSpot }) {
  const cursor = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (at.isByKeys === true) cursor.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [at]);
  return (
    <span
      ref={cursor}
      className={`review-cursor ${brush.mode}`}
      style={{
        left: `${(100 * at.x) / size.width}%`,
        top: `${(100 * at.y) / size.height}%`,
        width: `${(100 * brush.size) / size.width}%`,
      }}
    />
  );
}

/** At zoom 1 all of it fits into its stage, which review.css makes as high. */
function surfaceSize({ width, height }: SurfaceProps["size"], zoom: number): CSSProperties {
  return { aspectRatio: `${width} / ${height}`, width: `calc(${zoom} * min(100%, ${(65 * width) / height}vh))` };
}

/** Runs the job's edit again with the matte, and waits for it. */
function useMend(job: Job, onMended: (changed: Partial<QueueItem>) => void) {
  const api = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    async mutationFn({ mask, refine }: { readonly mask: Blob; readonly refine: boolean }) {
      const { packshot } = api;
      const { id } = await packshot.jobs.repeat(job.id, { mask, refine, idempotencyKey: randomId() });
      const made = await packshot.jobs.wait(id);
      if (made.error !== null) throw new Error(`${made.error.code}: ${made.error.message}`);
      return made;
    },
    onSuccess(made) {
      const { jobId, resultUrl, thumbnailUrl } = itemOfJob(made);
      toast(made.creditsCharged === 0 ? "Mended, for free" : `Mended, for ${formatCredits(made.creditsCharged)}`);
      readAccountAgain(queries);
      onMended({
        jobId,
        resultUrl,
        ...(thumbnailUrl !== undefined && { thumbnailUrl }),
        reasons: made.report?.reasons ?? [],
        state: "mended",
      });
    },
  });
}
