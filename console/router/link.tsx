import type { ReactNode } from "react";
import { hrefOf } from "./location.ts";

interface LinkProps {
  readonly to: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Link({ to, query, children, className }: LinkProps) {
  return (
    <a href={hrefOf(to, query)} className={className}>
      {children}
    </a>
  );
}
