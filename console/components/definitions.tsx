import type { ReactNode } from "react";
import "./definitions.css";

interface DefinitionsProps {
  /** Terms and what they are; one that is undefined is left out. */
  readonly entries: readonly (readonly [term: string, value: ReactNode])[];
}

/** Facts beside their names. */
export function Definitions({ entries }: DefinitionsProps) {
  return (
    <dl className="definitions">
      {entries
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
