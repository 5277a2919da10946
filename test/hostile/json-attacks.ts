/** JSON that is none, and values that no field takes. */
import type { Random } from "@packshot/domain/random.ts";
import { type Attack, refused, type Target } from "./attack.ts";
import { describe } from "./hostile-client.ts";

/** Operations with a body, and each field of one with its type. Nothing of it may be made. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

function operationsOn({ siteUrl }: Target): readonly [Operation, ...Operation[]] {
  const imageUrl = `${siteUrl}/photo.jpg`;
  const shadow = { kind: "cast", direction: 30, softness: 0.5, opacity: 0.5, color: "#333333", length: 1 };
  const output = {
    format: "png",
    width: 300,
    height: 300,
    background: "#ffffff",

    maxBytes: 90_000,
    dpi: 72,
  };
  const bucket = { endpoint: "https://s3.shop.example", region: "us-east-1", bucket: "photos", prefix: "a/" };
  const post = (path: string, body: Operation["body"]) => ({ method: "POST", path, body });
  return [
    post("/v1/tools/mask/edit", {
      imageUrl,
      parameters: { output, region: { x: 0, y: 0, width: 9, height: 9 } },
      metadata: { a: "b" },
    }),
    post("/v1/tools/ai-shadows/edit", { imageUrl, parameters: { shadow, output, pose: "standing", camera: "level" } }),
    post("/v1/tools/ai-bg/edit", {
      imageUrl,
      parameters: { theme: "a table", seed: 1, shadow, output, variations: 2, avoid: "x" },
    }),
    { method: "PUT", path: "/v1/presets/hostile", body: { tool: "mask", parameters: { output } } },
    post("/v1/webhooks", {
      url: "https://shop.example/h",
      events: ["job.failed"],
      maxPerSecond: 5,
      maxConcurrent: 2,
      description: "x",
    }),
    post("/v1/connections", {
      name: "shop",
      ...bucket,
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "s".repeat(40),
    }),
    post("/v1/uploads", { contentType: "image/jpeg", filename: "a.jpg", sizeBytes: 1_000 }),
    post("/v1/batches", { tool: "mask", dryRun: true, items: [{ ref: "1", imageUrl }], metadata: { a: "b" } }),
    post("/v1/account/keys", { name: "x", live: true, scopes: ["read"] }),
  ];
}

const asJson = (value: unknown) => Buffer.from(JSON.stringify(value));

type Spoil = (valid: Buffer, random: Random) => Buffer;

/** None of them is JSON, or none is an object of which an operation knows the fields. */
const spoiled: Readonly<Record<string, Spoil>> = {
  "ends early": (valid, random) => valid.subarray(0, random.integer(1, valid.length - 1)),
  "ends with more": (valid, random) =>
    Buffer.concat([valid, Buffer.from(random.pick(["}", "{}", "//", ",", "\0", "null"]))]),
  "is not UTF-8": (valid, random) =>
    Buffer.concat([valid.subarray(0, 2), Buffer.from([random.pick([0xff, 0xc0, 0xfe])]), valid.subarray(2)]),
  "begins with a byte order mark of UTF-16": (valid) => Buffer.from(`\ufeff${valid.toString()}`, "utf16le"),
  "has single quotes": (valid) => Buffer.from(valid.toString().replaceAll('"', "'")),
  "has a comment": (valid) => Buffer.from(valid.toString().replace("{", "{/* */")),
  "has a comma too many": (valid) => Buffer.from(valid.toString().replace(/}$/, ",}")),
  "has a number that is none": (valid, random) =>
    Buffer.from(
      valid.toString().replace(/}$/, `,"x":${random.pick(["NaN", "Infinity", "0x1", "01", "1.", ".5", "+1", "1_0"])}}`),
    ),
  "has an unknown field": (valid, random) =>
    Buffer.from(
      valid
        .toString()
        .replace(
          /}$/,
          `,"${random.pick(["__proto__", "constructor", "toString", "admin", "\\u0000", "a.b", ""])}":{"x":1}}`,
        ),
    ),
  "is no object": (_valid, random) =>
    Buffer.from(random.pick(["[]", "1", '"x"', "true", "null", "[{}]", "-0", "1e999"])),
  "is nested deeply": (_valid, random) => {
    const depth = random.integer(1_000, 30_000);
    return Buffer.from(`{"parameters":${"[".repeat(depth)}${"]".repeat(depth)}}`);
  },
  "has controls in a string": (valid, random) =>
    Buffer.from(valid.toString().replace(":", `:"${String.fromCharCode(random.integer(0, 31))}",`)),
};

/** Values of other types than a field of this one takes, or beyond what any takes. */
function wrongValues(value: unknown): readonly [unknown, ...unknown[]] {
  const huge = ["x".repeat(3_000), "\u0000", "\ud800"];
  if (typeof value === "number") return ["5", {}, [], true, -1e300, 1e300, 2 ** 60, "NaN"];
  if (typeof value === "boolean") return ["true", 1, {}, [], 0];
  if (typeof value === "string") return [5, {}, [], true, { $ne: "" }, ["x"], ...huge];
  return [5, "x", true, "[object Object]"];
}

type Place = readonly (string | number)[];

/** Names and descriptions are any text, so that only other types are wrong for them; an empty object is a valid group of fields. */
const anyText = new Set(["description", "filename", "name", "theme", "avoid", "ref", "a"]);

function placesIn(value: unknown, at: Place = []): Place[] {
  if (value === null || typeof value !== "object") return [at];
  return [
    ...(at.length === 0 ? [] : [at]),
    ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name])),
  ];
}

const valueAt = (value: unknown, place: Place) =>
  place.reduce((inner, name) => (inner as Record<string, unknown>)[name], value);

export function jsonAttacks(random: Random, count: number, target: Target): Attack[] {
  const operations = operationsOn(target);
  return Array.from({ length: count }, () => {
    const operation = random.pick(operations);
    return random.chance(0.4) ? spoiledBody(operation, random) : wrongField(operation, random);
  });
}

function attackWith(
  { method, path }: Operation,
  name: string,
  body: Buffer,
  right: readonly string[] = refused,
): Attack {
  const headers = { "Content-Type": "application/json" };
  return {
    name: `${path}: ${name}`,
    right,
    send: async (client) => describe(await client.request({ method, path, headers, body })),
  };
}

function spoiledBody(operation: Operation, random: Random): Attack {
  const all = Object.entries(spoiled) as [[string, Spoil], ...[string, Spoil][]];
  const [name, spoil] = random.pick(all);
  const body = spoil(asJson(operation.body), random);
  // A body over the limit of its operation is refused for its size.
  return attackWith(operation, name, body, [...refused, "413 file_too_large"]);
}

function wrongField(operation: Operation, random: Random): Attack {
  const place = random.pick(placesIn(operation.body) as [Place]);
  const last = String(place.at(-1));
  const wrong = wrongValues(valueAt(operation.body, place)).filter(
    (value) => !anyText.has(last) || typeof value !== "string",
  );
  const value = random.pick(wrong as [unknown]);
  const body = structuredClone(operation.body);
  (valueAt(body, place.slice(0, -1)) as Record<string, unknown>)[last] = value;
  return attackWith(operation, `${place.join(".")} is ${JSON.stringify(value)?.slice(0, 30)}`, asJson(body));
}
