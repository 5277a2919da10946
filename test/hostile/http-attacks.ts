/** Requests that are no HTTP, or that two readers of HTTP might read differently. */
import type { Random } from "@packshot/domain/random.ts";
import { type Attack, noise, refused, type Target } from "./attack.ts";
import { describe } from "./hostile-client.ts";

const host = "Host: api.example\r\n";
const line = "GET /healthz HTTP/1.1\r\n";
const filler = (random: Random, low: number, high: number) => "A".repeat(random.integer(low, high));

type Make = (random: Random) => {
  readonly bytes: string | Buffer;
  readonly right: readonly string[];
  /** All that a request has; absent: the connection ends after the bytes. */
  readonly end?: "stays";
};

const refusedOrClosed = [...refused, "closed"];

/** By what is wrong with them; each is sent on a connection of its own, which is then closed. */
const malformed: Readonly<Record<string, Make>> = {
  "random bytes": (random) => ({ bytes: noise(random, random.integer(1, 4_000)), right: refusedOrClosed }),
  "random bytes as a path": (random) => ({
    bytes: Buffer.concat([
      Buffer.from("GET /"),
      noise(random, random.integer(1, 64)),
      Buffer.from(` HTTP/1.1\r\n${host}\r\n`),
    ]),
    right: [...refusedOrClosed, "404 not_found"],
  }),
  "an unknown method": (random) => ({
    bytes: `${filler(random, 1, 3_000)} / HTTP/1.1\r\n${host}\r\n`,
    right: refusedOrClosed,
  }),
  "a method in small letters": () => ({ bytes: `get /healthz HTTP/1.1\r\n${host}\r\n`, right: refused }),
  "an unknown version": (random) => ({
    bytes: `GET /healthz HTTP/${random.pick(["9.9", "2.0", "1", "0.9", "1.1.1", "-1.1", "1.a"])}\r\n${host}\r\n`,
    right: refusedOrClosed,
  }),
  "HTTP/2 without an upgrade": () => ({ bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", right: refusedOrClosed }),
  "a TLS greeting": (random) => ({
    bytes: Buffer.concat([Buffer.from("16030100c8010000c40303", "hex"), noise(random, 190)]),
    right: refusedOrClosed,
  }),
  "headers that are too large": (random) => ({
    bytes: `${line}${host}X-Large: ${filler(random, 20_000, 200_000)}\r\n\r\n`,
    right: ["431 headers_too_large"],
  }),
  "a header without an end": (random) => ({
    bytes: `${line}${host}X-${filler(random, 1, 4_000)}`,
    right: refusedOrClosed,
  }),
  "a header whose name has control characters": (random) => ({
    bytes: `${line}${host}X${String.fromCharCode(random.integer(0, 8))}Y: 1\r\n\r\n`,
    right: refused,
  }),
  "a header whose value has control characters": (random) => ({
    bytes: `${line}${host}X-Y: a${String.fromCharCode(random.integer(1, 8))}b\r\n\r\n`,
    right: refused,
  }),
  "a blank before a header's colon": () => ({ bytes: `${line}${host}Content-Length : 5\r\n\r\nhello`, right: refused }),
  "a folded header": () => ({ bytes: `${line}${host}X-Y: a\r\n Content-Length: 5\r\n\r\n`, right: refused }),
};

const post = `POST /v1/uploads HTTP/1.1\r\n${host}Connection: close\r\nContent-Type: application/json\r\n`;

/** What a proxy before the API might take for two requests, or for one that ends elsewhere. */
const smuggled: Readonly<Record<string, Make>> = {
  "two different lengths": (random) => ({
    bytes: `${post}Content-Length: ${random.integer(1, 9)}\r\nContent-Length: ${random.integer(10, 99)}\r\n\r\n{}`,
    right: refused,
  }),
  "a length and chunks": () => ({
    bytes: `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/account HTTP/1.1\r\n\r\n`,
    right: refused,
  }),
  "a length that is no number": (random) => ({
    bytes: `${post}Content-Length: ${random.pick(["-1", "1e3", "0x10", "5;6", "+5", "NaN", "99999999999999999999999"])}\r\n\r\n{}`,
    right: refused,
  }),
  "an unknown transfer encoding": (random) => ({
    bytes: `${post}Transfer-Encoding: ${random.pick(["xchunked", "identity, gzip", "chunked, identity", "cow"])}\r\n\r\n0\r\n\r\n`,
    right: refused,
  }),
  "a chunk whose size is no number": (random) => ({
    bytes: `${post}Transfer-Encoding: chunked\r\n\r\n${random.pick(["zz", "-5", "FFFFFFFFFFFFFFFFFFF", "5 5", ""])}\r\nhello\r\n0\r\n\r\n`,
    right: [...refusedOrClosed, "401 unauthenticated"],
  }),
  "a chunk that is longer than it says": (random) => ({
    bytes: `${post}Transfer-Encoding: chunked\r\n\r\n3\r\n${filler(random, 10, 2_000)}\r\n0\r\n\r\n`,
    right: [...refusedOrClosed, "401 unauthenticated"],
  }),
  "lines that end with a line feed only": () => ({
    bytes: `${post.replaceAll("\r\n", "\n")}\n`,
    right: refusedOrClosed,
  }),
  "a body that ends early": (random) => ({
    bytes: `${post}Content-Length: ${random.integer(1_000, 60_000)}\r\n\r\n{"contentType":`,
    right: [...refusedOrClosed, "401 unauthenticated", "408 request_timeout"],
  }),
  "a second request that was not asked for": () => ({
    bytes: `${post}Content-Length: 0\r\n\r\nGET /v1/account HTTP/1.1\r\n${host}\r\n`,
    right: ["401 unauthenticated", ...refused],
    end: "stays",
  }),
};

const paths: readonly (readonly [path: string, right: readonly string[]])[] = [
  ["/v1/../admin/v1/accounts", ["404 not_found"]],
  ["/v1/%2e%2e/admin/v1/accounts", ["404 not_found"]],
  ["//v1//account", ["404 not_found"]],
  ["/v1/jobs/%00", ["404 not_found", "400 invalid_request"]],
  ["/v1/jobs/%ff%fe", ["404 not_found", "400 invalid_request"]],
  ["/v1/jobs/..%2f..%2fetc%2fpasswd", ["404 not_found", "400 invalid_request"]],
  ["/v1/jobs/%", ["404 not_found", "400 invalid_request"]],
  ["/v1/presets/__proto__", ["404 not_found"]],
  ["/v1/presets/constructor", ["404 not_found"]],
  ["/v1/tools/__proto__", ["404 not_found"]],
  ["/v1/batches/%2e%2e", ["404 not_found", "400 invalid_request"]],
  ["/v1/jobs?limit=-1", refused],
  ["/v1/jobs?limit=1e9", refused],
  ["/v1/jobs?limit=NaN", refused],
  ["/v1/jobs?limit[]=5", refused],
  ["/v1/jobs?cursor=%00%01", refused],
  ["/v1/jobs?status[$ne]=queued", refused],
  ["/v1/jobs?status=queued&status=failed", refused],
  ["/v1/jobs?__proto__[x]=1", refused],
  ["/v1/account/usage?from=9999999-01-01", refused],
  ["http://169.254.169.254/latest/meta-data/", ["404 not_found", "400 invalid_request"]],
];

const hostileHeaders: readonly (readonly [name: string, value: string, right: readonly string[]])[] = [
  ["Host", "evil.example", ["200"]],
  ["X-Forwarded-Host", "evil.example", ["200"]],
  ["X-Forwarded-For", "127.0.0.1, ".repeat(200), ["200"]],
  ["X-Original-URL", "/admin/v1/accounts", ["200"]],
  ["X-HTTP-Method-Override", "DELETE", ["200"]],
  ["Expect", "200-maybe", ["200", "400 invalid_request", "417"]],
  ["Upgrade", "websocket", ["200"]],
  ["Accept", "image/png", ["406 not_acceptable"]],
  ["Traceparent", "00-zz-zz-zz", ["200"]],
  ["Prefer", `wait=${"9".repeat(400)}`, ["200", "400 invalid_request"]],
];

export function httpAttacks(random: Random, count: number, target: Target): Attack[] {
  const raw = Object.entries({ ...malformed, ...smuggled });
  return Array.from({ length: count }, (_, i): Attack => {
    const kind = i % 4;
    if (kind < 2) return rawAttack(raw[random.integer(0, raw.length - 1)]!, random);
    if (kind === 2) {
      const [path, right] = random.pick(paths as [(typeof paths)[number]]);
      return { name: path, right, send: async (client) => describe(await client.request({ method: "GET", path })) };
    }
    return random.chance(0.5) ? headerAttack(random) : rangeAttack(random, target);
  });
}

function rawAttack([name, make]: readonly [string, Make], random: Random): Attack {
  const { bytes, right, end = "ends" } = make(random);
  return { name, right, send: (client) => client.sendBytes(Buffer.from(bytes as Buffer), end) };
}

function headerAttack(random: Random): Attack {
  const [name, value, right] = random.pick(hostileHeaders as [(typeof hostileHeaders)[number]]);
  return {
    name: `${name}: ${value.slice(0, 40)}`,
    right,
    async send(client) {
      const answer = await client.request({ method: "GET", path: "/v1/account", headers: { [name]: value } });
      return answer.text.includes("evil.example") ? "repeats the header" : describe(answer);
    },
  };
}

function rangeAttack(random: Random, { resultPath }: Target): Attack {
  const ranges = [
    "bytes=0-0,".repeat(random.integer(2, 1_000)).slice(0, -1),
    "bytes=99999999999999999999-",
    "bytes=5-2",
    "bytes=-0",
    "bytes=a-b",
    "furlongs=0-5",
    `bytes=${"0".repeat(random.integer(1, 4_000))}-1`,
  ];
  const range = random.pick(ranges as [string]);
  return {
    name: `Range: ${range.slice(0, 40)}`,
    right: ["200", "206", "416 range_not_satisfiable"],
    send: async (client) =>
      describe(await client.request({ method: "GET", path: resultPath, headers: { Range: range }, key: null })),
  };
}
