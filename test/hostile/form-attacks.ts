/** Multipart forms that are none, that hold too much, or whose names lead elsewhere. */
import type { Random } from "@packshot/domain/random.ts";
import { type Attack, refused, type Target } from "./attack.ts";

const boundary = "----hostile";
const end = `--${boundary}--\r\n`;

function part(disposition: string, content: Buffer | string, more = ""): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(content as Buffer), Buffer.from("\r\n")]);
}

const field = (name: string, value: string) => part(`name="${name}"`, value);
const image = (photo: Buffer, filename = "photo.jpg") =>
  part(`name="image"; filename="${filename}"`, photo, "Content-Type: image/jpeg\r\n");
const form = (...parts: readonly (Buffer | string)[]) =>
  Buffer.concat(parts.map((bytes) => Buffer.from(bytes as Buffer)));

/** A form with one photo, as a client sends it. */
export function photoForm(photo: Buffer) {
  return { headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` }, body: form(image(photo), end) };
}

interface Form {
  readonly body: Buffer;
  readonly right: readonly string[];
  readonly type?: string;
}
type Make = (photo: Buffer, random: Random) => Form;

const withoutImage = [...refused, "415 unsupported_media_type", "closed"];

/** Names that a file on a disk or a header must never get. */
const hostileNames = [
  "../../../etc/passwd",
  "..\\..\\boot.ini",
  "/etc/cron.d/x",
  "CON",
  "a\0.jpg",
  "a%00.php",
  "'; DROP TABLE jobs; --",
  "$(id).jpg",
  "<script>.jpg",
  "\u202egpj.exe",
] as const;

const forms: Readonly<Record<string, Make>> = {
  "no boundary": (photo) => ({ body: form(image(photo), end), right: refused, type: "multipart/form-data" }),
  "a boundary of its own": (photo) => ({
    body: form(image(photo), end),
    right: withoutImage,
    type: "multipart/form-data; boundary=other",
  }),
  "a boundary of a thousand letters": (photo) => ({
    body: form(image(photo), end),
    right: withoutImage,
    type: `multipart/form-data; boundary=${"b".repeat(1_000)}`,
  }),
  "no end": (photo) => ({ body: form(image(photo)), right: withoutImage }),
  "an end in the middle of a part": (photo, random) => ({
    body: image(photo).subarray(0, random.integer(20, 400)),
    right: withoutImage,
  }),
  "nothing in it": () => ({ body: form(end), right: withoutImage }),
  "too many fields": (photo, random) => ({
    body: form(...Array.from({ length: random.integer(70, 700) }, (_, i) => field(`f${i}`, "x")), image(photo), end),
    right: refused,
  }),
  "an unknown field": (photo, random) => ({
    body: form(
      field(
        random.pick([
          "__proto__",
          "constructor",
          "image[]",
          "output[__proto__]",
          "toString",
          "admin",
          "parameters.__proto__.x",
        ]),
        "1",
      ),
      image(photo),
      end,
    ),
    right: refused,
  }),
  "a name that is too long": (photo, random) => ({
    body: form(field("n".repeat(random.integer(201, 5_000)), "x"), image(photo), end),
    right: refused,
  }),
  "a value that is too long": (photo, random) => ({
    body: form(field("metadata", "x".repeat(random.integer(5_000, 90_000))), image(photo), end),
    right: refused,
  }),
  "parameters that are no JSON": (photo, random) => ({
    body: form(field("parameters", random.pick(["{", "[]", "1", "null,", "\0", "{'a':1}"])), image(photo), end),
    right: refused,
  }),
  "two photos": (photo) => ({ body: form(image(photo), image(photo), end), right: refused }),
  "a photo and an address of one": (photo) => ({
    body: form(field("imageUrl", "https://shop.example/a.jpg"), image(photo), end),
    right: refused,
  }),
  "a part without a name": (photo) => ({ body: form(part("filename=x", photo), end), right: withoutImage }),
  "a part whose headers have no end": (photo, random) => ({
    body: form(
      `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="${"x".repeat(random.integer(20_000, 90_000))}"\r\n`,
      photo,
      end,
    ),
    right: withoutImage,
  }),
  "parts within parts": (photo) => ({
    body: form(
      part(
        'name="image"; filename="a"',
        form(image(photo), end),
        `Content-Type: multipart/mixed; boundary=${boundary}\r\n`,
      ),
      end,
    ),
    right: [...withoutImage, "200 completed"],
  }),
  "a transfer encoding that is none": (photo) => ({
    body: form(part('name="image"; filename="a"', photo, "Content-Transfer-Encoding: base64\r\n"), end),
    right: [...withoutImage, "422 image_unreadable"],
  }),
  "a file name that leads elsewhere": (photo, random) => ({
    body: form(image(photo, random.pick(hostileNames)), end),
    right: ["200 completed", ...refused],
  }),
  "a file name with line ends": (photo) => ({
    body: form(image(photo, 'a"\r\nX-Evil: 1\r\n\r\n'), end),
    right: withoutImage,
  }),
  "a long preamble": (photo, random) => ({
    body: form("x".repeat(random.integer(1_000, 300_000)), `\r\n`, image(photo), end),
    right: ["200 completed", ...refused],
  }),
};

export function formAttacks(random: Random, count: number, { photo }: Target): Attack[] {
  const all = Object.entries(forms) as [[string, Make], ...[string, Make][]];
  return Array.from({ length: count }, () => {
    const [name, make] = random.pick(all);
    const { body, right, type = `multipart/form-data; boundary=${boundary}` } = make(photo, random);
    return { name, right, send: (client) => client.edit({ headers: { "Content-Type": type }, body }) };
  });
}
