/** Files of a batch's rows that are no tables, or whose rows are none. Each is a dry run, which makes nothing. */
import type { Random } from "@packshot/domain/random.ts";
import { type Attack, noise } from "./attack.ts";
import { describe, type HostileClient } from "./hostile-client.ts";

const row = (i: number) => `r${i},https://shop.example/${i}.jpg\n`;
const rows = (random: Random) => Array.from({ length: random.integer(1, 40) }, (_, i) => row(i)).join("");
const head = "ref,imageUrl\n";

const tables: Readonly<Record<string, (random: Random) => string | Buffer>> = {
  "random bytes": (random) => noise(random, random.integer(1, 5_000)),
  "a head only": () => head,
  "no head": rows,
  "a quote without an end": (random) => `${head}"r1,https://shop.example/1.jpg\n${rows(random)}`,
  "a quote within a value": (random) => `${head}r"1,"https://shop.example/1.jpg"x\n${rows(random)}`,
  "columns without number": (random) =>
    `${Array.from({ length: random.integer(1_000, 20_000) }, (_, i) => `c${i}`).join(",")}\n${rows(random)}`,
  "columns twice": (random) => `ref,ref,imageUrl,imageUrl\n${rows(random)}`,
  "columns of the prototype": (random) => `ref,imageUrl,__proto__.x,constructor.prototype.y\n${rows(random)}`,
  "unknown columns": (random) => `ref,imageUrl,output.nothing,admin\n${rows(random)}`,
  "a row of 300 KB": (random) => `${head}${"r".repeat(300_000)},https://shop.example/1.jpg\n${rows(random)}`,
  "more values than columns": (random) => `${head}${Array.from({ length: 500 }, () => "x").join(",")}\n${rows(random)}`,
  zeros: (random) => `${head}${"\0".repeat(random.integer(1, 3_000))}`,
  "line ends of every kind": (random) =>
    `${head}${rows(random).replaceAll("\n", random.pick(["\r", "\n\r", "\u2028", "\v", "\f"]))}`,
  "commands for a spreadsheet": (random) =>
    `${head}=cmd|'/c calc'!A1,https://shop.example/1.jpg\n@SUM(1),=1+1\n${rows(random)}`,
  "refs that lead elsewhere": () =>
    `${head}../../etc/passwd,https://shop.example/1.jpg\n/abs,https://shop.example/2.jpg\nCON,https://shop.example/3.jpg\n`,
  "refs twice": () => `${head}${row(1)}${row(1)}`,
  "UTF-16 with half a letter": (random) =>
    Buffer.concat([Buffer.from(`\ufeff${head}${rows(random)}`, "utf16le"), Buffer.from([0x00])]),
  "bytes that are no UTF-8": (random) =>
    Buffer.concat([Buffer.from(head), noise(random, 300), Buffer.from(rows(random))]),
  "private addresses": () => `${head}r1,http://169.254.169.254/latest/\nr2,file:///etc/passwd\nr3,http://[::1]/\n`,
  "a separator of its own": (random) => `sep=${random.pick(["x", "\0", '"', "\n", "ab"])}\n${head}${rows(random)}`,
};

const lines: Readonly<Record<string, (random: Random) => string | Buffer>> = {
  "lines that are no JSON": (random) => `{"ref":"1"\n[]\nnull\n1\n"x"\n${"{".repeat(random.integer(1, 9_000))}\n`,
  "nested deeply": (random) => `{"ref":"1","parameters":${"[".repeat(random.integer(1_000, 20_000))}\n`,
  "fields of the prototype": () =>
    '{"ref":"1","imageUrl":"https://shop.example/1.jpg","__proto__":{"tool":"x"},"constructor":1}\n',
  "fields of other types": () => '{"ref":1,"imageUrl":[],"parameters":"x","metadata":5,"tool":{}}\n',
  "one line of 300 KB": () => `{"ref":"${"x".repeat(300_000)}"}\n`,
};

export function tableAttacks(random: Random, count: number): Attack[] {
  const named = (type: string, all: typeof tables) => Object.entries(all).map(([name, make]) => ({ type, name, make }));
  const all = [...named("text/csv", tables), ...named("application/x-ndjson", lines)];
  return Array.from({ length: count }, () => {
    const { type, name, make } = random.pick(all as [(typeof all)[number]]);
    const bytes = Buffer.from(make(random) as Buffer);
    // A dry run answers 200 with what is wrong, by row.
    return {
      name: `${type} of ${name}`,
      right: ["200", "400 invalid_request"],
      send: (client) => dryRun(client, type, bytes),
    };
  });
}

const json = (value: object) => ({
  headers: { "Content-Type": "application/json" },
  body: Buffer.from(JSON.stringify(value)),
});

/** Sends the file by an upload session, which is deleted afterwards. */
async function dryRun(client: HostileClient, contentType: string, bytes: Buffer): Promise<string> {
  const session = await client.request({
    method: "POST",
    path: "/v1/uploads",
    ...json({ contentType, filename: "rows", sizeBytes: bytes.length }),
  });
  if (session.status !== 201) return describe(session);
  const { uploadUrl, headers, uploadSessionId } = session.body;
  const { pathname, search } = new URL(uploadUrl);
  const sent = await client.request({ method: "PUT", path: pathname + search, headers, body: bytes, key: null });
  const answer =
    sent.status >= 300
      ? sent
      : await client.request({
          method: "POST",
          path: "/v1/batches",
          ...json({ uploadSessionId, tool: "mask", dryRun: true }),
        });
  await client.request({ method: "DELETE", path: `/v1/uploads/${uploadSessionId}` });
  return describe(answer);
}
