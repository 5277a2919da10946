/** The operator's API, at a port of its own, and what tells it how the service is. */
import type { Core, Feature } from "../../core/core.ts";
import type { Eraser } from "../accounts/eraser.ts";
import type { Jobs } from "../jobs/jobs-feature.ts";
import { createOperatorServer } from "./operator-server.ts";
import { createProcessList } from "./process-list.ts";
import { createQueueWatch } from "./queue-watch.ts";
import { createResealer } from "./reseal.ts";

export interface Operator extends Feature {
  adminUrl(): string | null;
}

export function createOperator(core: Core, { view }: Jobs, { eraser }: { eraser: Eraser }): Operator {
  const queue = createQueueWatch(core);
  const processes = createProcessList(core);
  const server =
    core.admin === undefined
      ? undefined
      : createOperatorServer(core.admin, { ...core, links: core.diskLinks, queue, processes, view, eraser });
  return {
    components: [queue, processes, createResealer(core), ...(server === undefined ? [] : [server])],
    adminUrl: () => server?.url() ?? null,
  };
}
