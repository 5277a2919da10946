/** Why edits wait, and until when. */
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { usePause, useWorkbench } from "./workbench.tsx";

export function PauseNote() {
  const pause = usePause();
  const { queue } = useWorkbench();
  if (pause === undefined || pause.kind === "unreachable") return null;
  if (pause.kind === "credits") {
    return (
      <div className="stack">
        <ErrorNote error={pause.error} />
        <Button onClick={queue.resume}>Go on sending</Button>
      </div>
    );
  }
  return (
    <>
      <ErrorNote error={pause.error} />
      <p className="hint">The photos wait, and go on by themselves.</p>
    </>
  );
}
