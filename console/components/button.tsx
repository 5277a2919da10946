import type { ReactNode } from "react";

interface ButtonProps {
  readonly children: ReactNode;
  /** `quiet` is one without a frame. */
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly type?: "button" | "submit";
  /** Instead of the children, for readers of the screen. */
  readonly label?: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** The key that does the same, shown beside the children. */
  readonly shortcut?: string | undefined;
  /** Whether a switch is on. */
  readonly isPressed?: boolean;
  readonly onClick?: () => void;
}

export function Button(props: ButtonProps) {
  const { children, kind = "plain", type = "button", label, shortcut, isBusy = false, isDisabled = false } = props;
  return (
    <button
      type={type}
      className={`button ${kind}`}
      aria-label={label}
      title={label}
      aria-keyshortcuts={shortcut}
      aria-busy={isBusy || undefined}
      aria-pressed={props.isPressed}
      disabled={isDisabled || isBusy}
      onClick={props.onClick}
    >
      {children}
      {shortcut !== undefined && <ShortcutKey name={shortcut} />}
    </button>
  );
}

/** Not part of the button's name: `aria-keyshortcuts` says it. */
function ShortcutKey({ name }: { readonly name: string }) {
  return (
    <span aria-hidden="true" className="key">
      {name}
    </span>
  );
}
