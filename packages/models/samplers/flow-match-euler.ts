/**
 * Flow matching by Euler's method, as FLUX uses it: the denoiser answers the velocity from clean latents to noise. FLUX.2
 * shifts the sigmas by the number of tokens and of steps (diffusers' `compute_empirical_mu`, fitted by its makers).
 */
import { fieldOf, mix, refuse, type Sampler, type Schedule, type SchedulerFields, stepsSkipped } from "./sampler.ts";

export function flowMatchEuler(config: SchedulerFields, { steps, tokens, strength = 1 }: Schedule): Sampler {
  refuse(config, ["invert_sigmas", "shift_terminal", "use_karras_sigmas", "use_exponential_sigmas"]);
  refuse(config, ["use_beta_sigmas", "stochastic_sampling"]);
  const trained = fieldOf(config, "num_train_timesteps", 1_000);
  const shift = shiftOf(config, tokens, steps);
  const all = Array.from({ length: steps }, (_, at) => Math.fround(shift(Math.fround(1 - at / steps))));
  const skipped = stepsSkipped(steps, strength);
  const sigmas = [...all.slice(skipped), 0];
  return {
    timesteps: sigmas.slice(0, -1).map((sigma) => Math.fround(sigma * trained)),
    initialNoiseScale: 1,
    modelInput: (latents) => latents,
    advance: (latents, velocity, step) => mix(latents, 1, velocity, sigmas[step + 1]! - sigmas[step]!),
    withNoise: (clean, noise, step) => mix(noise, sigmas[step]!, clean, 1 - sigmas[step]!),
  };
}

function shiftOf(config: SchedulerFields, tokens: number, steps: number): (sigma: number) => number {
  if (!fieldOf(config, "use_dynamic_shifting", false)) {
    const by = fieldOf(config, "shift", 1);
    return (sigma) => (by * sigma) / (1 + (by - 1) * sigma);
  }
  const type = fieldOf(config, "time_shift_type", "exponential");
  if (type !== "exponential" && type !== "linear")
    throw new Error(`scheduler_config.json: time_shift_type ${JSON.stringify(type)} is not supported`);
  const mu = empiricalMu(tokens, steps);
  const by = type === "exponential" ? Math.exp(mu) : mu;
  return (sigma) => by / (by + (1 / sigma - 1));
}

/** Two straight lines by the number of tokens, for 10 steps and for 200, and what lies between and beyond them. */
function empiricalMu(tokens: number, steps: number): number {
  const of200 = 0.00016927 * tokens + 0.45666666;
  if (tokens > 4_300) return of200;
  const of10 = 8.73809524e-5 * tokens + 1.89833333;
  const slope = (of200 - of10) / 190;
  return slope * steps + of200 - 200 * slope;
}
