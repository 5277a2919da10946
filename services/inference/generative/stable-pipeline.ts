/**
 * Stable Diffusion, of which 1.5 with a mask among its UNet's inputs and SDXL: a picture of a prompt, or within a mask. A second reference
 * counts for nothing. Latents stay planes, and the UNet answers what the sampler's config says.
 */
import type { StableConfig } from "@packshot/models/pipeline-file.ts";
import type { Sampler } from "@packshot/models/samplers/sampler.ts";
import { samplerOf } from "@packshot/models/samplers/scheduler-config.ts";
import { floats, type GraphRunner, type GraphTensor, integers, runForFloats } from "./graph-runner.ts";
import type { KleinRequest } from "./klein-pipeline.ts";
import type { Planes } from "./latents.ts";
import { gaussianNoise } from "./noise.ts";
import type { PromptTokenizer } from "./prompt-tokens.ts";

export interface StableModel {
  readonly config: StableConfig;
  readonly graphs: GraphRunner;
  readonly tokenizer: PromptTokenizer;
  /** SDXL's second encoder fills prompts up with another token. */
  readonly secondTokenizer?: PromptTokenizer | undefined;
}

interface Text {
  readonly tokens: GraphTensor;
  /** What SDXL's second encoder says of the whole prompt. */
  readonly pooled: GraphTensor | undefined;
}

/** The picture, plane by plane, −1 to 1 and a little beyond. Between steps it heeds the signal. */
export async function paintByStable(model: StableModel, request: KleinRequest): Promise<Planes> {
  const { channels, latentPixels, patchPixels, scale, guidance } = model.config;
  const { width, height } = request;
  if (width % patchPixels !== 0 || height % patchPixels !== 0)
    throw new Error(`${width} × ${height} is no multiple of ${patchPixels}`);
  const grid = { channels, height: height / latentPixels, width: width / latentPixels };
  const text = await encodePrompt(model, request, request.prompt);
  const without = guidance > 1 ? await encodePrompt(model, request, "") : undefined;
  const kept = request.fill && (await keptOf(model, request, grid));
  const latents = await denoise(model, request, { grid, text, without, kept });
  const inputs = {
    latents: floats(
      latents.map((value) => value / scale),
      [1, channels, grid.height, grid.width],
    ),
  };
  const data = await runForFloats({ ...model, ...request }, "vae_decoder", inputs, 3 * width * height);
  return { channels: 3, height, width, data };
}

async function encodePrompt(model: StableModel, request: KleinRequest, prompt: string): Promise<Text> {
  const { textTokensMax: count, pooledValues } = model.config;
  const idsOf = ({ encodeEnded }: PromptTokenizer) => integers(encodeEnded(prompt, count), [1, count]);
  const { tokenizer, secondTokenizer } = model;
  const inputs = {
    input_ids: idsOf(tokenizer),
    ...(secondTokenizer && { input_ids_2: idsOf(secondTokenizer) }),
  };
  const data = await runForFloats({ ...model, ...request }, "text_encoder", inputs);
  const values = data.length / (pooledValues > 0 ? count + 1 : count);
  return {
    tokens: floats(data.subarray(0, count * values), [1, count, values]),
    pooled:
      pooledValues > 0
        ? floats(data.slice(count * values, count * values + pooledValues), [1, pooledValues])
        : undefined,
  };
}

type Grid = Omit<Planes, "data">;

/** What of the first reference stays. */
interface Kept {
  /** 1 where the picture is painted, a value for each place of the grid. */
  readonly mask: Float32Array;
  readonly latents: Float32Array;
  /** The latents of the picture without what is painted, for a UNet that takes them. */
  readonly around: Float32Array | undefined;
}

async function keptOf(model: StableModel, request: KleinRequest, grid: Grid): Promise<Kept> {
  const { fill, width, height, references } = request;
  const [picture] = references;
  if (picture?.width !== width || picture.height !== height || fill!.length !== width * height)
    throw new Error("a mask needs a picture of its size, which is kept around it");
  const { channels, latentPixels, unetChannels, scale } = model.config;
  const count = width * height;
  const encode = async (isShown: (at: number) => boolean) => {
    const pixels = new Float32Array(3 * count);
    for (let channel = 0; channel < 3; channel++)
      for (let at = 0; at < count; at++)
        pixels[channel * count + at] = isShown(at) ? (picture.rgb[at * 3 + channel]! / 255) * 2 - 1 : 0;
    const values = channels * grid.height * grid.width;
    const inputs = { pixels: floats(pixels, [1, 3, height, width]) };
    const latents = await runForFloats({ ...model, ...request }, "vae_encoder", inputs, values);
    return latents.map((value) => value * scale);
  };
  const mask = new Float32Array(grid.height * grid.width);
  for (let at = 0; at < mask.length; at++) {
    const row = Math.floor(at / grid.width);
    const column = at % grid.width;
    mask[at] = fill![row * latentPixels * width + column * latentPixels]! > 127 ? 1 : 0;
  }
  return {
    mask,
    latents: await encode(() => true),
    around: unetChannels > channels ? await encode((at) => fill![at]! <= 127) : undefined,
  };
}

interface Denoising {
  readonly grid: Grid;
  readonly text: Text;
  /** What no prompt gives, from which guidance leads away. */
  readonly without: Text | undefined;
  readonly kept: Kept | undefined;
}

async function denoise(model: StableModel, request: KleinRequest, parts: Denoising): Promise<Float32Array> {
  const { grid, text, without, kept } = parts;
  const { config } = model;
  const { steps, seed, strength = 1 } = request;
  const count = grid.channels * grid.height * grid.width;
  const noiseOf = (stream: number) => request.noise ?? gaussianNoise({ seed, stream }, count);
  const noise = noiseOf(0);
  const sampler = samplerOf(config.scheduler, { steps, tokens: 0 });
  const first = kept === undefined ? 0 : steps - Math.max(1, Math.floor(steps * strength));
  let latents = startOf(sampler, { noise, first, kept: strength < 1 ? kept : undefined });
  for (let step = first; step < steps; step++) {
    const sample = sampler.modelInput(latents, step);
    const timestep = sampler.timesteps[step]!;
    const answer = await askUnet(model, request, { ...parts, sample, timestep, text });
    const other = without && (await askUnet(model, request, { ...parts, sample, timestep, text: without }));
    const guided = other ? other.map((value, at) => value + config.guidance * (answer[at]! - value)) : answer;
    latents = sampler.advance(latents, guided, step, () => noiseOf(step + 1));
    if (kept !== undefined && kept.around === undefined) {
      const { mask } = kept;
      const known = sampler.withNoise(kept.latents, noise, step + 1);
      latents = latents.map((value, at) => (mask[at % mask.length]! > 0 ? value : known[at]!));
    }
    request.onStep?.(step + 1 - first, steps - first);
  }
  return latents;
}

function startOf(
  sampler: Sampler,
  { noise, first, kept }: { readonly noise: Float32Array; readonly first: number; readonly kept: Kept | undefined },
): Float32Array {
  if (kept !== undefined) return sampler.withNoise(kept.latents, noise, first);
  return noise.map((value) => value * sampler.initialNoiseScale);
}

interface Asked extends Pick<Denoising, "grid" | "text" | "kept"> {
  readonly sample: Float32Array;
  readonly timestep: number;
}

async function askUnet(
  model: StableModel,
  request: KleinRequest,
  { sample, timestep, grid, text, kept }: Asked,
): Promise<Float32Array> {
  const { channels, unetChannels } = model.config;
  const places = grid.height * grid.width;
  let taken = sample;
  if (unetChannels > channels) {
    taken = new Float32Array(unetChannels * places);
    taken.set(sample);
    if (kept === undefined) throw new Error("the model paints within a mask only");
    taken.set(kept.mask, channels * places);
    taken.set(kept.around!, (channels + 1) * places);
  }
  const { height, width } = request;
  const inputs = {
    sample: floats(taken, [1, unetChannels, grid.height, grid.width]),
    timestep: floats(Float32Array.of(timestep), [1]),
    encoder_hidden_states: text.tokens,
    ...(text.pooled && {
      text_embeds: text.pooled,
      // The size before and after a crop at 0, 0: none was cropped.
      time_ids: floats(Float32Array.of(height, width, 0, 0, height, width), [1, 6]),
    }),
  };
  return await runForFloats({ ...model, ...request }, "unet", inputs, sample.length);
}
