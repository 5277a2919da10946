/** `make test-chart` fails where no cluster can be started; `make test` skips those tests and says why. */
import { describe } from "vitest";
import { whyNoCluster } from "./cluster/start-cluster.ts";

const reason = await whyNoCluster();
if (reason !== undefined && process.env.TEST_CHART === "1") throw new Error(reason);

export function describeOnCluster(title: string, tests: () => void): void {
  describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (no cluster: ${reason})`, tests);
}
