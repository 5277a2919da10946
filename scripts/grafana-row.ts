/** What a row of the dashboard consists of. */
interface Query {
  readonly expr: string;
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  readonly about: string;
  /** Grafana's name. */
  readonly unit: "s" | "percentunit" | "short" | "reqps" | "ops" | "bytes" | "none";
  readonly queries: readonly Query[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}
