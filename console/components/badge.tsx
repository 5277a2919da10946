import type { ReactNode } from "react";

interface BadgeProps {
  readonly kind: "ok" | "warn" | "danger" | "muted";
  readonly children: ReactNode;
}

/** A state in a word; its color only repeats it. */
export function Badge({ kind, children }: BadgeProps) {
  return <span className={`badge badge-${kind}`}>{children}</span>;
}
