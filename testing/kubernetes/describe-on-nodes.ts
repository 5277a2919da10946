/** Tests on Kubernetes' own kubelet are run by a target of their own, which fails where no node starts. */
import { describe, type TestOptions } from "vitest";
import type { Engine } from "../containers/engine.ts";
import { findNodes } from "./nodes/start-nodes.ts";

const { TEST_CHART: asked } = process.env;
const search = asked === undefined ? undefined : await findNodes();
if (search !== undefined && "reason" in search) throw new Error(`no nodes: ${search.reason}`);

/** `target`: that of make. */
export function describeOnNodes(
  target: string,
  title: string,
  tests: (engine: Engine) => void,
  options: TestOptions = {},
): void {
  if (search !== undefined && "engine" in search && asked === target)
    describe(title, options, () => tests(search.engine));
  // A suite without tests would fail.
  else describe.skip(`${title} (run by make ${target})`, () => tests(undefined as unknown as Engine));
}
