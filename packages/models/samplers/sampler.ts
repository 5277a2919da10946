/** What turns a denoiser's answers into latents, step by step. */

export interface Sampler {
  /** What the denoiser is told of each step, as its training counted: 0 to 1,000. */
  readonly timesteps: readonly number[];
  /** Deviation of the noise from which a picture without a start is made. */
  readonly initialNoiseScale: number;
  /** Latents as the denoiser takes them at the step. */
  modelInput(latents: Float32Array, step: number): Float32Array;
  /** The latents after the step. `noise` is asked only by samplers that add some, and not after the last step. */
  advance(latents: Float32Array, answer: Float32Array, step: number, noise: () => Float32Array): Float32Array;
  /** Clean latents with as much noise as is in those that the step gets; those after the last step have none. */
  withNoise(clean: Float32Array, noise: Float32Array, step: number): Float32Array;
}

export interface Schedule {
  readonly steps: number;
  /** In the picture: FLUX.2 shifts its sigmas by their number. */
  readonly tokens: number;
  /** Above 0 and up to 1: how much of the schedule runs, where the latents of a picture are the start. */
  readonly strength?: number;
}

/** `a × left + b × right`, value by value. */
export function mix(left: Float32Array, a: number, right: Float32Array, b: number): Float32Array {
  if (left.length !== right.length) throw new Error(`${left.length} values with ${right.length}`);
  return left.map((value, at) => a * value + b * right[at]!);
}

export type SchedulerFields = Readonly<Record<string, unknown>>;

type Widened<T> = T extends string ? string : T extends number ? number : boolean;

/** A field of the config, or diffusers' default where the file leaves it out. */
export function fieldOf<T extends string | number | boolean>(
  config: SchedulerFields,
  name: string,
  absent: T,
): Widened<T> {
  const value = config[name] ?? absent;
  if (typeof value !== typeof absent)
    throw new Error(`scheduler_config.json: ${name} must be a ${typeof absent}, not ${JSON.stringify(value)}`);
  return value as Widened<T>;
}

/** Settings that would change the schedule, of which no model that is served here makes use. */
export function refuse(config: SchedulerFields, names: readonly string[]): void {
  for (const name of names) {
    const value = config[name];
    if (value !== undefined && value !== null && value !== false)
      throw new Error(`scheduler_config.json: ${name} ${JSON.stringify(value)} is not supported`);
  }
}

/** `steps` of them at the end: as many as a picture that is changed by this strength goes through. */
export function stepsSkipped(steps: number, strength: number): number {
  if (!(strength > 0 && strength <= 1)) throw new Error(`a strength of ${strength}`);
  return Math.max(0, Math.floor(steps - Math.min(steps * strength, steps)));
}
