/**
 * The graphs of pictures that are painted at once, one run after another. Pictures of equal shapes run the denoiser together, whatever
 * step each is at: a step of several costs a GPU less than as many steps. What a new picture needs before its first step goes first, so
 * that it joins soon; then the oldest picture has its step, with all that fit it.
 */
import { setImmediate } from "node:timers/promises";
import type { GraphRunner, GraphTensor } from "./graph-runner.ts";

export interface GraphTurns {
  /** For one picture, which has at most one run at a time. Pictures are as old as their runners. */
  forPicture(): GraphRunner;
}

export interface GraphTurnsDeps {
  readonly graphs: GraphRunner;
  /** Pictures of one run of the denoiser: 1 unless its graph has a batch dimension. */
  readonly batchMax: number;
  /** A step of so many pictures has run. */
  readonly onStepRan?: (pictures: number) => void;
  /** A step of several has failed, and each has run alone without a fault: `batchMax` may share the next ones. */
  readonly onBatchFailed?: (failed: {
    readonly cause: Error;
    readonly pictures: number;
    readonly batchMax: number;
  }) => void;
}

type Inputs = Readonly<Record<string, GraphTensor>>;

interface Waiting {
  readonly picture: number;
  readonly graph: string;
  readonly inputs: Inputs;
  readonly signal: AbortSignal;
  readonly resolve: (answer: GraphTensor) => void;
  readonly reject: (error: unknown) => void;
}

type Answer = PromiseSettledResult<GraphTensor>;

/** FLUX.2's, and that of Stable Diffusion. */
const denoisers: ReadonlySet<string> = new Set(["transformer", "unet"]);

/** Positions of tokens, of which the denoiser takes one for the whole batch. */
const sharedInputs: ReadonlySet<string> = new Set(["txt_ids", "img_ids"]);

/** What CUDA, ONNX Runtime and graph servers say when a device is full. */
const wantOfMemory = /memory|alloc/i;
/** A step that fails once may have met a passing fault. */
const failuresUntilFewer = 2;
/** So many steps of as many pictures as may share one, before one more may. */
const stepsUntilMore = 200;

/** How many pictures may share a step. */
function createBatchLimit(batchMax: number) {
  let limit = batchMax;
  let wentWell = 0;
  let failures = 0;
  let failedPictures = 0;
  return {
    now: () => limit,
    ran(pictures: number): void {
      if (pictures >= failedPictures) failures = 0;
      if (limit === batchMax || pictures < limit || ++wentWell < stepsUntilMore) return;
      limit++;
      wentWell = 0;
    },
    failed(pictures: number, { message }: Error): void {
      failures++;
      failedPictures = pictures;
      wentWell = 0;
      if (failures < failuresUntilFewer && !wantOfMemory.test(message)) return;
      failures = 0;
      limit = Math.max(1, Math.floor(pictures / 2));
    },
  };
}

export function createGraphTurns(deps: GraphTurnsDeps): GraphTurns {
  const { graphs } = deps;
  const limit = createBatchLimit(deps.batchMax);
  let waiting: Waiting[] = [];
  let isRunning = false;
  let pictures = 0;

  async function runAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      do {
        // Pictures whose step has ended ask for their next one meanwhile, so that they stay together.
        await setImmediate();
        const turn = takeTurn();
        if (turn.length > 0) await runTurn(turn);
      } while (waiting.length > 0);
    } finally {
      isRunning = false;
    }
  }

  function takeTurn(): readonly Waiting[] {
    for (const { signal, reject } of waiting) if (signal.aborted) reject(signal.reason);
    waiting = waiting.filter(({ signal }) => !signal.aborted);
    const before = waiting.find(({ graph }) => !denoisers.has(graph));
    const oldest = waiting.toSorted((a, b) => a.picture - b.picture);
    const turn = before ? [before] : oldest.filter((each) => fit(each, oldest[0]!)).slice(0, limit.now());
    waiting = waiting.filter((each) => !turn.includes(each));
    return turn;
  }

  async function runTurn(turn: readonly Waiting[]): Promise<void> {
    try {
      const answers = turn.length === 1 ? [await runAlone(turn[0]!)] : await runTogether(turn);
      for (const [at, { resolve, reject }] of turn.entries()) {
        const answer = answers[at]!;
        if (answer.status === "fulfilled") resolve(answer.value);
        else reject(answer.reason);
      }
    } catch (error) {
      // A callback has failed: the turns of the others come all the same.
      for (const { reject } of turn) reject(error);
    }
  }

  async function runTogether(turn: readonly Waiting[]): Promise<readonly Answer[]> {
    let answers: GraphTensor[];
    try {
      // Pictures that are given up meanwhile leave the others their step.
      const answer = await graphs.run(turn[0]!.graph, joined(turn), new AbortController().signal);
      answers = split(answer, turn.length);
    } catch (error) {
      return await runOneByOne(turn, error as Error);
    }
    stepRan(turn.length);
    return answers.map((value) => ({ status: "fulfilled", value }));
  }

  async function runAlone({ graph, inputs, signal }: Waiting): Promise<Answer> {
    const [answer] = await Promise.allSettled([graphs.run(graph, inputs, signal)]);
    if (answer.status === "fulfilled" && denoisers.has(graph)) stepRan(1);
    return answer;
  }

  /** So only the picture that is at fault fails. Where none is, so many were at fault together. */
  async function runOneByOne(turn: readonly Waiting[], cause: Error): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const each of turn) answers.push(await runAlone(each));
    if (answers.every(({ status }) => status === "fulfilled")) {
      limit.failed(turn.length, cause);
      deps.onBatchFailed?.({ cause, pictures: turn.length, batchMax: limit.now() });
    }
    return answers;
  }

  function stepRan(together: number): void {
    limit.ran(together);
    deps.onStepRan?.(together);
  }

  return {
    forPicture() {
      const picture = pictures++;
      return {
        async run(graph, inputs, signal) {
          const { promise, resolve, reject } = Promise.withResolvers<GraphTensor>();
          waiting.push({ picture, graph, inputs, signal, resolve, reject });
          void runAll();
          return await promise;
        },
      };
    },
  };
}

function fit({ inputs }: Waiting, { inputs: others }: Waiting): boolean {
  return Object.entries(inputs).every(([name, { shape, data }]) => {
    const other = others[name];
    if (other === undefined || other.shape.join() !== shape.join()) return false;
    return (
      !sharedInputs.has(name) ||
      other.data === data ||
      (data as Float32Array).every((value, at) => value === other.data[at])
    );
  });
}

/** One picture behind the other in the first dimension. */
function joined(turn: readonly Waiting[]): Inputs {
  const [first] = turn;
  return Object.fromEntries(
    Object.entries(first!.inputs).map(([name, tensor]) => {
      if (sharedInputs.has(name)) return [name, tensor];
      const parts = turn.map(({ inputs }) => inputs[name]!.data as Float32Array);
      const [rows, ...rest] = tensor.shape;
      const data = new Float32Array(parts.length * tensor.data.length);
      for (const [at, part] of parts.entries()) data.set(part, at * tensor.data.length);
      return [name, { type: "float32", shape: [rows! * turn.length, ...rest], data }];
    }),
  );
}

function split({ type, shape, data }: GraphTensor, count: number): GraphTensor[] {
  const [rows, ...rest] = shape;
  const size = data.length / count;
  if (!(data instanceof Float32Array) || !Number.isInteger(size) || rows! % count !== 0)
    throw new Error(`the denoiser answers [${shape.join(", ")}] for a batch of ${count}`);
  return Array.from({ length: count }, (_, at) => ({
    type,
    shape: [rows! / count, ...rest],
    data: data.subarray(at * size, (at + 1) * size),
  }));
}
