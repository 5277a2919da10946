/** Load on a target, closed (so many at once) or open (so many a second, whether or not answers keep up). */

export interface Target {
  readonly name: string;
  /** One picture; rejects where it was refused. `deadlineAtMs` is the caller's. */
  send(tenant: string, deadlineAtMs: number): Promise<void>;
  close(): void;
}

export interface Measured {
  readonly seconds: number;
  readonly answered: number;
  readonly refused: number;
  /** Answered after their deadline. */
  readonly late: number;
  /** Answered, but after the window: they count nowhere else. */
  readonly afterWindow: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds of those answered, ascending. */
  readonly times: readonly number[];
}

interface Sample {
  readonly ms: number;
  readonly outcome: "answered" | "refused" | "late";
}

async function sample(target: Target, tenant: string, patienceMs: number): Promise<Sample> {
  const startedAt = performance.now();
  const deadlineAtMs = Date.now() + patienceMs;
  try {
    await target.send(tenant, deadlineAtMs);
    return { ms: performance.now() - startedAt, outcome: Date.now() > deadlineAtMs ? "late" : "answered" };
  } catch {
    return { ms: performance.now() - startedAt, outcome: "refused" };
  }
}

/** What was answered in the window counts; requests still on their way at its end are awaited, not counted. */
export async function closedLoop(target: Target, concurrency: number, windowMs: number): Promise<Measured> {
  const samples: Sample[] = [];
  let afterWindow = 0;
  let lastAnswerMs = 0;
  const startedAt = performance.now();
  const isOpen = (): boolean => performance.now() - startedAt < windowMs;
  const one = async (): Promise<void> => {
    while (isOpen()) {
      const taken = await sample(target, "bench", 300_000);
      if (isOpen()) {
        samples.push(taken);
        lastAnswerMs = performance.now() - startedAt;
      } else afterWindow += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  const all = measured(samples, windowMs);
  // Up to the last answer: of a slow model, the half-finished request at the window's end would be a tenth of it.
  return { ...all, afterWindow, perSecond: (1_000 * all.answered) / lastAnswerMs };
}

/** Arrivals by chance (exponential gaps from a fixed seed), so that several tenants do not beat in time. */
export async function openLoop(
  target: Target,
  {
    tenant,
    perSecond,
    windowMs,
    patienceMs,
    seed,
  }: { tenant: string; perSecond: number; windowMs: number; patienceMs: number; seed: number },
): Promise<Measured> {
  const pending: Promise<Sample>[] = [];
  const startedAt = performance.now();
  let state = seed;
  for (let nextMs = 0; nextMs < windowMs; ) {
    const waitMs = nextMs - (performance.now() - startedAt);
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    pending.push(sample(target, tenant, patienceMs));
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    nextMs += (-Math.log((state + 1) / 2 ** 32) * 1_000) / perSecond;
  }
  return measured(await Promise.all(pending), windowMs);
}

function measured(samples: readonly Sample[], windowMs: number): Measured {
  const count = (outcome: Sample["outcome"]): number => samples.filter((each) => each.outcome === outcome).length;
  const times = samples.flatMap(({ ms, outcome }) => (outcome === "refused" ? [] : [ms])).sort((a, b) => a - b);
  return {
    seconds: windowMs / 1_000,
    answered: count("answered"),
    refused: count("refused"),
    late: count("late"),
    afterWindow: 0,
    perSecond: count("answered") / (windowMs / 1_000),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    times,
  };
}

/** Of ascending values; the nearest rank. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Of several windows together. */
export function pooledP99(windows: readonly Measured[]): number {
  return quantile(
    windows.flatMap(({ times }) => [...times]).sort((a, b) => a - b),
    0.99,
  );
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
