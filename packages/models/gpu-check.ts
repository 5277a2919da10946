/** What `packshot doctor` makes of the machine's GPUs: whether the driver is new enough, and whether an image model fits. */

export interface Gpu {
  readonly name: string;
  readonly memoryBytes: number;
  readonly driver: string;
}

export interface Judged {
  readonly state: "ok" | "warning" | "fault";
  /** One sentence. */
  readonly message: string;
}

/** CUDA 13's. */
const driverMin = 580;
/**
 * What a picture takes beside the weights, as a share of them: an estimate, since no published model has run here. It comes to the 13 GB that
 * the makers of FLUX.2 [klein] 4B name.
 */
const workingShare = 0.5;

/** What `nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader` prints. */
export function parseGpus(csv: string): Gpu[] {
  return csv
    .trim()
    .split("\n")
    .map((line) => line.split(",").map((cell) => cell.trim()))
    .map(([name = "", memory = "", driver = ""]) => ({
      name,
      // A MIG slice's parent or a shared memory has no figure.
      memoryBytes: (Number.parseInt(memory, 10) || 0) * 2 ** 20,
      driver,
    }));
}

export function judgeGpus(gpus: readonly Gpu[]): Judged {
  const [first] = gpus;
  const listed = gpus.map(({ name, memoryBytes }) => `${name}, ${gigabytes(memoryBytes)}`).join("; ");
  const found = `${listed}, driver ${first?.driver}`;
  const major = Number.parseInt(first?.driver ?? "", 10);
  return major < driverMin
    ? { state: "fault", message: `${found}: CUDA 13 needs driver ${driverMin} or later` }
    : { state: "ok", message: found };
}

export interface Room {
  /** What holds the weights: the GPU's name, or "this machine". */
  readonly where: string;
  /** 0: unknown. */
  readonly memoryBytes: number;
}

/** Whether the weights fit, and with them what a picture takes. */
export function judgeRoom(weightsBytes: number, { where, memoryBytes }: Room): Judged {
  const wanted = weightsBytes * (1 + workingShare);
  const needs = `${gigabytes(weightsBytes)} of weights, about ${gigabytes(wanted)} with a picture`;
  if (memoryBytes === 0) return { state: "ok", message: `${needs}; the memory of ${where} is not known` };
  const has = `${where} has ${gigabytes(memoryBytes)}`;
  if (weightsBytes > memoryBytes) return { state: "fault", message: `${needs}: they do not fit, ${has}` };
  if (wanted > memoryBytes) return { state: "warning", message: `${needs}: large pictures may not fit, ${has}` };
  return { state: "ok", message: `${needs}; ${has}` };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
