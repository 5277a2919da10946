/** One edit after another of an account that has nothing else, beside a batch: how many of the batch's jobs start before it. */

export type Call = (key: string, method: string, path: string, json?: unknown, headers?: object) => Promise<Answer>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; who asks says which
export type Answer = any;

export interface Newcomers {
  /**
   * Places of newcomers whose edit no kill disturbed: jobs of the batch that started after its accept and before its start. After a kill
   * nobody's order means anything until all has started again.
   */
  readonly places: readonly number[];
  /** Those whose edit took longer than any kill explains. */
  readonly late: number;
  /** Something is killed now, or has just started again. */
  noteDisturbance(): void;
  stop(): Promise<void>;
}

export interface NewcomersDeps {
  readonly call: Call;
  readonly key: string;
  readonly imageUrl: string;
  /** Whose batch it is. */
  readonly owner: { readonly key: string; readonly batchId: string };
}

const everyMs = 1_000;
/** A killed worker's job is taken by another one after 30 seconds. */
const lateAfterMs = 60_000;
const pagesMax = 4;
/** nats-server's copies stand still for 12 s, and what waited then starts at once. */
const disturbedMs = 30_000;

export function startNewcomers({ call, key, imageUrl, owner }: NewcomersDeps): Newcomers {
  const places: number[] = [];
  let late = 0;
  let disturbedAtMs = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  async function startsBefore({ createdAt, startedAt }: Answer): Promise<number> {
    const others: Answer[] = [];
    let cursor = "";
    for (let page = 0; page < pagesMax; page++) {
      const list = await call(owner.key, "GET", `/v1/jobs?batch=${owner.batchId}&limit=100${cursor}`);
      others.push(...list.data);
      if (list.nextCursor === undefined) break;
      cursor = `&cursor=${list.nextCursor}`;
    }
    return others.filter((job) => job.startedAt !== null && job.startedAt > createdAt && job.startedAt < startedAt)
      .length;
  }

  async function tryOnce(): Promise<void> {
    const sentAtMs = performance.now();
    const accepted = await call(key, "POST", "/v1/tools/mask/edit", { imageUrl });
    let job = accepted;
    while (!job.finishedAt && !isStopped) {
      job = await call(key, "GET", `/v1/jobs/${accepted.id}`, undefined, { Prefer: "wait=10" });
    }
    if (!job.finishedAt || job.startedAt === null) return;
    if (performance.now() - sentAtMs > lateAfterMs) late += 1;
    if (sentAtMs - disturbedAtMs < disturbedMs) return;
    const place = await startsBefore(job);
    if (sentAtMs > disturbedAtMs) places.push(place);
  }

  async function tryUntilStopped(): Promise<void> {
    while (!isStopped) {
      await tryOnce().catch((error: unknown) => console.info(`a newcomer got no answer: ${error}`));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  const trying = tryUntilStopped();
  return {
    places,
    get late() {
      return late;
    },
    noteDisturbance() {
      disturbedAtMs = performance.now();
    },
    async stop() {
      isStopped = true;
      await trying;
    },
  };
}
