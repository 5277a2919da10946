/** The sampler of latent consistency models: each step finds the clean latents and adds fresh noise for the next one. */
import { alphaProducts, cleanLatents } from "./noise-levels.ts";
import { fieldOf, mix, refuse, type Sampler, type Schedule, type SchedulerFields } from "./sampler.ts";

/** The standard deviation of pictures that the boundary conditions are made for. */
const dataDeviation = 0.5;

export function lcm(config: SchedulerFields, { steps, strength = 1 }: Schedule): Sampler {
  refuse(config, ["thresholding"]);
  const products = alphaProducts(config, { start: 0.00085, end: 0.012, schedule: "scaled_linear" });
  const timesteps = timestepsOf(config, steps, strength);
  const prediction = fieldOf(config, "prediction_type", "epsilon");
  const scaling = fieldOf(config, "timestep_scaling", 10);
  const clipped = fieldOf(config, "clip_sample", false) ? fieldOf(config, "clip_sample_range", 1) : Infinity;
  return {
    timesteps,
    initialNoiseScale: 1,
    modelInput: (latents) => latents,
    advance(latents, answer, step, noise) {
      const timestep = timesteps[step]!;
      const product = products[timestep]!;
      const clean = cleanLatents(prediction, { latents, answer, product });
      const scaled = timestep * scaling;
      const square = scaled * scaled + dataDeviation * dataDeviation;
      const bounded = clean.map((value) => Math.min(clipped, Math.max(-clipped, value)));
      const denoised = mix(bounded, scaled / Math.sqrt(square), latents, dataDeviation ** 2 / square);
      const next = timesteps[step + 1];
      if (next === undefined) return denoised;
      return mix(denoised, Math.sqrt(products[next]!), noise(), Math.sqrt(1 - products[next]!));
    },
    withNoise(clean, noise, step) {
      const timestep = timesteps[step];
      if (timestep === undefined) return clean;
      return mix(clean, Math.sqrt(products[timestep]!), noise, Math.sqrt(1 - products[timestep]!));
    },
  };
}

/** Evenly spaced among those that the model was distilled at. */
function timestepsOf(config: SchedulerFields, steps: number, strength: number): number[] {
  const trained = fieldOf(config, "num_train_timesteps", 1_000);
  const original = fieldOf(config, "original_inference_steps", 50);
  const stride = Math.floor(trained / original);
  const count = Math.floor(original * strength);
  if (steps > count) throw new Error(`${steps} steps, of at most ${count}`);
  const descending = Array.from({ length: count }, (_, at) => (count - at) * stride - 1);
  return Array.from({ length: steps }, (_, at) => descending[Math.floor((at * count) / steps)]!);
}
