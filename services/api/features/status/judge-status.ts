/** How the service is, for its customers: by part, in three words, without hosts, counts or reasons. */

export const statusWords = ["healthy", "degraded", "down"] as const;
export type StatusWord = (typeof statusWords)[number];
export const statusParts = ["api", "edits", "webhooks", "storage"] as const;
export type StatusPart = (typeof statusParts)[number];
export type PartStatuses = Readonly<Record<StatusPart, StatusWord>>;

export interface ProcessState {
  readonly service: string;
  readonly hasProblem: boolean;
}

export interface Readings {
  /** This process answers, so it is there; what it is not ready for. */
  readonly ownProblems: readonly string[];
  readonly processes: readonly ProcessState[];
  /** Why the log takes no edits. */
  readonly refusal: string | undefined;
  readonly isStorageFull: boolean;
  /** Seconds that the oldest live job has waited for a worker; 0: none waits. */
  readonly oldestWaitSeconds: number;
}

/** A live job that waits longer is late: in a service with workers enough, it begins within seconds. */
export const lateAfterSeconds = 120;

export function judgeStatus(readings: Readings): PartStatuses {
  const { ownProblems, refusal, isStorageFull, oldestWaitSeconds } = readings;
  const hasStorage = !ownProblems.includes("storage");
  const workers = judgeProcesses(readings, "worker");
  return {
    api: worst(ownProblems.length > 0 ? "down" : "healthy", partly(judgeProcesses(readings, "api"))),
    edits: worst(workers, refusal !== undefined || oldestWaitSeconds > lateAfterSeconds ? "degraded" : "healthy"),
    webhooks: judgeProcesses(readings, "webhooks"),
    storage: !hasStorage ? "down" : isStorageFull ? "degraded" : "healthy",
  };
}

/** None, or none without a problem: down. Some with one: degraded. */
function judgeProcesses({ processes }: Readings, service: string): StatusWord {
  const own = processes.filter((process) => process.service === service);
  const well = own.filter(({ hasProblem }) => !hasProblem);
  return well.length === 0 ? "down" : well.length < own.length ? "degraded" : "healthy";
}

/** Whoever reads this was answered, so other processes alone do not make the API down. */
function partly(word: StatusWord): StatusWord {
  return word === "healthy" ? "healthy" : "degraded";
}

function worst(...words: readonly StatusWord[]): StatusWord {
  return statusWords[Math.max(0, ...words.map((word) => statusWords.indexOf(word)))]!;
}

/** Without webhooks or storage, edits still run. */
export function overall({ api, edits, webhooks, storage }: PartStatuses): StatusWord {
  const others = worst(webhooks, storage) === "healthy" ? "healthy" : "degraded";
  return worst(api, edits, others);
}

export interface Incident {
  readonly part: StatusPart;
  /** The worst that it was. */
  readonly status: StatusWord;
  readonly fromMs: number;
  /** undefined: it lasts. */
  readonly untilMs: number | undefined;
}

export const incidentsMax = 50;
export const incidentDays = 7;
/** Shorter ones are restarts and lost heartbeats. */
export const incidentMinMs = 15_000;

/** The incidents after another look, the newest first. Those that were short are forgotten once they are over. */
export function noteStatuses(
  incidents: readonly Incident[],
  statuses: PartStatuses,
  nowMs: number,
): readonly Incident[] {
  const oldestMs = nowMs - incidentDays * 86_400_000;
  const going = incidents.flatMap((incident): Incident[] => {
    if (incident.untilMs !== undefined) return incident.untilMs < oldestMs ? [] : [incident];
    const status = statuses[incident.part];
    if (status !== "healthy") return [{ ...incident, status: worst(incident.status, status) }];
    return nowMs - incident.fromMs < incidentMinMs ? [] : [{ ...incident, untilMs: nowMs }];
  });
  const isOpen = (part: StatusPart) => going.some((one) => one.part === part && one.untilMs === undefined);
  const opened = statusParts
    .filter((part) => statuses[part] !== "healthy" && !isOpen(part))
    .map((part): Incident => ({ part, status: statuses[part], fromMs: nowMs, untilMs: undefined }));
  return [...opened, ...going].slice(0, incidentsMax);
}
