/** One doubtful cut-out: large, with what is doubtful about it and what can be done. */
import type { Job } from "@packshot/sdk";
import { useState } from "react";
import { linkHere } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { Spinner } from "../components/loaded.tsx";
import { Link } from "../router/link.tsx";
import { useRead } from "../session/read.ts";
import { Brush } from "./brush.tsx";
import type { Decision, Verdict } from "./decisions.ts";
import { useKeys } from "./keys.ts";
import type { QueueItem } from "./review-queue.ts";

interface CutOutPanelProps {
  readonly item: QueueItem;
  readonly decision: Decision;
  readonly hasKeys: boolean;
  readonly isMending: boolean;
  readonly onMending: (isMending: boolean) => void;
  readonly onDecide: (verdict: Verdict) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onMended: (changed: Partial<QueueItem>) => void;
}

const verdicts = [
  { verdict: "approved", kind: "primary", label: "Approve" },
  { verdict: "rejected", kind: "danger", label: "Reject" },
] as const;

const zooms = [1, 1.5, 2, 3, 4, 6, 8] as const;

export function CutOutPanel(props: CutOutPanelProps) {
  const { item, decision, isMending, onMending, onDecide, onStep } = props;
  // A row of a batch outlives its job, which alone has the photo.
  const read = useRead(["job", item.jobId], (api, signal) =>
    api.packshot.jobs.get(item.jobId, { signal }).catch((error: unknown) => {
      if ((error as { code?: string }).code === "not_found") return null;
      throw error;
    }),
  );
  const job = read.data;
  const canMend = job?.photoUrl !== undefined && job.matteUrl !== undefined && item.state !== "rejected";
  const isBrushOpen = isMending && canMend;
  useKeys(props.hasKeys && canMend && !isBrushOpen, { m: () => onMending(true) });
  return (
    <section className="card review-panel" aria-labelledby="cut-out">
      <h2 id="cut-out">{item.name}</h2>
      {item.reasons.length > 0 && (
        <ul className="review-reasons">
          {item.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {isBrushOpen ? (
        <Brush
          job={job}
          hasKeys={props.hasKeys}
          onClose={() => onMending(false)}
          onMended={(made) => {
            props.onMended(made);
            onMending(false);
          }}
        />
      ) : (
        <Picture item={item} job={job ?? undefined} hasKeys={props.hasKeys} />
      )}
      {!isBrushOpen && (
        <div className="bar">
          {verdicts.map(({ verdict, kind, label }) => (
            <Button
              key={verdict}
              kind={kind}
              isBusy={decision.isPending}
              isDisabled={item.state === "rejected"}
              onClick={() => onDecide(verdict)}
            >
              {label}
            </Button>
          ))}
          <Button isDisabled={!canMend} onClick={() => onMending(true)}>
            Mend
          </Button>
          <Button onClick={() => onStep(-1)}>Previous</Button>
          <Button onClick={() => onStep(1)}>Next</Button>
          {job != null && <Link to={`/jobs/${job.id}`}>Open job</Link>}
        </div>
      )}
      {read.isLoading && <Spinner label="Loading the job" />}
      {job === null && (
        <p className="hint">Its job has expired, and with it the photo: it cannot be mended any more.</p>
      )}
      {item.state !== "open" && <p role="status">Status: {item.state}</p>}
      {decision.error !== null && <ErrorNote error={decision.error} />}
    </section>
  );
}

function Picture({
  item,
  job,
  hasKeys,
}: {
  readonly item: QueueItem;
  readonly job: Job | undefined;
  readonly hasKeys: boolean;
}) {
  const [zoom, setZoom] = useState(0);
  const [showsPhoto, setShowsPhoto] = useState(false);
  const step = (by: number) => setZoom((before) => Math.min(zooms.length - 1, Math.max(0, before + by)));
  useKeys(hasKeys, { "+": () => step(1), "=": () => step(1), "-": () => step(-1) });
  const photoUrl = job?.photoUrl === undefined ? undefined : linkHere(job.photoUrl, job);
  const url = showsPhoto && photoUrl !== undefined ? photoUrl : item.resultUrl;
  return (
    <>
      <section
        className="review-stage checkered"
        aria-label="The cut-out, which scrolls when enlarged"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
      >
        {url === null ? (
          <p className="note">The result is not here: it was rejected, or is in your bucket.</p>
        ) : (
          <img
            src={url}
            alt={`${item.name}, ${url === photoUrl ? "the photo" : "cut out"}`}
            style={{ width: `${100 * zooms[zoom]!}%` }}
          />
        )}
      </section>
      <div className="bar">
        <Button label="Zoom out" isDisabled={zoom === 0} onClick={() => step(-1)}>
          −
        </Button>
        <span className="review-zoom">{Math.round(100 * zooms[zoom]!)} %</span>
        <Button label="Zoom in" isDisabled={zoom === zooms.length - 1} onClick={() => step(1)}>
          +
        </Button>
        {photoUrl !== undefined && (
          <Button isPressed={showsPhoto} onClick={() => setShowsPhoto(!showsPhoto)}>
            Photo
          </Button>
        )}
      </div>
    </>
  );
}
