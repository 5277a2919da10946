/** What reads bytes of strangers in code of ours, each with what must hold whatever it is given. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { PackshotError } from "@packshot/domain/errors.ts";
import { readWebUrl } from "@packshot/domain/jobs/image-url.ts";
import { assertContainerBounded } from "@packshot/platform/images/container-walk.ts";
import { type ImageHeader, sniffImage } from "@packshot/platform/images/image-header.ts";
import { largestTiffPage, readTiffPages } from "@packshot/platform/images/tiff-pages.ts";
import {
  checkTarget,
  isPublicAddress,
  literalAddress,
  parseAllowList,
} from "@packshot/platform/outbound/address-guard.ts";
import { createDiskLinks, storagePath } from "@packshot/platform/storage/disk-links.ts";
import sharp from "sharp";
import type { RowRules } from "../../services/api/features/batches/read/check-row.ts";
import { createRowsReader, type RowFormat } from "../../services/api/features/batches/read/read-rows.ts";
import { withEditForm } from "../../services/api/http/edit-form.ts";
import {
  metadataIn,
  ProtocolError,
  photoIn,
  pictureIn,
  readAnswer,
} from "../../services/inference/decoder/decoder-protocol.ts";
import { isPlainProfile } from "../../services/inference/imaging/codec/icc-profile.ts";
import { exifToWrite, readExif } from "../../services/inference/imaging/codec/read-exif.ts";
import { readIptc } from "../../services/inference/imaging/codec/read-iptc.ts";
import { formatXmp, type PictureWords, readXmp, xmpProperties } from "../../services/inference/imaging/codec/xmp.ts";
import { planScene } from "../../services/inference/imaging/scene/plan/scene-plan.ts";
import { parseTheme } from "../../services/inference/imaging/scene/words/theme.ts";
import * as odd from "../images/odd-images.ts";
import { tiffBytes } from "../images/tiff-bytes.ts";
import type { FuzzTarget } from "./coverage-fuzzer.ts";

const texts = (...all: readonly string[]) => all.map((text) => Buffer.from(text));
const textOf = (bytes: Buffer) => bytes.toString("utf8");

/** Whoever sends nonsense is told so by a code of ours; anything else is a fault. */
async function refusing(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof PackshotError)) throw error;
  }
}

const small = () => odd.product().resize(32, 24);
const pages = { width: 2, height: 1, samplesPerPixel: 3, photometric: 2, data: new Uint8Array(6) };

const headers: FuzzTarget = {
  name: "photo-headers",
  seeds: async () => [
    await small().jpeg({ progressive: true }).toBuffer(),
    await small()
      .withExif({ IFD0: { Copyright: "Packshot" } })
      .jpeg()
      .toBuffer(),
    await small().withIccProfile("p3").png().toBuffer(),
    await small().webp().toBuffer(),
    await small().avif({ effort: 0 }).toBuffer(),
    await odd.animatedGif(),
    await small().tiff({ compression: "lzw" }).toBuffer(),
    tiffBytes(pages, { ...pages, subfileType: 1, tags: { 700: new Uint8Array(20) } }),
  ],
  words: [
    "II*\0",
    "MM\0*",
    "IHDR",
    "IDAT",
    "acTL",
    "iCCP",
    "RIFF",
    "WEBPVP8X",
    "ANMF",
    "ftypheic",
    "meta",
    "iloc",
    "ipma",
    "\xff\xd8",
    "\xff\xc2",
    "\xff\xda",
    "GIF89a",
    "<svg",
  ],
  async run(bytes) {
    sniffImage(bytes);
    await refusing(() => assertContainerBounded(bytes));
    await refusing(async () => {
      const page = largestTiffPage(await readTiffPages(bytes));
      if (page !== undefined) assert.ok(page.photometricAt < bytes.length, "a field lies outside of the file");
    });
  },
};

const profiles: FuzzTarget = {
  name: "color-profiles",
  seeds: async () =>
    await Promise.all(
      ["p3", "srgb"].map(
        async (name) => (await sharp(await small().withIccProfile(name).png().toBuffer()).metadata()).icc!,
      ),
    ),
  words: ["acsp", "mntr", "RGB ", "XYZ ", "rTRC", "curv", "para", "sf32", "chad", "A2B0", "\0\0\0\x0c"],
  run: (bytes) => void isPlainProfile(bytes),
};

const xmpOf = (words: PictureWords) => {
  const properties = xmpProperties(words, undefined);
  return properties === undefined ? "" : formatXmp(properties);
};
const xmp = xmpOf({ creators: ["A & B"], rights: "© C", title: "T", keywords: ["k", "l"], createdAt: "2026-11-26" });

/** What is read of texts of strangers is of limited length, and read again from what is written of it. */
function checkWords(words: PictureWords): void {
  for (const text of Object.values(words).flat()) assert.ok(text.length <= 2_001, "a text is longer than its limit");
}

const metadata: FuzzTarget = {
  name: "photo-metadata",
  seeds: async () => {
    const photo = await small()
      .withExif({
        IFD0: { Artist: "Ä", Copyright: "(C)" },
        IFD2: { FNumber: "28/10" },
        IFD3: { GPSLatitude: "1/1 2/1 3/1" },
      })
      .jpeg()
      .toBuffer();
    const iptc = Buffer.from("1c025a00044265726e1c02740003a92043", "hex");
    return [(await sharp(photo).metadata()).exif!, iptc, Buffer.from(xmp)];
  },
  words: [
    "Exif\0\0",
    "II*\0",
    "8BIM\x04\x04",
    "\x1c\x02\x74",
    "<dc:creator>",
    "<rdf:Seq>",
    "<rdf:li>",
    "</rdf:li>",
    "<![CDATA[",
    "]]>",
    "&amp;",
    "&#x110000;",
    "&#0;",
  ],
  run(bytes) {
    exifToWrite(readExif(bytes));
    for (const words of [readIptc(bytes), readXmp(textOf(bytes))]) {
      checkWords(words);
      // What XML cannot hold is gone then.
      const written = readXmp(xmpOf(words));
      assert.deepEqual(readXmp(xmpOf(written)), written);
    }
  },
};

const size = { width: 4, height: 3 };

const answers: FuzzTarget = {
  name: "decoder-answers",
  seeds: async () =>
    texts(
      '{"kind":"decoded","about":{"format":"png","width":4,"height":3,"hasAmbiguousAlpha":false},"parts":[36,12,-1]}',
      '{"kind":"decoded","about":{"width":4,"height":3,"channels":4},"parts":[48]}',
      '{"kind":"decoded","about":{},"parts":[-1,3,-1]}',
      '{"kind":"refused","code":"image_unreadable","message":"It is damaged."}',
      '{"kind":"out-of-memory"}',
    ),
  words: [
    '"kind":',
    '"parts":[',
    "-1",
    "1e9",
    "null",
    "0.5",
    '"__proto__":',
    "9007199254740993",
    '"width":',
    '"channels":3',
  ],
  run(bytes) {
    const answer = readAnswer(textOf(bytes));
    if (answer?.kind !== "decoded") return;
    const read = (index: number) => {
      const length = answer.parts[index]!;
      assert.ok(length >= 0 && length <= 1 << 20, `a part of ${length} bytes is read`);
      return Buffer.alloc(length);
    };
    for (const taken of [
      () => photoIn(answer, { maxPixels: 12 }, read),
      () => pictureIn(answer, { ...size, channels: 3 }, read),
      () => pictureIn(answer, { ...size, channels: 4 }, read),
      () => metadataIn(answer, read),
    ]) {
      try {
        taken();
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
      }
    }
  },
};

const rules: RowRules = {
  tool: "mask",
  parameters: { output: { format: "webp", width: 800 } },
  tools: ["mask", "ai-shadows", "ai-bg"],
  models: ["u2netp"],
  connections: ["main"],
};

async function readRows(format: RowFormat, pieces: readonly Uint8Array[]) {
  const reader = createRowsReader({ format, rules, keepsRows: true });
  const segments = pieces.flatMap((piece) => reader.write(piece));
  segments.push(...(await reader.end()));
  return { summary: reader.summary(), rows: segments.map(({ text }) => textOf(Buffer.from(text))).join("") };
}

/** A file arrives in pieces of any length: its rows are the same. */
const rowsOf = (format: RowFormat, seeds: readonly string[], words: readonly string[]): FuzzTarget => ({
  name: `rows-${format}`,
  seeds: async () => texts(...seeds),
  words,
  bytesMax: 2_048,
  async run(bytes) {
    const whole = await readRows(format, [bytes]);
    const lines = textOf(bytes).split(/\r\n|\n|\r/).length;
    for (const { line } of whole.summary.faults) assert.ok(line >= 1 && line <= lines, `line ${line} of ${lines}`);
    for (const length of [1, 7]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) =>
        bytes.subarray(n * length, (n + 1) * length),
      );
      assert.deepEqual(await readRows(format, pieces), whole, `in pieces of ${length}`);
    }
  },
});

const csv = rowsOf(
  "csv",
  [
    'ref,imageUrl,tool,output.format,theme\r\n"A ""1""",https://shop.example/1.jpg,mask,png,\r\nB,s3://main/2.png,ai-bg,,"two\nlines"\n',
    "sep=;\nref;uploadSessionId;parameters.seed\nA;0193;7\n",
    "\ufeffref\timageUrl\nA\thttps://shop.example/1.jpg\n",
  ],
  ["\r\n", '"', '""', "\ufeff", "\0", "sep=", "destination", "preset", "output.margin", "\xff"],
);

const ndjson = rowsOf(
  "ndjson",
  [
    '{"ref":"A","imageUrl":"https://shop.example/1.jpg","tool":null,"parameters":{"seed":1,"output":{"width":null}}}\n{"ref":"B","uploadSessionId":"0193","tool":"ai-bg"}',
    '{"ref":"C","imageUrl":"s3://main/1.png","preset":"amazon-main","parameters":{"background":{"color":"#fff"}}}\r\n',
  ],
  ["\n", '"parameters":{', '"output":[', '"__proto__":{', '"constructor":', "\\ud800", "1e999", "null", "\xef\xbb\xbf"],
);

const boundary = "packshot";
const part = (disposition: string, body: string, more = "") =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${body}\r\n`;

const forms: FuzzTarget = {
  name: "forms",
  seeds: async () =>
    texts(
      `${part('name="tool"', "mask")}${part('name="image"; filename="a.gif"', "GIF89a")}--${boundary}--\r\n`,
      `${part('name="parameters.theme"', "b2Fr", "Content-Transfer-Encoding: base64\r\n")}--${boundary}--\r\n`,
      `${part("name=\"maskImage\"; filename*=UTF-8''%C3%A4.png", "GIF89a", "Content-Type: image/png\r\n")}--${boundary}--\r\n`,
    ),
  words: [
    `\r\n--${boundary}`,
    "--\r\n",
    "\r\n\r\n",
    'name="',
    "filename*=",
    "Content-Disposition: form-data;",
    "Content-Type: text/plain; charset=utf-16",
    "quoted-printable",
    "__proto__",
    ".",
  ],
  bytesMax: 4_096,
  async run(bytes) {
    const request = Object.assign(Readable.from([bytes]), {
      headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": String(bytes.length) },
    });
    const inspectImage = async (): Promise<ImageHeader> => ({
      format: "gif",
      contentType: "image/gif",
      width: 1,
      height: 1,
      pages: 1,
    });
    let held = 0;
    const acquireSlot = () => {
      held += 1;
      return () => {
        held -= 1;
      };
    };
    await refusing(() =>
      withEditForm(
        request as never,
        { fileBytesMax: 2_048, maxPixels: 1, inspectImage, acquireSlot },
        async ({ fields, file }) => {
          for (const text of Object.values(fields)) assert.equal(typeof text, "string");
          if (file !== undefined) assert.ok(file.bytes <= 2_048, "a file is larger than its limit");
        },
      ),
    );
    assert.equal(held, 0, "a slot is held");
  },
};

const themes: FuzzTarget = {
  name: "themes",
  seeds: async () =>
    texts(
      "oak table with lemons, soft light",
      "Sommer am Strand, ohne Palmen",
      "cuisine blanche #ff8800",
      "neon city at night: two pink lamps",
    ),
  words: [
    "no ",
    "without ",
    "ohne ",
    "#0f0",
    "'s ",
    "-",
    ", ",
    " on a ",
    " and ",
    "pastel ",
    "\u00ad",
    "\u0130",
    "ß",
    "constructor",
    "__proto__",
    "two ",
    "marble",
  ],
  bytesMax: 400,
  run(bytes) {
    const text = textOf(bytes);
    const plan = () => planScene(parseTheme(text), text, 7);
    assert.deepEqual(plan(), plan());
  },
};

const noneAllowed = parseAllowList("");

const addresses: FuzzTarget = {
  name: "addresses",
  seeds: async () =>
    texts(
      "https://shop.example/a b.jpg?x=1",
      "http://127.0.0.1/",
      "https://[::ffff:10.0.0.1]:443/",
      "http://0x7f.1",
      "https://u:p@shop.example",
      "s3://main/k",
      "http://1.2.3.4:8080",
    ),
  words: [
    "http://",
    "https://",
    "@",
    ":80",
    "[::1]",
    "127.1",
    "0177.0.0.1",
    "169.254.169.254",
    "localhost",
    ".",
    "%2e",
    "\\",
    "\t",
    "\u3002",
    "64:ff9b::",
  ],
  bytesMax: 300,
  run(bytes) {
    let url: string;
    try {
      url = readWebUrl(textOf(bytes), "imageUrl");
    } catch (error) {
      if (error instanceof PackshotError) return;
      throw error;
    }
    assert.equal(readWebUrl(url, "imageUrl"), url, "read twice, it is another");
    try {
      checkTarget(url, { allow: noneAllowed, purpose: "source" });
    } catch (error) {
      if (error instanceof PackshotError) return;
      throw error;
    }
    const { hostname, username } = new URL(url);
    assert.equal(username, "");
    const literal = literalAddress(hostname);
    // Numbers between single dots are an address to some resolver; what has empty labels is a name, checked when it is resolved.
    if (/^\d+(?:\.\d+)*\.?$|^\[/.test(hostname))
      assert.ok(literal !== undefined && isPublicAddress(literal), `${hostname} may be reached`);
  },
};

const links = createDiskLinks({ publicUrl: "http://a", linkKeys: [Buffer.alloc(32, 7)] });
const nowMs = 1_000;
const signed = [
  links.signGet("api/results/1.png", { expiresAtMs: 2_000, contentType: "image/png", filename: "ä b.png" }),
  links.signPut("api/uploads/1", { expiresAtMs: 2_000, contentType: "image/png", sizeBytes: 5 }).url,
];
const verify = (method: string, link: string) => {
  const url = URL.parse(link);
  return url === null ? undefined : links.verifyLink(method, url.pathname, url.searchParams, nowMs);
};
const meanings = new Set(
  ["GET", "PUT"].flatMap((method) => signed.map((link) => JSON.stringify(verify(method, link)))),
);

const signedLinks: FuzzTarget = {
  name: "signed-links",
  seeds: async () => texts(...signed),
  words: [
    "&",
    "signature=",
    "expires=9999999999999",
    "type=text/html",
    "%2e%2e/",
    storagePath,
    "..",
    "#",
    "%00",
    "size=9",
  ],
  bytesMax: 400,
  run(bytes) {
    for (const method of ["GET", "PUT", "HEAD"]) {
      const verified = verify(method, textOf(bytes));
      if (verified === undefined || verified.kind === "forbidden" || verified.kind === "expired") continue;
      assert.ok(meanings.has(JSON.stringify(verified)), "a link that was not signed is accepted");
    }
  },
};

export const targets: readonly FuzzTarget[] = [
  headers,
  profiles,
  metadata,
  answers,
  csv,
  ndjson,
  forms,
  themes,
  addresses,
  signedLinks,
];
