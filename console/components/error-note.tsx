/** An error in words, with the time to wait where the server names one, and a button to try again. */
import { useEffect, useState } from "react";
import { describeError, formatWait } from "../api/describe-error.ts";
import { Button } from "./button.tsx";

interface ErrorNoteProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function ErrorNote({ error, onRetry }: ErrorNoteProps) {
  const { title, text, waitMs, requestId } = describeError(error);
  const leftMs = useCountdown(error, waitMs);
  return (
    <div role="alert" className="note note-error">
      <p className="note-title">{title}</p>
      <p>{text}</p>
      {leftMs > 0 && <p>Try again in {formatWait(leftMs)}.</p>}
      {requestId !== undefined && <p className="hint">Request {requestId}</p>}
      {onRetry !== undefined && (
        <Button onClick={onRetry} isDisabled={leftMs > 0}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Milliseconds that are left of `waitMs`, from the moment in which `error` came. */
function useCountdown(error: unknown, waitMs: number | undefined): number {
  const [leftMs, setLeftMs] = useState(waitMs ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another error of the same wait begins anew
  useEffect(() => {
    if (waitMs === undefined) return setLeftMs(0);
    const endsAtMs = Date.now() + waitMs;
    const update = () => setLeftMs(Math.max(0, endsAtMs - Date.now()));
    update();
    const timer = setInterval(update, 500);
    return () => clearInterval(timer);
  }, [error, waitMs]);
  return leftMs;
}
