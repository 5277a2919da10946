import { Gauge, type Registry } from "prom-client";
import type { Readiness } from "./readiness.ts";

export function registerReadiness(registry: Registry, readiness: Pick<Readiness, "names" | "reasons">): void {
  new Gauge({
    name: "packshot_ready",
    help: "1 while what the process requires is given, 0 while it is not, by requirement.",
    labelNames: ["requirement"],
    registers: [registry],
    collect() {
      const reasons = readiness.reasons();
      for (const requirement of readiness.names()) this.set({ requirement }, requirement in reasons ? 0 : 1);
    },
  });
}
