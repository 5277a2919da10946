/**
 * FLUX.2 [klein]: a picture of a prompt, of references, or within a mask. The text is encoded once, the denoiser runs once a
 * step and answers the velocity, without guidance; the VAE makes latents of pictures, and a picture of latents.
 */
import type { KleinConfig } from "@packshot/models/pipeline-file.ts";
import type { Sampler } from "@packshot/models/samplers/sampler.ts";
import { samplerOf } from "@packshot/models/samplers/scheduler-config.ts";
import { floats, type GraphRunner, integers, runForFloats } from "./graph-runner.ts";
import {
  type ChannelScale,
  denormalize,
  fillMasked,
  normalize,
  type Planes,
  pack,
  patchify,
  picturePositions,
  textPositions,
  unpack,
  unpatchify,
} from "./latents.ts";
import { gaussianNoise } from "./noise.ts";
import { type PromptTokenizer, qwenChat } from "./prompt-tokens.ts";

export interface KleinModel {
  readonly config: KleinConfig;
  readonly graphs: GraphRunner;
  readonly tokenizer: PromptTokenizer;
}

/** RGB, 0 to 255, with sides of multiples of the config's `patchPixels`. */
export interface ReferencePicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

export interface KleinRequest {
  readonly prompt: string;
  readonly seed: number;
  /** In place of the seed's: a value for each of a picture's latents, plane by plane. */
  readonly noise?: Float32Array;
  /** Multiples of the config's `patchPixels`. */
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  /** Pictures that the new one is to follow. */
  readonly references: readonly ReferencePicture[];
  /** With a first reference of the new picture's size. Only where it is above 127 the first reference is painted anew; a byte a pixel. */
  readonly fill?: Uint8Array;
  /** Above 0 and up to 1, with `fill`: how far from the first reference; 1 starts from noise alone. */
  readonly strength?: number;
  readonly signal: AbortSignal;
  /** Called after each step of so many. */
  readonly onStep?: (done: number, steps: number) => void;
}

/** The picture, plane by plane, −1 to 1 and a little beyond. Between steps it heeds the signal. */
export async function paintByKlein(model: KleinModel, request: KleinRequest): Promise<Planes> {
  const { config } = model;
  const grid = gridOf(config, request);
  const count = grid.height * grid.width;
  const text = await encodePrompt(model, request);
  const references: EncodedPicture[] = [];
  for (const picture of request.references) references.push(await encodePicture(model, request, picture));
  const { strength = 1, seed, steps } = request;
  const sampler = samplerOf(config.scheduler, { steps, tokens: count, strength });
  const drawn = request.noise ?? gaussianNoise({ seed, stream: 0 }, count * config.channels);
  const noise = pack({ ...grid, data: drawn });
  const latents = await denoise(model, request, { text, references, sampler, noise, grid });
  const planes = unpatchify(denormalize(unpack(latents, grid), scaleOf(config)));
  const { channels, height, width } = planes;
  const shape = [1, channels, height, width];
  const size = { height: request.height, width: request.width };
  const inputs = { latents: floats(planes.data, shape) };
  const data = await runForFloats({ ...model, ...request }, "vae_decoder", inputs, 3 * size.width * size.height);
  return { channels: 3, ...size, data };
}

type Grid = Omit<Planes, "data">;

function gridOf(
  { patchPixels, channels }: KleinConfig,
  { width, height }: Pick<KleinRequest, "width" | "height">,
): Grid {
  if (width % patchPixels !== 0 || height % patchPixels !== 0 || width < patchPixels || height < patchPixels)
    throw new Error(`${width} × ${height} is no multiple of ${patchPixels}`);
  return { channels, height: height / patchPixels, width: width / patchPixels };
}

function scaleOf({ mean, deviation }: KleinConfig): ChannelScale {
  return { mean, deviation };
}

type Embedded = ReturnType<typeof floats>;

async function encodePrompt(model: KleinModel, request: KleinRequest): Promise<Embedded> {
  const { textTokensMax: count } = model.config;
  const { ids, mask } = model.tokenizer.encodePadded(qwenChat(request.prompt), count);
  const shape = [1, count];
  const inputs = { input_ids: integers(ids, shape), attention_mask: integers(mask, shape) };
  const data = await runForFloats({ ...model, ...request }, "text_encoder", inputs);
  return floats(data, [1, count, data.length / count]);
}

/** As the denoiser takes it: a token for each place of the grid. */
interface EncodedPicture {
  readonly grid: Grid;
  readonly tokens: Float32Array;
}

async function encodePicture(
  model: KleinModel,
  request: KleinRequest,
  { width, height, rgb }: ReferencePicture,
): Promise<EncodedPicture> {
  const count = width * height;
  if (rgb.length !== 3 * count) throw new Error(`a reference of ${rgb.length} bytes for ${width} × ${height}`);
  const pixels = new Float32Array(rgb.length);
  for (let channel = 0; channel < 3; channel++)
    for (let at = 0; at < count; at++) pixels[channel * count + at] = (rgb[at * 3 + channel]! / 255) * 2 - 1;
  const grid = gridOf(model.config, { width, height });
  const inputs = { pixels: floats(pixels, [1, 3, height, width]) };
  const values = grid.channels * grid.height * grid.width;
  const data = await runForFloats({ ...model, ...request }, "vae_encoder", inputs, values);
  const planes = { channels: grid.channels / 4, height: grid.height * 2, width: grid.width * 2, data };
  return { grid, tokens: pack(normalize(patchify(planes), scaleOf(model.config))) };
}

interface Denoising {
  readonly text: Embedded;
  readonly references: readonly EncodedPicture[];
  readonly sampler: Sampler;
  readonly noise: Float32Array;
  readonly grid: Grid;
}

async function denoise(
  model: KleinModel,
  request: KleinRequest,
  { text, references, sampler, noise, grid }: Denoising,
): Promise<Float32Array> {
  const { channels } = grid;
  const kept = references[0]?.tokens;
  const mask = request.fill && tokenMask(request.fill, request, model.config.patchPixels);
  if (mask !== undefined && kept?.length !== noise.length)
    throw new Error("a mask needs a picture of its size, which is kept around it");
  const hidden = joined([noise, ...references.map(({ tokens }) => tokens)]);
  const all = hidden.length / channels;
  const positions = picturePositions(
    grid,
    references.map((reference) => reference.grid),
  );
  const textCount = text.shape[1]!;
  const fixed = {
    encoder_hidden_states: text,
    txt_ids: floats(Float32Array.from(textPositions(textCount)), [1, textCount, 4]),
    img_ids: floats(Float32Array.from(positions), [1, all, 4]),
  };
  const { timesteps } = sampler;
  let latents = mask === undefined ? noise : sampler.withNoise(kept!, noise, 0);
  for (const [step, timestep] of timesteps.entries()) {
    hidden.set(latents);
    const inputs = {
      hidden_states: floats(hidden, [1, all, channels]),
      timestep: floats(Float32Array.of(timestep / 1_000), [1]),
      ...fixed,
    };
    const answer = await runForFloats({ ...model, ...request }, "transformer", inputs, hidden.length);
    const next = sampler.advance(latents, answer.subarray(0, noise.length), step, () => noise);
    latents =
      mask === undefined ? next : fillMasked(sampler.withNoise(kept!, noise, step + 1), next, { mask, channels });
    request.onStep?.(step + 1, timesteps.length);
  }
  return latents;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The share of each token that is painted: that of the four pixels in its middle, as the model's makers sample masks. */
function tokenMask(fill: Uint8Array, { width, height }: KleinRequest, patch: number): Float32Array {
  if (fill.length !== width * height) throw new Error(`a mask of ${fill.length} bytes for ${width} × ${height}`);
  const columns = width / patch;
  const mask = new Float32Array(columns * (height / patch));
  const painted = (x: number, y: number) => (fill[y * width + x]! > 127 ? 0.25 : 0);
  for (let at = 0; at < mask.length; at++) {
    const x = (at % columns) * patch + patch / 2;
    const y = Math.floor(at / columns) * patch + patch / 2;
    mask[at] = painted(x - 1, y - 1) + painted(x, y - 1) + painted(x - 1, y) + painted(x, y);
  }
  return mask;
}
