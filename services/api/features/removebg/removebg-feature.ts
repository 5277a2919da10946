/** The drop-in for clients of remove.bg, at its paths. */
import type { Core, Feature } from "../../core/core.ts";
import { loadContract } from "../../http/contract.ts";
import type { Edits } from "../edits/edits-feature.ts";
import type { Jobs } from "../jobs/jobs-feature.ts";
import { createRemoveBgMounts } from "./removebg-mount.ts";

export function createRemoveBg(core: Core, edits: Edits, jobs: Jobs): Feature {
  const contract = loadContract(new URL("removebg-openapi.yaml", import.meta.url));
  return { mounts: createRemoveBgMounts({ ...core, ...edits, ...jobs, contract, waitMs: core.dropInWaitMs }) };
}
