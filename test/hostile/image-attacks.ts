/** Photos that are damaged or lie about themselves. Each ends as an edit, or is refused as one that cannot be read. */
import type { Random } from "@packshot/domain/random.ts";
import {
  gifOfFrames,
  jpegSegment,
  jpegWith,
  pngBombOfTexts,
  pngWith,
  tiffOf,
  webpWith,
} from "../../testing/images/bombs.ts";
import { notAnImage, pngBomb, pngClaiming, svg } from "../../testing/images/odd-images.ts";
import type { Attack, Target } from "./attack.ts";
import { photoForm } from "./form-attacks.ts";

const unreadable = ["415 unsupported_media_type", "413 image_too_large", "422 image_unreadable"];
const failed = ["image_unreadable", "image_too_large", "unsupported_media_type", "no_product_found"].map(
  (code) => `200 failed ${code}`,
);
const edited = ["200 completed", ...failed];

type Damage = (photo: Buffer, random: Random) => Buffer;

const damages: Readonly<Record<string, Damage>> = {
  "ends early": (photo, random) => photo.subarray(0, random.integer(0, photo.length - 1)),
  "has flipped bits": (photo, random) => {
    const copy = Buffer.from(photo);
    for (let flips = random.integer(1, 40); flips > 0; flips--)
      copy[random.integer(0, copy.length - 1)]! ^= 1 << random.integer(0, 7);
    return copy;
  },
  "has flipped bits in its head": (photo, random) => {
    const copy = Buffer.from(photo);
    for (let flips = random.integer(1, 8); flips > 0; flips--)
      copy[random.integer(0, 60)]! ^= 1 << random.integer(0, 7);
    return copy;
  },
  "has a length of its own": (photo, random) => {
    const copy = Buffer.from(photo);
    const at = random.integer(4, Math.min(200, copy.length - 5));
    copy.writeUInt32BE(random.pick([0, 0xffffffff, 0x7fffffff, 0x80000000, copy.length]), at);
    return copy;
  },
  "has a piece twice": (photo, random) => {
    const from = random.integer(8, photo.length - 2);
    const to = random.integer(from + 1, photo.length);
    return Buffer.concat([photo.subarray(0, to), photo.subarray(from, to), photo.subarray(to)]);
  },
  "lacks a piece": (photo, random) => {
    const from = random.integer(8, photo.length - 2);
    return Buffer.concat([
      photo.subarray(0, from),
      photo.subarray(Math.min(photo.length, from + random.integer(1, 300))),
    ]);
  },
  "begins with bytes of another file": (photo, random) =>
    Buffer.concat([
      Buffer.from(random.pick(["GIF89a", "%PDF-1.7\n", "PK\x03\x04", "<?xml ", "\x7fELF", "RIFF"])),
      photo,
    ]),
  "is followed by another file": (photo, random) =>
    Buffer.concat([
      photo,
      Buffer.from(
        random
          .pick(["PK\x03\x04", "<script>alert(1)</script>", "<?php system('id'); ?>"])
          .repeat(random.integer(1, 500)),
      ),
    ]),
  "is overwritten from some place on": (photo, random) =>
    Buffer.concat([
      photo.subarray(0, random.integer(2, photo.length - 1)),
      Buffer.from(Array.from({ length: 500 }, () => random.integer(0, 255))),
    ]),
};

const made = new Map<string, Buffer | Promise<Buffer>>();

/** These take a second to make, and are the same each time. */
function once(name: string, make: () => Buffer | Promise<Buffer>): Buffer | Promise<Buffer> {
  const bomb = made.get(name) ?? make();
  made.set(name, bomb);
  return bomb;
}

const drawing = (text: string) => Buffer.from(`<?xml version="1.0"?>${text}`);

/** Files that no decoder may be let near, or whose size lies. */
const lies: Readonly<Record<string, (random: Random) => Buffer | Promise<Buffer>>> = {
  "a drawing": svg,
  "a drawing that names a file": () =>
    drawing(
      '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&f;</text></svg>',
    ),
  "a drawing of entities": () =>
    drawing(
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${"bcdefgh"
        .split("")
        .map((name, i) => `<!ENTITY ${name} "${`&${"abcdefg"[i]};`.repeat(10)}">`)
        .join("")}]><svg>&h;</svg>`,
    ),
  "a page": () => Buffer.from("<html><img src=x onerror=alert(1)></html>"),
  "a table": notAnImage,
  "commands for ImageMagick": () =>
    Buffer.from(
      "push graphic-context\nviewbox 0 0 640 480\nfill 'url(https://127.0.0.1/\"|id; \")'\npop graphic-context\n",
    ),
  "a PostScript program": () => Buffer.from("%!PS\n(/etc/passwd) (r) file 512 string readstring pop print\n"),
  "200 megapixels": () => once("pixels", pngBomb),
  "a header of more pixels than there are": (random) =>
    pngClaiming(random.integer(30_000, 2_147_483_647), random.integer(30_000, 2_147_483_647)),
  "a header of no pixels": (random) => pngClaiming(random.integer(0, 1), 0),
  "compressed text of 150 MB": () => once("text", () => pngBombOfTexts(3)),
  "frames without number": (random) => gifOfFrames(random.integer(10_000, 60_000)),
  "pages without number": (random) => tiffOf({ pages: random.integer(1_000, 9_000) }),
  "pages that follow each other in a ring": (random) => tiffOf({ pages: random.integer(2, 9), isLoop: true }),
  "tags that share their bytes": (random) =>
    tiffOf({ tags: Array.from({ length: random.integer(50, 900) }, (_, i) => 40_000 + i), bytes: 100_000 }),
  "segments without number": (random) =>
    jpegWith(...Array.from({ length: random.integer(100, 900) }, () => jpegSegment(0xe1, Buffer.alloc(60_000, "x")))),
  "chunks without number": (random) =>
    webpWith(...Array.from({ length: random.integer(1_000, 9_000) }, () => ["EXIF", Buffer.alloc(3)] as const)),
  "chunks of a kind that there is not": (random) =>
    pngWith(...Array.from({ length: random.integer(1_000, 9_000) }, () => ["quZZ", Buffer.alloc(3)] as const)),
};

export async function imageAttacks(random: Random, count: number, { photos }: Target): Promise<Attack[]> {
  const kinds = Object.entries(photos) as [[string, Buffer], ...[string, Buffer][]];
  const damagesByName = Object.entries(damages) as [[string, Damage], ...[string, Damage][]];
  const liesByName = Object.entries(lies);
  const attacks: Attack[] = [];
  for (let i = 0; i < count; i++) {
    if (i % 8 === 0) {
      const [name, make] = liesByName[(i / 8) % liesByName.length]!;
      attacks.push(photoAttack(name, await make(random)));
    } else {
      const [kind, photo] = random.pick(kinds);
      const [name, damage] = random.pick(damagesByName);
      attacks.push(photoAttack(`a ${kind} that ${name}`, damage(photo, random)));
    }
  }
  return attacks;
}

function photoAttack(name: string, photo: Buffer): Attack {
  return { name, right: [...edited, ...unreadable], send: (client) => client.edit(photoForm(photo)) };
}
