/** The status page, for everyone, where the operator turned it on. It is judged every five seconds, however often it is read. */
import { sandboxLane } from "@packshot/domain/accounts/lane.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { createPeriodicTask } from "@packshot/log/follow/periodic-task.ts";
import { createSampler } from "@packshot/platform/lifecycle/periodic-check.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { QueueWatch } from "../operator/queue-watch.ts";
import { createIncidentHistory } from "./incident-history.ts";
import { incidentMinMs, judgeStatus, overall, type PartStatuses } from "./judge-status.ts";
import { pagePolicy, statusPage } from "./status-page.ts";

const everyMs = 5_000;
/** Caches may keep it as long as it is not judged anew. */
const cacheControl = "public, max-age=5";

type StatusDeps = Pick<
  Core,
  "log" | "logger" | "nowMs" | "processes" | "readiness" | "storage" | "watch" | "hasStatusPage"
>;

export function createStatus(deps: StatusDeps, queue: Pick<QueueWatch, "readings">): Feature {
  const { log, logger, nowMs, hasStatusPage } = deps;
  const history = createIncidentHistory({ log, nowMs });
  let parts: PartStatuses | undefined;

  function oldestWaitSeconds(): number {
    const live = [...queue.readings()].filter(([lane]) => lane !== sandboxLane);
    return Math.max(
      0,
      ...live.map(([, { oldestSinceMs = Number.POSITIVE_INFINITY }]) => (nowMs() - oldestSinceMs) / 1000),
    );
  }

  async function look(): Promise<PartStatuses> {
    const processes = deps.processes.list();
    parts = judgeStatus({
      ownProblems: Object.keys(deps.readiness.reasons()),
      processes: processes.map(({ service, problems }) => ({ service, hasProblem: Object.keys(problems).length > 0 })),
      refusal: deps.watch.readings().refusal,
      isStorageFull: !(await hasRoom(deps)),
      oldestWaitSeconds: oldestWaitSeconds(),
    });
    return parts;
  }

  const sampler = createSampler({
    name: "status page",
    everyMs,
    logger,
    sample: async () => await history.follow(await look()),
    forget: () => {},
  });
  const recorder = createPeriodicTask({
    name: "incidents",
    log,
    logger,
    everyMs,
    work: async () => await history.record(await look()),
  });

  return {
    components: hasStatusPage ? [sampler, recorder] : [],
    handlers: {
      async getStatus({ request }) {
        if (!hasStatusPage) throw new PackshotError("not_found", "Path not found.");
        const known = parts ?? (await look());
        const { incidents, sinceMs } = history.known();
        const shown = incidents.filter(({ fromMs, untilMs }) => (untilMs ?? nowMs()) - fromMs >= incidentMinMs);
        const common = { status: overall(known), oldestWaitSeconds: oldestWaitSeconds() };
        if (wantsPage(request.headers.accept ?? "")) {
          const body = statusPage({ ...common, parts: known, incidents: shown, sinceMs, nowMs: nowMs() });
          const type = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": pagePolicy };
          return { status: 200, body, headers: { ...type, "Cache-Control": cacheControl, Vary: "Accept" } };
        }
        const body = {
          ...common,
          at: isoTime(nowMs()),
          parts: Object.entries(known).map(([part, status]) => ({ part, status })),
          incidents: shown.map(({ fromMs, untilMs, ...incident }) => ({
            ...incident,
            from: isoTime(fromMs),
            until: untilMs === undefined ? null : isoTime(untilMs),
          })),
          since: isoTime(sinceMs),
        };
        return { status: 200, body, headers: { "Cache-Control": cacheControl, Vary: "Accept" } };
      },
    },
  };
}

/** Browsers name HTML first; programs that accept anything get JSON. */
function wantsPage(accept: string): boolean {
  const html = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  return html !== -1 && (json === -1 || html < json);
}

async function hasRoom({ storage }: Pick<StatusDeps, "storage">): Promise<boolean> {
  return await storage.assertRoom(0).then(
    () => true,
    () => false,
  );
}
