/** HEIC photos for tests, made when they are needed: neither sharp nor libheif-js encodes HEVC, and none is copied here. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonEnvironment } from "../python-environment.ts";

const packages = ["pillow-heif==1.8.1", "pillow==13.0.0"];

/** What `PIL.Image.save` and its HEIF plugin are told; the pixels are those of a PNG. */
export interface HeicOptions {
  /** EXIF's orientation, which the plugin writes as the container's rotation. */
  readonly orientation?: number;
  /** Pixels of a side, as phones cut their photos into tiles of 512. */
  readonly tileSize?: number;
  readonly icc?: Buffer;
  /** Ten bits a channel, of gray from left to right; the PNG gives the size only. */
  readonly isTenBit?: boolean;
}

const script = `
import json, sys
from PIL import Image
import pillow_heif
pillow_heif.register_heif_opener()
for order in json.load(sys.stdin):
    image = Image.open(order["png"])
    save = {"quality": -1, "chroma": 444}
    if "orientation" in order:
        exif = Image.Exif()
        exif[0x112] = order["orientation"]
        save["exif"] = exif.tobytes()
    if "tileSize" in order:
        save["grid_tile_size"] = order["tileSize"]
    if "icc" in order:
        save["icc_profile"] = open(order["icc"], "rb").read()
    if order.get("isTenBit"):
        width, height = image.size
        row = b"".join((x * 65535 // (width - 1)).to_bytes(2, "little") * 3 for x in range(width))
        pillow_heif.from_bytes(mode="RGB;16", size=image.size, data=row * height).save(order["out"], quality=90)
    else:
        image.save(order["out"], **save)
`;

/** In the order of the orders. */
export function makeHeicPhotos(orders: readonly (HeicOptions & { readonly png: Buffer })[]): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), "packshot-heic-"));
  try {
    const files = orders.map(({ png, icc, ...options }, index) => {
      const path = (name: string) => join(folder, `${index}.${name}`);
      writeFileSync(path("png"), png);
      if (icc !== undefined) writeFileSync(path("icc"), icc);
      return { ...options, png: path("png"), out: path("heic"), ...(icc && { icc: path("icc") }) };
    });
    const python = join(pythonEnvironment("heic", packages), "python");
    execFileSync(python, ["-c", script], { input: JSON.stringify(files), stdio: ["pipe", "inherit", "inherit"] });
    return files.map(({ out }) => readFileSync(out));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
