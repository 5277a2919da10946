import type { ReactNode } from "react";

interface EmptyProps {
  readonly title: string;
  /** What to do about it. */
  readonly children?: ReactNode;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}
