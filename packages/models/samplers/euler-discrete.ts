/** Euler's method over the noise levels of SD and SDXL, as SDXL-Lightning uses it (`timestep_spacing: trailing`). */
import { alphaProducts } from "./noise-levels.ts";
import { fieldOf, mix, refuse, type Sampler, type Schedule, type SchedulerFields, stepsSkipped } from "./sampler.ts";

export function eulerDiscrete(config: SchedulerFields, { steps, strength = 1 }: Schedule): Sampler {
  refuse(config, ["use_karras_sigmas", "use_exponential_sigmas", "use_beta_sigmas", "sigma_min", "sigma_max"]);
  expect(config, "interpolation_type", "linear");
  expect(config, "timestep_type", "discrete");
  expect(config, "final_sigmas_type", "zero");
  const products = alphaProducts(config, { start: 0.0001, end: 0.02, schedule: "linear" });
  const levels = products.map((product) => Math.sqrt((1 - product) / product));
  const prediction = fieldOf(config, "prediction_type", "epsilon");
  const spacing = fieldOf(config, "timestep_spacing", "linspace");
  const all = timestepsOf(config, steps, spacing);
  const timesteps = all.slice(stepsSkipped(steps, strength));
  const sigmas = [...timesteps.map((timestep) => Math.fround(between(levels, timestep))), 0];
  const most = Math.fround(between(levels, all[0]!));
  return {
    timesteps,
    initialNoiseScale: spacing === "leading" ? Math.sqrt(most * most + 1) : most,
    modelInput: (latents, step) => latents.map((value) => value / Math.sqrt(sigmas[step]! ** 2 + 1)),
    advance(latents, answer, step) {
      const sigma = sigmas[step]!;
      const slope = slopeOf(prediction, { latents, answer, sigma });
      return mix(latents, 1, slope, sigmas[step + 1]! - sigma);
    },
    withNoise: (clean, noise, step) => mix(clean, 1, noise, sigmas[step]!),
  };
}

function expect(config: SchedulerFields, name: string, only: string): void {
  const value = fieldOf(config, name, only);
  if (value !== only) throw new Error(`scheduler_config.json: ${name} ${JSON.stringify(value)} is not supported`);
}

/** How latents change with the noise in them. */
function slopeOf(
  prediction: string,
  { latents, answer, sigma }: { latents: Float32Array; answer: Float32Array; sigma: number },
): Float32Array {
  switch (prediction) {
    case "epsilon":
      return answer;
    case "v_prediction": {
      const root = Math.sqrt(sigma * sigma + 1);
      return latents.map((value, at) => (value - (answer[at]! * (-sigma / root) + value / (root * root))) / sigma);
    }
    default:
      throw new Error(`scheduler_config.json: prediction_type ${JSON.stringify(prediction)} is not supported`);
  }
}

function timestepsOf(config: SchedulerFields, steps: number, spacing: string): number[] {
  const trained = fieldOf(config, "num_train_timesteps", 1_000);
  switch (spacing) {
    case "linspace":
      // NumPy gives the start for one step, which is the least.
      return Array.from({ length: steps }, (_, at) =>
        steps === 1 ? 0 : Math.fround(((trained - 1) * (steps - 1 - at)) / (steps - 1)),
      );
    case "leading": {
      const stride = Math.floor(trained / steps);
      const offset = fieldOf(config, "steps_offset", 0);
      return Array.from({ length: steps }, (_, at) => (steps - 1 - at) * stride + offset);
    }
    case "trailing":
      return Array.from({ length: steps }, (_, at) => roundHalfEven(trained - (at * trained) / steps) - 1);
    default:
      throw new Error(`scheduler_config.json: timestep_spacing ${JSON.stringify(spacing)} is not supported`);
  }
}

/** As NumPy rounds. */
function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** The level at a timestep that may lie between two. */
function between(levels: Float64Array, timestep: number): number {
  const before = Math.floor(timestep);
  const share = timestep - before;
  return share === 0 ? levels[before]! : levels[before]! * (1 - share) + levels[before + 1]! * share;
}
