import { Gauge, type Registry } from "prom-client";

/** As last found. */
export interface LogReadings {
  readonly bytes: Map<string, { readonly used: number; readonly max: number }>;
  /** Age of the oldest record that each copy lacks. */
  readonly lagMs: Map<string, number>;
}

export function registerLogMetrics(registry: Registry, { bytes, lagMs }: LogReadings, isRefusing: () => boolean): void {
  const registers = [registry];
  new Gauge({
    name: "packshot_log_stream_bytes",
    help: "Bytes of each stream of the log.",
    labelNames: ["stream"],
    registers,
    collect() {
      for (const [stream, { used }] of bytes) this.set({ stream }, used);
    },
  });
  new Gauge({
    name: "packshot_log_stream_bytes_max",
    help: "Bytes that each stream may have; edits are refused above half of them in a state stream, above nine tenths in its copies. 0: no limit.",
    labelNames: ["stream"],
    registers,
    collect() {
      for (const [stream, { max }] of bytes) this.set({ stream }, max);
    },
  });
  new Gauge({
    name: "packshot_log_copy_lag_seconds",
    help: "Age of the oldest record that each copy of the state streams lacks. What it lacks expires after an hour.",
    labelNames: ["stream"],
    registers,
    collect() {
      for (const [stream, ms] of lagMs) this.set({ stream }, ms / 1000);
    },
  });
  new Gauge({
    name: "packshot_log_refuses_edits",
    help: "1 while edits are refused because the log is nearly full or a copy stands still.",
    registers,
    collect() {
      this.set(isRefusing() ? 1 : 0);
    },
  });
}
