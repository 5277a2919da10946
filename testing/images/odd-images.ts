/** Unusual and invalid images, as customers send them; each is what its name says. */
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

const width = 320;
const height = 240;

/** A red mug-like body on a light sweep, left of the middle, so that a rotation shows. */
export function productPixels(): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = Math.abs(x - 120) < 55 && Math.abs(y - 125) < 70;
      const shade = inside ? 0.6 + 0.4 * Math.cos((x - 110) / 50) : 0.96 - y / 8000;
      const color = inside ? [190, 40, 45] : [250, 250, 250];
      for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = Math.max(0, Math.round(color[c]! * shade));
    }
  }
  return pixels;
}

export function product() {
  return sharp(productPixels(), { raw: { width, height, channels: 3 } });
}

export const jpeg = () => product().jpeg({ quality: 90 }).toBuffer();
export const png = () => product().png().toBuffer();
export const truncatedJpeg = async () => (await jpeg()).subarray(0, 2_000);
export const cmykJpeg = () => product().toColorspace("cmyk").jpeg().toBuffer();
export const rotatedJpeg = () => product().withMetadata({ orientation: 6 }).jpeg().toBuffer();
export const png16 = () => product().toColorspace("rgb16").png().toBuffer();
export const onePixel = () =>
  sharp({ create: { width: 1, height: 1, channels: 3, background: "#888" } })
    .png()
    .toBuffer();
export const svg = () =>
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>');
export const notAnImage = () => Buffer.from("id,price\n1,9.99\n".repeat(50));

async function frames(): Promise<Buffer> {
  const first = productPixels();
  return Buffer.concat([first, Buffer.alloc(first.length, 20), Buffer.alloc(first.length, 200)]);
}
const animated = async () =>
  sharp(await frames(), { raw: { width, height: height * 3, channels: 3, pageHeight: height } });
export const animatedGif = async () => (await animated()).gif({ delay: [100, 100, 100] }).toBuffer();
export const animatedWebp = async () => (await animated()).webp({ delay: [100, 100, 100] }).toBuffer();

export async function withAlpha(): Promise<Buffer> {
  const pixels = productPixels();
  const rgba = Buffer.alloc(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    pixels.copy(rgba, i * 4, i * 3, i * 3 + 3);
    rgba[i * 4 + 3] = pixels[i * 3 + 1]! < 100 ? 255 : 0;
  }
  return await sharp(rgba, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

/** 200 megapixels of one gray in a few hundred kilobytes: a header that no server may trust. */
export function pngBomb(): Buffer {
  const across = 20_000;
  const down = 10_000;
  return pngOf(across, down, { colorType: 0, data: deflateSync(Buffer.alloc((across + 1) * down), { level: 9 }) });
}

/** A PNG that is only a header: its size is checked before any pixel is decoded. */
export function pngClaiming(width: number, height: number): Buffer {
  return pngOf(width, height, { colorType: 2, data: Buffer.alloc(0) });
}

function pngOf(width: number, height: number, { colorType, data }: { colorType: number; data: Buffer }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colorType, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    pngChunk("IHDR", header),
    pngChunk("IDAT", data),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
