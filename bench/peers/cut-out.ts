/**
 * Cutting out as rembg does it, in three stages with sharp and onnxruntime-node: for the peers that a Node team would
 * write. The photo's alpha becomes the network's matte, enlarged. The network is one as published (u2netp).
 */
import sharp from "sharp";
import { InferenceSession, Tensor } from "../../testing/models/silent-runtime.ts";

const side = 320;
/** ImageNet's. */
const [means, deviations] = [
  [0.485, 0.456, 0.406],
  [0.229, 0.224, 0.225],
] as const;

export interface Network {
  /** RGB bytes of 320 × 320 pixels in, as many bytes of matte out. */
  run(pixels: Uint8Array): Promise<Uint8Array>;
}

export async function openNetwork(file: string): Promise<Network> {
  const session = await InferenceSession.create(file, { logSeverityLevel: 3 });
  return {
    async run(pixels) {
      const feed = { [session.inputNames[0]!]: new Tensor("float32", normalize(pixels), [1, 3, side, side]) };
      const outputs = await session.run(feed);
      return toMatte(outputs[session.outputNames[0]!]!.data as Float32Array);
    },
  };
}

export async function prepare(photo: Uint8Array): Promise<Uint8Array> {
  return await sharp(photo)
    .autoOrient()
    .removeAlpha()
    .toColorspace("srgb")
    .resize(side, side, { fit: "fill" })
    .raw()
    .toBuffer();
}

export async function compose(photo: Uint8Array, matte: Uint8Array): Promise<Buffer> {
  const { data, info } = await sharp(photo)
    .autoOrient()
    .removeAlpha()
    .toColorspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const alpha = await sharp(matte, { raw: { width: side, height: side, channels: 1 } })
    .resize(width, height, { fit: "fill" })
    .toColorspace("b-w")
    .raw()
    .toBuffer();
  return await sharp(data, { raw: { width, height, channels: 3 } })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

function normalize(pixels: Uint8Array): Float32Array {
  const planar = new Float32Array(pixels.length);
  const count = side * side;
  let most = 1;
  for (const value of pixels) if (value > most) most = value;
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < count; i++) {
      planar[c * count + i] = (pixels[i * 3 + c]! / most - means[c]!) / deviations[c]!;
    }
  }
  return planar;
}

function toMatte(values: Float32Array): Uint8Array {
  const plane = values.subarray(0, side * side);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of plane) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return Uint8Array.from(plane, (value) => Math.round((255 * (value - least)) / (most - least || 1)));
}
