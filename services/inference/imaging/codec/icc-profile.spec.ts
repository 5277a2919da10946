import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { decodePhoto } from "./decode.ts";
import { isPlainProfile } from "./icc-profile.ts";

const side = 8;
const limits = { maxPixels: 100 };
const tagsAt = 132;
let plain: Buffer;
let photo: Buffer;

beforeAll(async () => {
  photo = await sharp({ create: { width: side, height: side, channels: 3, background: "#c04020" } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  plain = (await sharp(photo).metadata()).icc!;
});

/** Where the entry of a tag is in the profile's table. */
const entryOf = (name: string) => plain.indexOf(name, tagsAt, "latin1");
const offsetOf = (name: string) => plain.readUInt32BE(entryOf(name) + 4);

const damages: Readonly<Record<string, (profile: Buffer) => Buffer | undefined>> = {
  "is cut short": (profile) => profile.subarray(0, -1),
  "is no profile": () => Buffer.from("profile"),
  "has another signature": (profile) => void profile.write("xxxx", 36, "latin1"),
  "is that of a printer": (profile) => void profile.write("prtr", 12, "latin1"),
  "has CMYK colors": (profile) => void profile.write("CMYK", 16, "latin1"),
  "goes by way of L*a*b*": (profile) => void profile.write("Lab ", 20, "latin1"),
  "has more tags than there is room for": (profile) => void profile.writeUInt32BE(0xffff_ffff, 128),
  "has a tag behind its end": (profile) => void profile.writeUInt32BE(profile.length - 4, entryOf("rXYZ") + 4),
  "has a tag that overflows": (profile) => void profile.writeUInt32BE(0xffff_fff0, entryOf("rXYZ") + 8),
  "has a tag within its header": (profile) => void profile.writeUInt32BE(0, entryOf("desc") + 4),
  "has a table": (profile) => void profile.write("A2B0", entryOf("desc"), "latin1"),
  "has a tag twice": (profile) => void profile.write("cprt", entryOf("desc"), "latin1"),
  "lacks a primary": (profile) => void profile.write("yXYZ", entryOf("rXYZ"), "latin1"),
  "has a primary of another type": (profile) => void profile.write("text", offsetOf("rXYZ"), "latin1"),
  "has a curve of more entries than it holds": (profile) => {
    profile.write("curv", offsetOf("rTRC"), "latin1");
    profile.writeUInt32BE(4_000, offsetOf("rTRC") + 8);
  },
  "has a curve of a kind that is unknown": (profile) => {
    profile.write("para", offsetOf("rTRC"), "latin1");
    profile.writeUInt16BE(9, offsetOf("rTRC") + 8);
  },
  "has an adaptation of too few numbers": (profile) => void profile.writeUInt32BE(40, entryOf("chad") + 8),
};

function damaged(damage: (typeof damages)[string]): Buffer {
  const profile = Buffer.from(plain);
  return damage(profile) ?? profile;
}

describe("a profile is handed on", () => {
  test("of primaries and curves", () => expect(isPlainProfile(plain)).toBe(true));

  test.each(Object.entries(damages))("and not one that %s", (_, damage) => {
    expect(isPlainProfile(damaged(damage))).toBe(false);
  });

  test("and not one of more bytes than such profiles need", () => {
    const large = Buffer.concat([plain, Buffer.alloc(128 * 1024)]);
    large.writeUInt32BE(large.length, 0);
    expect(isPlainProfile(large)).toBe(false);
  });
});

test.each(["has a table", "has a curve of more entries than it holds", "is that of a printer"])(
  "a photo whose profile %s is decoded to sRGB, without a profile",
  async (what) => {
    const { data, info } = await sharp(photo).keepIccProfile().raw().toBuffer({ resolveWithObject: true });
    const profile = damaged(damages[what]!);
    const jpeg = await sharp(data, { raw: { width: side, height: side, channels: info.channels } })
      .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
      .toBuffer();
    const tagged = withProfile(jpeg, profile);
    expect((await sharp(tagged).metadata()).icc?.equals(profile)).toBe(true);
    const decoded = await decodePhoto(tagged, limits);
    expect([decoded.icc, decoded.rgb.length]).toEqual([undefined, side * side * 3]);
  },
);

/** As an APP2 segment behind the start of a JPEG. */
function withProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from("ICC_PROFILE\0\x01\x01", "latin1"), profile]);
  const head = Buffer.from([0xff, 0xe2, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}
