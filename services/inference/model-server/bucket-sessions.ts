/**
 * The onnxruntime sessions of one instance, by bucket. On a CPU one session runs every bucket. On a GPU each bucket has a
 * session of its own, which sees one shape only: a convolution keeps a single cuDNN plan, and builds it anew, for hundreds
 * of milliseconds, whenever the shape is not that of the run before (docs/adr/0046-sessions-by-bucket.md). The sessions of
 * an instance never run at the same time.
 */

/** What is used of onnxruntime's InferenceSession. */
export interface RowSession<Tensors> {
  run(feeds: Tensors, fetches: Tensors): Promise<unknown>;
  release(): Promise<void>;
}

/** The tensors of a bucket, over its instance's shared memory. */
export interface BucketTensors<Tensors> {
  readonly bucket: number;
  readonly feeds: Tensors;
  readonly fetches: readonly [Tensors, Tensors];
}

export interface WarmedBuckets {
  readonly warmed: readonly { readonly bucket: number; readonly ms: readonly number[] }[];
  readonly dropped: readonly { readonly bucket: number; readonly reason: string }[];
}

export interface BucketSessions<Tensors> {
  /**
   * Runs each bucket on a GPU, and the first one on a CPU, where the batcher tries the others when rows wait for them.
   * `create` makes another session of the same model, and is null on a CPU. The buckets that do not fit the device are dropped.
   */
  warm(
    planned: readonly BucketTensors<Tensors>[],
    rounds: number,
    create: (() => Promise<RowSession<Tensors>>) | null,
  ): Promise<WarmedBuckets>;
  /** Resolves with the milliseconds that the run took. */
  run(bucket: number, outputBuffer: 0 | 1): Promise<number>;
  /** Releases the sessions of all other buckets. */
  keep(buckets: readonly number[]): Promise<void>;
  release(): Promise<void>;
}

export interface BucketSessionsDeps<Tensors> {
  /** The instance's execution providers, in order of preference. */
  readonly providers: readonly ("cpu" | "cuda")[];
  /** Runs the first bucket on a GPU, and all of them on a CPU. */
  readonly first: RowSession<Tensors>;
  readonly nowMs?: () => number;
}

/** What makes further sessions of the model, whose bytes it holds; null on a CPU, where one session runs every bucket. */
export function furtherSessions<Create>(providers: readonly ("cpu" | "cuda")[], create: Create): Create | null {
  return providers[0] === "cuda" ? create : null;
}

export function createBucketSessions<Tensors>({
  providers,
  first,
  nowMs = () => performance.now(),
}: BucketSessionsDeps<Tensors>): BucketSessions<Tensors> {
  const onGpu = providers[0] === "cuda";
  const tensors = new Map<number, BucketTensors<Tensors>>();
  /** Further sessions, by bucket. */
  const own = new Map<number, RowSession<Tensors>>();
  let isRunning = false;

  async function warm(
    planned: readonly BucketTensors<Tensors>[],
    rounds: number,
    create: (() => Promise<RowSession<Tensors>>) | null,
  ): Promise<WarmedBuckets> {
    tensors.clear();
    for (const each of planned) tensors.set(each.bucket, each);
    const smallest = planned[0]!.bucket;
    // After the smallest, without which nothing is served, the largest first: one between them is missed the least.
    const further = planned.slice(1).map(({ bucket }) => bucket);
    const inTurn = onGpu ? [smallest, ...further.toReversed()] : [smallest];
    const measured = new Map(inTurn.map((bucket) => [bucket, [] as number[]]));
    const dropped: { bucket: number; reason: string }[] = [];

    /** In a later round a session of another bucket may have taken the memory: the largest makes the most room. */
    async function runOrDrop(bucket: number, round: number): Promise<void> {
      while (measured.has(bucket)) {
        try {
          if (round === 0 && bucket !== smallest) own.set(bucket, await create!());
          const took = await run(bucket, (round % 2) as 0 | 1);
          if (round > 0) measured.get(bucket)!.push(took);
          return;
        } catch (error) {
          const given = round === 0 ? bucket : Math.max(...measured.keys());
          if (given === smallest) throw error;
          measured.delete(given);
          dropped.push({ bucket: given, reason: (error as Error).message });
          await drop(given);
        }
      }
    }

    // One bucket after the other in each round, as requests will have it: what a run costs because the one before it was
    // of another bucket is measured, too. The first round is not: it allocates memory, and on a GPU it searches for plans.
    for (let round = 0; round <= rounds; round += 1) {
      for (const bucket of inTurn) await runOrDrop(bucket, round);
    }
    const warmed = [...measured].map(([bucket, ms]) => ({ bucket, ms }));
    return { warmed: warmed.sort(byBucket), dropped: dropped.sort(byBucket) };
  }

  async function drop(bucket: number): Promise<void> {
    tensors.delete(bucket);
    const session = own.get(bucket);
    own.delete(bucket);
    await session?.release();
  }

  async function run(bucket: number, outputBuffer: 0 | 1): Promise<number> {
    const known = tensors.get(bucket);
    if (known === undefined) throw new Error(`there is no bucket of ${bucket} rows`);
    if (isRunning) throw new Error("another run of this instance has not ended");
    isRunning = true;
    try {
      const startedAtMs = nowMs();
      await (own.get(bucket) ?? first).run(known.feeds, known.fetches[outputBuffer]);
      return nowMs() - startedAtMs;
    } finally {
      isRunning = false;
    }
  }

  return {
    warm,
    run,
    async keep(buckets) {
      for (const bucket of [...tensors.keys()]) if (!buckets.includes(bucket)) await drop(bucket);
    },
    async release() {
      for (const bucket of [...own.keys()]) await drop(bucket);
      await first.release();
    },
  };
}

function byBucket(one: { readonly bucket: number }, other: { readonly bucket: number }): number {
  return one.bucket - other.bucket;
}
