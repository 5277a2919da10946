/** How much of a picture is left at each timestep of a model that was trained to find the noise: SD 1.5 and SDXL. */
import { fieldOf, refuse, type SchedulerFields } from "./sampler.ts";

/** The square of the picture's share, from timestep 0 on. torch computes in single precision, but multiplies in double. */
export function alphaProducts(
  config: SchedulerFields,
  absent: { readonly start: number; readonly end: number; readonly schedule: string },
): Float64Array {
  refuse(config, ["trained_betas", "rescale_betas_zero_snr"]);
  const count = fieldOf(config, "num_train_timesteps", 1_000);
  const start = fieldOf(config, "beta_start", absent.start);
  const end = fieldOf(config, "beta_end", absent.end);
  const schedule = fieldOf(config, "beta_schedule", absent.schedule);
  if (schedule !== "linear" && schedule !== "scaled_linear")
    throw new Error(`scheduler_config.json: beta_schedule ${JSON.stringify(schedule)} is not supported`);
  const root = schedule === "scaled_linear";
  const [from, to] = root ? [Math.sqrt(start), Math.sqrt(end)] : [start, end];
  const products = new Float64Array(count);
  let product = 1;
  for (let at = 0; at < count; at++) {
    const value = Math.fround(from + ((to - from) * at) / (count - 1));
    const beta = Math.fround(root ? value * value : value);
    product *= Math.fround(1 - beta);
    products[at] = Math.fround(product);
  }
  return products;
}

/** Clean latents by what the denoiser answered, in the terms in which it was trained. */
export function cleanLatents(
  predictionType: string,
  { latents, answer, product }: { latents: Float32Array; answer: Float32Array; product: number },
): Float32Array {
  const picture = Math.sqrt(product);
  const noise = Math.sqrt(1 - product);
  switch (predictionType) {
    case "epsilon":
      return latents.map((value, at) => (value - noise * answer[at]!) / picture);
    case "v_prediction":
      return latents.map((value, at) => picture * value - noise * answer[at]!);
    case "sample":
      return answer;
    default:
      throw new Error(`scheduler_config.json: prediction_type ${JSON.stringify(predictionType)} is not supported`);
  }
}
