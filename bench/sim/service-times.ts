/**
 * What one photo costs at each step: the inputs of the simulation. Each says whether it was measured, and where, or is assumed.
 * No GPU was at hand when they were chosen, so all times of GPUs are assumptions; `bench/gpu/run.ts` measures them where there is one.
 */

export interface Input {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** A file in bench/results/, or "assumed". */
  readonly source: string;
}

const input = (name: string, value: number, unit: string, source: string): Input => ({ name, value, unit, source });
const tracing = "2026-11-22/tracing.md";
const commits = "2026-11-22/log-commits.md";
const assumed = "assumed";

/** Processor time of a photo, beside the edit itself. At a few photos a second; under load, commits and wake-ups are shared. */
export const processorTimes = {
  apiMs: input("API, a photo in and its job's end", 12.6, "CPU ms", tracing),
  webhooksMs: input("webhook service, a delivery", 4.3, "CPU ms", tracing),
  logMs: input("nats-server, a whole job, few at a time", 18, "CPU ms", tracing),
  logUnderLoadMs: input(
    "nats-server, a whole job under load, 3 replicas",
    1.34,
    "CPU ms",
    "2026-11-22/log-whole-jobs.md",
  ),
} as const;

export interface PhotoSize {
  readonly megapixels: number;
  readonly share: number;
  /** The worker's processor time for `mask`, without the network. */
  readonly editCpuMs: number;
  readonly sourceBytes: number;
  readonly resultBytes: number;
}

/** Measured with the network in the same process, whose 126 ms are taken off. */
const editTimes = [
  { megapixels: 1, plain: editTime("plain", 1, 247), busy: editTime("busy", 1, 387) },
  { megapixels: 4, plain: editTime("plain", 4, 291), busy: editTime("busy", 4, 422) },
  { megapixels: 12, plain: editTime("plain", 12, 482), busy: editTime("busy", 12, 530) },
] as const;

function editTime(scene: "plain" | "busy", megapixels: number, cpuMs: number): Input {
  const name = `worker, mask, ${megapixels} MP, ${scene === "plain" ? "plain backdrop" : "busy scene"}`;
  return input(name, cpuMs, "CPU ms", "2026-11-22/side-by-side.md");
}

/** Decoding, filters and encoding use several threads. */
export const editParallelism = input(
  "worker, cores that one edit uses",
  1.5,
  "cores",
  "fitted to one client of the ramp below",
);
/** The processor time of an edit is within so much of its mean. */
export const editSpread = input(
  "worker, how much an edit differs from the mean",
  0.25,
  "±",
  "2026-11-22/mask-speed.md",
);
const fileSizes = {
  sourceBytesPerPixel: input("JPEG of a photo", 0.35, "bytes a pixel", assumed),
  resultBytesPerPixel: input("PNG of a cut-out", 0.6, "bytes a pixel", assumed),
} as const;

/** What bench/load sends, one megapixel on a plain backdrop, or the mix of a shop: half of its photos in busy scenes. */
export function photoMix(kind: "bench/load" | "shop"): readonly PhotoSize[] {
  const shares = kind === "bench/load" ? [1, 0, 0] : [0.3, 0.4, 0.3];
  return editTimes.map(({ megapixels, plain, busy }, at) => ({
    megapixels,
    share: shares[at]!,
    editCpuMs: kind === "bench/load" ? plain.value : (plain.value + busy.value) / 2,
    sourceBytes: megapixels * 1e6 * fileSizes.sourceBytesPerPixel.value,
    resultBytes: megapixels * 1e6 * fileSizes.resultBytesPerPixel.value,
  }));
}

/** Shares of an edit's processor time before the network's answer, while it computes, and after. Stages of mask-speed.md, 1 MP. */
export const editParts = { before: 0.08, during: 0.08, after: 0.84 } as const;

export interface ModelTimes {
  readonly name: string;
  /** Images of one photo, one after the other: with test-time augmentation two. */
  readonly passes: number;
  /** Processor time of one image on a CPU; undefined: nobody would. */
  readonly cpuMs: Input | undefined;
  /** A batch on a GPU takes `gpuBaseMs` and `gpuRowMs` for each image. */
  readonly gpuBaseMs: Input;
  readonly gpuRowMs: Input;
  /** The model server's main thread, for receiving one image and answering it. */
  readonly mainThreadMs: Input;
  readonly batchMax: number;
}

/** Measured with images of 300 KB; others in proportion to their bytes. */
const mainThreadPerMegabyteMs = 0.8 / 0.3072;

function model(
  name: string,
  about: Pick<ModelTimes, "passes" | "batchMax"> & {
    side: number;
    channels: number;
    cpuMs?: Input;
    gpu: [number, number];
  },
): ModelTimes {
  const megabytes = (about.side ** 2 * about.channels) / 1e6;
  const { passes, batchMax, cpuMs } = about;
  return {
    name,
    passes,
    batchMax,
    cpuMs,
    gpuBaseMs: input(`${name}, a batch on a GPU of the L4's class`, about.gpu[0], "ms", assumed),
    gpuRowMs: input(`${name}, each image of it`, about.gpu[1], "ms", assumed),
    mainThreadMs: input(
      `${name}, main thread of the model server, an image of ${megabytes.toFixed(1)} MB`,
      Math.round(10 * megabytes * mainThreadPerMegabyteMs) / 10,
      "CPU ms",
      "2026-11-21/inference.md, in proportion to the bytes",
    ),
  };
}

export const models = [
  model("packshot-mask", {
    side: 320,
    channels: 4,
    passes: 2,
    batchMax: 16,
    gpu: [2, 0.8],
    cpuMs: input("packshot-mask, one of a photo's two images on a CPU", 63, "CPU ms", tracing),
  }),
  model("u2net", { side: 320, channels: 3, passes: 1, batchMax: 16, gpu: [3, 3] }),
  model("isnet-general-use", { side: 1024, channels: 3, passes: 1, batchMax: 16, gpu: [4, 12] }),
  model("birefnet-general-lite", { side: 1024, channels: 3, passes: 1, batchMax: 8, gpu: [8, 45] }),
  model("birefnet-general", { side: 1024, channels: 3, passes: 1, batchMax: 4, gpu: [10, 110] }),
] as const;

export interface LogTimes {
  readonly roundTripMs: Input;
  /** The server's time for a batch, and for each commit in it. */
  readonly batchMs: Input;
  readonly perCommitMs: Input;
  /** For a lone commit of one message, which needs no batch. */
  readonly plainMs: Input;
  readonly batchMax: number;
}

export const logTimes: Readonly<Record<"one server" | "three replicas", LogTimes>> = {
  "one server": {
    roundTripMs: input("log of one server, round trip", 0.5, "ms", commits),
    batchMs: input("log of one server, a batch", 2.6, "ms", commits),
    perCommitMs: input("log of one server, each commit of a batch", 0.06, "ms", commits),
    plainMs: input("log of one server, a plain publish", 0.4, "ms", commits),
    batchMax: 80,
  },
  "three replicas": {
    roundTripMs: input("log of three servers, round trip", 1.2, "ms", commits),
    batchMs: input("log of three servers, a batch", 0.25, "ms", commits),
    perCommitMs: input("log of three servers, each commit of a batch", 0.1, "ms", commits),
    plainMs: input("log of three servers, a plain publish", 0.26, "ms", commits),
    batchMax: 80,
  },
};

export const storageTimes = {
  disk: {
    latencyMs: input("disk, a file", 1, "ms", "2026-11-22/mask-speed.md"),
    megabytesPerSecond: input("disk", 500, "MB/s", assumed),
  },
  s3: {
    latencyMs: input("S3, first byte", 30, "ms", assumed),
    megabytesPerSecond: input("S3, one connection", 80, "MB/s", assumed),
  },
} as const;

/** A customer's server, until it has answered a webhook. */
export const receiverMs = input("a receiver's answer to a webhook", 50, "ms", assumed);

export const prices = {
  vcpuHour: input("a vCPU", 0.04, "$/h", assumed),
  gpuHour: input("a GPU of the L4's class", 0.5, "$/h", assumed),
  s3Put: input("1,000 writes to S3", 0.005, "$", assumed),
  s3Get: input("1,000 reads from S3", 0.0004, "$", assumed),
  egressGigabyte: input("a gigabyte of results to the internet", 0.05, "$", assumed),
} as const;

/** All of them, for the report. */
export function allInputs(): readonly Input[] {
  return [
    ...Object.values(processorTimes),
    ...editTimes.flatMap(({ plain, busy }) => [plain, busy]),
    editParallelism,
    editSpread,
    ...Object.values(fileSizes),
    ...models.flatMap(({ cpuMs, gpuBaseMs, gpuRowMs, mainThreadMs }) =>
      [cpuMs, gpuBaseMs, gpuRowMs, mainThreadMs].filter((each) => each !== undefined),
    ),
    ...Object.values(logTimes).flatMap((times) => Object.values(times).filter((each) => typeof each !== "number")),
    ...Object.values(storageTimes).flatMap((times) => Object.values(times)),
    receiverMs,
    ...Object.values(prices),
  ];
}
