/** The operator's API, at a port of its own, and what tells it how the service is. */

import type { Readiness } from "@packshot/platform/lifecycle/readiness.ts";
import type { WindowCounts } from "@packshot/platform/redis/window-counts.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { createOperatorCheck } from "../../access/operator-token.ts";
import type { Audited } from "../../audit/audited.ts";
import type { Core, Feature, OperatorPort } from "../../core/core.ts";
import { loadContract } from "../../http/contract.ts";
import { createHttpServer, type HttpServer } from "../../http/http-server.ts";
import { operatorPageMounts } from "../../service/console-files.ts";
import type { Eraser } from "../accounts/eraser.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { type AdminHandlerDeps, adminHandlers } from "./admin.ts";
import { createQueueWatch, type QueueWatch } from "./queue-watch.ts";
import { createResealer } from "./reseal.ts";

export interface Operator extends Feature {
  readonly queue: QueueWatch;
  adminUrl(): string | null;
}

export function createOperator(core: Core, { view, refunds }: Jobs, { eraser }: { eraser: Eraser }): Operator {
  const queue = createQueueWatch(core);
  const server =
    core.admin === undefined
      ? undefined
      : createOperatorServer(core.admin, { ...core, links: core.diskLinks, queue, view, refunds, eraser });
  return {
    queue,
    components: [queue, createResealer(core), ...(server === undefined ? [] : [server])],
    adminUrl: () => server?.url() ?? null,
  };
}

interface OperatorServerDeps extends Omit<AdminHandlerDeps, "contract"> {
  readonly counts: WindowCounts;
  readonly audited: Audited;
  readonly host: string;
  readonly logger: Logger;
  readonly readiness: Pick<Readiness, "isStopping" | "reasons">;
  readonly finishTimeoutMs: number;
  /** undefined: the operator's page is not served. */
  readonly consoleFolder: string | undefined;
}

function createOperatorServer(
  { port, token, requestsPerMinuteMax }: OperatorPort,
  { host, logger, readiness, finishTimeoutMs, counts, audited, consoleFolder, ...deps }: OperatorServerDeps,
): HttpServer {
  const contract = loadContract(new URL("../../admin-openapi.yaml", import.meta.url));
  return createHttpServer({
    name: "operator api",
    host,
    port,
    isStopping: readiness.isStopping,
    finishTimeoutMs,
    // The proxies in front of the API are not in front of this port, so its clients could name any address.
    trustedProxies: 0,
    contract,
    logger,
    authenticate: createOperatorCheck(token, { counts, requestsPerMinuteMax }),
    audited,
    mounts: operatorPageMounts(consoleFolder),
    handlers: adminHandlers({ ...deps, readiness, contract }),
  });
}
