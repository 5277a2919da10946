/** One doubtful cut-out: large, with what is doubtful about it and what can be done. */
import type { Job } from "@packshot/sdk";
import { useState } from "react";
import { linkHere } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { GroundChoice, groundStyle, type useGround } from "../components/ground.tsx";
import { Spinner } from "../components/loaded.tsx";
import { Link } from "../router/link.tsx";
import { useRead } from "../session/read.ts";
import { Brush } from "./brush.tsx";
import type { Decision, Verdict } from "./decisions.ts";
import { useKeys } from "./keys.ts";
import { type QueueItem, readReviewedJob } from "./review-queue.ts";
import { dragToScroll, useZoom, ZoomButtons } from "./zoom.tsx";

interface CutOutPanelProps {
  readonly item: QueueItem;
  readonly decision: Decision;
  readonly hasKeys: boolean;
  /** The same for all cut-outs. */
  readonly ground: ReturnType<typeof useGround>;
  readonly isMending: boolean;
  readonly onMending: (isMending: boolean) => void;
  readonly onDecide: (verdict: Verdict) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onMended: (changed: Partial<QueueItem>) => void;
}

const verdicts = [
  { verdict: "approved", kind: "primary", label: "Approve", key: "A" },
  { verdict: "rejected", kind: "danger", label: "Reject", key: "R" },
] as const;

export function CutOutPanel(props: CutOutPanelProps) {
  const { item, decision, ground, hasKeys, isMending, onMending, onDecide, onStep } = props;
  const read = useRead(["reviewed-job", item.jobId], (api, signal) => readReviewedJob(api, item.jobId, signal));
  const job = read.data;
  const canMend = job?.photoUrl !== undefined && job.matteUrl !== undefined && item.state !== "rejected";
  const isBrushOpen = isMending && canMend;
  const keyOf = (key: string) => (hasKeys ? key : undefined);
  useKeys(hasKeys && canMend && !isBrushOpen, { m: () => onMending(true) });
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
          hasKeys={hasKeys}
          onClose={() => onMending(false)}
          onMended={(made) => {
            props.onMended(made);
            onMending(false);
          }}
        />
      ) : (
        <Picture item={item} job={job ?? undefined} hasKeys={hasKeys} ground={ground} />
      )}
      {!isBrushOpen && (
        <div className="bar">
          {verdicts.map(({ verdict, kind, label, key }) => (
            <Button
              key={verdict}
              kind={kind}
              shortcut={keyOf(key)}
              isBusy={decision.isPending}
              isDisabled={item.state === "rejected"}
              onClick={() => onDecide(verdict)}
            >
              {label}
            </Button>
          ))}
          <Button isDisabled={!canMend} shortcut={keyOf("M")} onClick={() => onMending(true)}>
            Mend
          </Button>
          <Button shortcut={keyOf("K")} onClick={() => onStep(-1)}>
            Previous
          </Button>
          <Button shortcut={keyOf("J")} onClick={() => onStep(1)}>
            Next
          </Button>
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

interface PictureProps extends Pick<CutOutPanelProps, "item" | "hasKeys" | "ground"> {
  readonly job: Job | undefined;
}

function Picture({ item, job, hasKeys, ground: { ground, setGround, step } }: PictureProps) {
  const zoom = useZoom();
  const [showsPhoto, setShowsPhoto] = useState(false);
  const photoUrl = job?.photoUrl === undefined ? undefined : linkHere(job.photoUrl, job);
  const toggle = () => setShowsPhoto((before) => !before);
  useKeys(hasKeys, { "+": () => zoom.step(1), "=": () => zoom.step(1), "-": () => zoom.step(-1), g: step, p: toggle });
  const url = showsPhoto && photoUrl !== undefined ? photoUrl : item.resultUrl;
  const behind = groundStyle(ground);
  const size = `${100 * zoom.factor}%`;
  return (
    <>
      <section
        ref={zoom.stage}
        className={`review-stage ${behind.className} ${zoom.isLeast ? "" : "enlarged"}`}
        style={behind.style}
        aria-label="The cut-out, which scrolls when enlarged"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
        {...dragToScroll}
      >
        {url === null ? (
          <p className="note">The result is not here: it was rejected, or is in your bucket.</p>
        ) : (
          <img
            src={url}
            alt={`${item.name}, ${url === photoUrl ? "the photo" : "cut out"}`}
            style={{ width: size, height: size }}
            draggable={false}
          />
        )}
      </section>
      <div className="bar">
        <ZoomButtons zoom={zoom} />
        <GroundChoice ground={ground} onChange={setGround} />
        {photoUrl !== undefined && (
          <Button isPressed={showsPhoto} shortcut={hasKeys ? "P" : undefined} onClick={toggle}>
            Photo
          </Button>
        )}
      </div>
    </>
  );
}
