/** `make test-chart` fails where no cluster can be started; `make test-all` skips those tests and says why. */
import { describe } from "vitest";
import { whyNoCluster } from "./cluster/start-cluster.ts";

const { TEST_CHART: asked } = process.env;
const reason = await whyNoCluster();
if (reason !== undefined && asked !== undefined) throw new Error(reason);

/** `onlyBy`: the target of make for tests that take too long to be among all. */
export function describeOnCluster(title: string, tests: () => void, onlyBy?: string): void {
  const skipReason =
    reason !== undefined
      ? `no cluster: ${reason}`
      : onlyBy !== undefined && asked !== onlyBy && `run by make ${onlyBy}`;
  describe.skipIf(skipReason !== false)(skipReason === false ? title : `${title} (${skipReason})`, tests);
}
