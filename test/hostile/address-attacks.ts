/** Addresses that lead into the operator's network: of webhooks, buckets, photos. And buckets' names and keys. */
import type { Random } from "@packshot/domain/random.ts";
import { type Attack, refused, type Target } from "./attack.ts";
import { describe } from "./hostile-client.ts";

/** Hosts that are addresses of this machine, of private networks, of clouds' metadata, or of no one, in many spellings. */
function forbiddenHost(random: Random): string {
  const byte = () => random.integer(0, 255);
  const a = byte();
  const b = byte();
  const c = byte();
  const hex = (value: number) => value.toString(16);
  const hosts = [
    `127.${a}.${b}.${c}`,
    `10.${a}.${b}.${c}`,
    `192.168.${a}.${b}`,
    `172.${random.integer(16, 31)}.${a}.${b}`,
    `169.254.${a}.${b}`,
    "169.254.169.254",
    `100.${random.integer(64, 127)}.${a}.${b}`,
    `0.${a}.${b}.${c}`,
    `${random.integer(224, 255)}.${a}.${b}.${c}`,
    `198.18.${a}.${b}`,
    "192.0.2.1",
    "203.0.113.9",
    "198.51.100.7",
    String(0x7f000000 + a * 65_536 + b * 256 + c),
    `0x7f${hex(0x100 + a).slice(1)}${hex(0x100 + b).slice(1)}${hex(0x100 + c).slice(1)}`,
    `0177.${a}.${b}.${c}`,
    `127.${b}`,
    `127.0.${a * 256 + b}`,
    "[::1]",
    "[::]",
    `[::ffff:127.0.${a}.${b}]`,
    `[::ffff:7f00:${hex(a)}]`,
    `[fe80::${hex(a)}:${hex(b)}]`,
    `[fc00::${hex(a)}]`,
    `[fd12:3456::${hex(b)}]`,
    `[ff02::${hex(a)}]`,
    `[64:ff9b::127.0.0.${a}]`,
    "[::127.0.0.1]",
    "[2001:db8::1]",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
  ];
  return random.pick(hosts as [string]);
}

const schemes = [
  "file:///etc/passwd",
  "gopher://127.0.0.1:6379/_INFO",
  "ftp://127.0.0.1/a.jpg",
  "data:image/png;base64,AAAA",
  "javascript:alert(1)",
  "unix:/var/run/docker.sock",
  "//127.0.0.1/a",
  "http:127.0.0.1",
  "http://",
  "https:///a",
  "http://a b/",
  "dict://127.0.0.1:11211/stat",
] as const;

function forbiddenUrl(random: Random, scheme: string): string {
  if (random.chance(0.12)) return random.pick(schemes);
  const user = random.pick(["", "", "", "shop.example@", "shop.example:443@", "a:b@"]);
  const port = random.pick(["", "", ":443", ":80", ":22", ":6379", ":4222", ":65535"]);
  return `${scheme}://${user}${forbiddenHost(random)}${port}/${random.pick(["", "a.jpg", "latest/meta-data/", "..%2f", "a?b=https://shop.example"])}`;
}

const headers = { "Content-Type": "application/json" };
const post = (path: string, order: object, right: readonly string[], name: string): Attack => ({
  name: `${path}: ${name}`,
  right,
  send: async (client) =>
    describe(await client.request({ method: "POST", path, headers, body: Buffer.from(JSON.stringify(order)) })),
});

const bucket = {
  name: "hostile",
  region: "us-east-1",
  bucket: "photos",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "s".repeat(40),
};

export function webhookAttacks(random: Random, count: number): Attack[] {
  return Array.from({ length: count }, () => {
    const url = forbiddenUrl(random, "https");
    return post("/v1/webhooks", { url }, refused, url);
  });
}

const wrongBuckets = [
  { bucket: "../other" },
  { bucket: "a/b" },
  { bucket: "UPPER" },
  { bucket: "a" },
  { bucket: "b".repeat(64) },
  { bucket: "127.0.0.1/x" },
  { bucket: "a?b" },
  { prefix: "a\0b" },
  { prefix: "a b" },
  { prefix: "p".repeat(201) },
  { prefix: "?x=1" },
  { prefix: "a#b" },
  { prefix: "a\r\nb" },
  { name: "../x" },
  { name: "__proto__" },
  { name: "N" },
  { name: "" },
  { name: "n".repeat(64) },
  { name: "a/b" },
  { region: "us east" },
  { region: "\r\nX: 1" },
  { region: "r".repeat(200) },
  { accessKeyId: "a\r\nb" },
  { accessKeyId: "" },
  { secretAccessKey: "a\nb" },
  { secretAccessKey: "" },
] as const;
const wrongKeys = [
  "../{ref}.{ext}",
  "a/../../b.{ext}",
  "{password}",
  "{",
  "a\0b",
  "k".repeat(801),
  "",
  "{ref}\r\nX: 1",
] as const;

/** Connections that must not be made, and destinations whose keys lead out of theirs. */
export function bucketAttacks(random: Random, count: number, { siteUrl }: Target): Attack[] {
  const imageUrl = `${siteUrl}/photo.jpg`;
  return Array.from({ length: count }, () => {
    const kind = random.integer(0, 2);
    if (kind === 0) {
      const endpoint = forbiddenUrl(random, "https");
      return post("/v1/connections", { ...bucket, endpoint }, refused, endpoint);
    }
    if (kind === 1) {
      const wrong = random.pick(wrongBuckets);
      return post(
        "/v1/connections",
        { ...bucket, endpoint: "https://s3.shop.example", ...wrong },
        refused,
        JSON.stringify(wrong),
      );
    }
    const key = random.pick(wrongKeys);
    const destination = { connection: random.pick(["shop", "__proto__", "..", "hostile"]), key };
    return post("/v1/tools/mask/edit", { imageUrl, destination }, refused, JSON.stringify(key).slice(0, 40));
  });
}

/** Pages of the hostile site; the worker fetches them. */
export const sitePages = [
  "/missing",
  "/inside",
  "/metadata",
  "/ring",
  "/page",
  "/short",
  "/packed",
  "/empty",
  "/large",
  "/slow",
] as const;

/** How an edit ends whose photo cannot be had. */
export const unfetched = [
  "200 failed source_unreachable",
  "200 failed source_forbidden",
  "200 failed image_unreadable",
  "200 failed unsupported_media_type",
  "200 failed file_too_large",
];

export function sourceAttacks(random: Random, count: number, { siteUrl }: Target): Attack[] {
  return Array.from({ length: count }, (_, i): Attack => {
    const isPage = i % 4 === 0;
    const page = random.pick(sitePages);
    const imageUrl = isPage ? siteUrl + page : forbiddenUrl(random, random.pick(["http", "https"]));
    const right = isPage ? unfetched : [...refused, "200 failed source_forbidden", "200 failed source_unreachable"];
    return {
      name: isPage ? `a photo at ${page}` : `a photo at ${imageUrl}`,
      right,
      send: (client) => client.edit({ headers, body: Buffer.from(JSON.stringify({ imageUrl })) }),
    };
  });
}
