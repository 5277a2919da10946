/** A button whose action is asked about first, in a dialog. */
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmButtonProps {
  /** The label of the button that opens the dialog. */
  readonly label: string;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly isBusy?: boolean;
  readonly kind?: "danger" | "primary";
  readonly buttonKind?: "plain" | "danger";
  readonly onConfirm: () => void;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, title, children, confirmLabel, isBusy = false, kind = "danger", buttonKind = "plain" } = props;
  const [isOpen, setOpen] = useState(false);

  function confirm(): void {
    setOpen(false);
    props.onConfirm();
  }

  return (
    <>
      <Button kind={buttonKind} isBusy={isBusy} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog
          title={title}
          closeLabel="Keep it as it is"
          onClose={() => setOpen(false)}
          actions={
            <Button kind={kind} onClick={confirm}>
              {confirmLabel}
            </Button>
          }
        >
          {children}
        </Dialog>
      )}
    </>
  );
}
