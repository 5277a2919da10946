/** A modal dialog: the browser keeps the focus in it, Escape closes it, and the focus goes back to where it was. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Button } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons beside Close. */
  readonly actions?: ReactNode;
  readonly closeLabel?: string;
}

/** It is open as long as it is rendered. */
export function Dialog({ title, onClose, children, actions, closeLabel = "Close" }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // It is closed before it leaves the page: only then the browser gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current!;
    if (!element.open) element.showModal();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">
        <Button onClick={onClose}>{closeLabel}</Button>
        {actions}
      </div>
    </dialog>
  );
}
