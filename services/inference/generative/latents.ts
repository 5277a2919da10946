/**
 * FLUX.2's latents: the VAE's 2 × 2 patches are channels of a token, tokens have positions in (picture, row, column, word).
 * Everything is of one picture, without a dimension for the batch.
 */

export interface Planes {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
  /** Plane by plane. */
  readonly data: Float32Array;
}

/** Each 2 × 2 patch becomes four channels, those of one plane side by side. */
export function patchify({ channels, height, width, data }: Planes): Planes {
  const half = { height: height / 2, width: width / 2 };
  if (!Number.isInteger(half.height) || !Number.isInteger(half.width))
    throw new Error(`patches of ${width} × ${height}`);
  const patched = new Float32Array(data.length);
  forEachPatched({ channels, ...half }, (flat, at) => {
    patched[at] = data[flat]!;
  });
  return { channels: channels * 4, ...half, data: patched };
}

export function unpatchify({ channels, height, width, data }: Planes): Planes {
  const planes = new Float32Array(data.length);
  forEachPatched({ channels: channels / 4, height, width }, (flat, at) => {
    planes[flat] = data[at]!;
  });
  return { channels: channels / 4, height: height * 2, width: width * 2, data: planes };
}

/** Calls back with each index in flat planes and its index in the patched ones, whose size is given. */
function forEachPatched(
  { channels, height, width }: { readonly channels: number; readonly height: number; readonly width: number },
  visit: (flat: number, patched: number) => void,
): void {
  for (let channel = 0, at = 0; channel < channels; channel++) {
    for (let part = 0; part < 4; part++) {
      for (let y = 0; y < height; y++) {
        const row = (channel * height * 2 + y * 2 + (part >> 1)) * width * 2;
        for (let x = 0; x < width; x++, at++) visit(row + x * 2 + (part & 1), at);
      }
    }
  }
}

/** Planes as tokens: one for each position, row by row, with all its channels. */
export function pack({ channels, height, width, data }: Planes): Float32Array {
  const count = height * width;
  const tokens = new Float32Array(data.length);
  for (let channel = 0; channel < channels; channel++)
    for (let at = 0; at < count; at++) tokens[at * channels + channel] = data[channel * count + at]!;
  return tokens;
}

export function unpack(tokens: Float32Array, size: Omit<Planes, "data">): Planes {
  const count = size.height * size.width;
  const data = new Float32Array(tokens.length);
  for (let channel = 0; channel < size.channels; channel++)
    for (let at = 0; at < count; at++) data[channel * count + at] = tokens[at * size.channels + channel]!;
  return { ...size, data };
}

/** The mean and the deviation by which the model's training scaled each patched channel. */
export interface ChannelScale {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

export function normalize(planes: Planes, { mean, deviation }: ChannelScale): Planes {
  return perChannel(planes, (value, channel) => (value - mean[channel]!) / deviation[channel]!);
}

export function denormalize(planes: Planes, { mean, deviation }: ChannelScale): Planes {
  return perChannel(planes, (value, channel) => value * deviation[channel]! + mean[channel]!);
}

function perChannel(planes: Planes, change: (value: number, channel: number) => number): Planes {
  const count = planes.height * planes.width;
  return { ...planes, data: planes.data.map((value, at) => change(value, Math.floor(at / count))) };
}

type Grid = Pick<Planes, "height" | "width">;

/** Four numbers a token. */
export function textPositions(count: number): number[] {
  return Array.from({ length: count }, (_, at) => [0, 0, 0, at]).flat();
}

/** The picture that is made is at time 0; each reference is 10 later than the one before it. */
export function picturePositions(picture: Grid, references: readonly Grid[] = []): number[] {
  const timed = [picture, ...references].map((grid, at) => ({ ...grid, time: 10 * at }));
  return timed.flatMap(({ height, width, time }) =>
    Array.from({ length: height * width }, (_, at) => [time, Math.floor(at / width), at % width, 0]).flat(),
  );
}

/** `painted` where the mask is 1, `kept` where it is 0; the mask has a value for each token. */
export function fillMasked(
  kept: Float32Array,
  painted: Float32Array,
  { mask, channels }: { readonly mask: Float32Array; readonly channels: number },
): Float32Array {
  return painted.map((value, at) => {
    const share = mask[Math.floor(at / channels)]!;
    return (1 - share) * kept[at]! + share * value;
  });
}
