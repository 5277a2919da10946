import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { decodeBase64 } from "../../http/feed-body.ts";
import { splitJson, splitUrlencoded } from "./split-fields.ts";

const name = "image_file_b64";

/** The text in pieces that end where the numbers say. */
function pieces(text: string, cuts: readonly number[]): string[] {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return ends.map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end));
}

function split(splitter: typeof splitJson, text: string, cuts: readonly number[] = [], restLengthMax = 10_000) {
  const reading = splitter(name, restLengthMax);
  const taken = pieces(text, cuts)
    .map((piece) => reading.take(piece))
    .join("");
  const { value, fields } = reading.end();
  return { value: taken + value, fields };
}

const cutPoints = fc.array(fc.nat(), { maxLength: 12 });
const base64 = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("base64"));
const otherFields = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => !["__proto__", name].includes(key)),
  fc.oneof(fc.string(), fc.constantFrom(name, `"${name}":"`, `${name}=x&`, "\\")),
  { maxKeys: 5 },
);

describe("JSON", () => {
  test("wherever the bytes are cut, the long string and the other fields are those of the JSON parser", () => {
    const nested = fc.record({ [name]: fc.string(), list: fc.array(fc.string()) });
    fc.assert(
      fc.property(base64, otherFields, nested, cutPoints, fc.boolean(), (value, fields, deep, cuts, isFirst) => {
        const body = isFirst ? { [name]: value, ...fields, deep } : { ...fields, deep, [name]: value };
        for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2).replaceAll("/", "\\/")]) {
          const found = split(splitJson, text, cuts);
          expect(found.value).toBe(value);
          expect({ ...found.fields, [name]: value }).toEqual(JSON.parse(text));
        }
      }),
    );
  });

  test("an escape that is cut ends no string", () => {
    const text = JSON.stringify({ note: `\\"${name}":"x`, [name]: "YQ==" });
    const cuts = Array.from({ length: text.length }, (_, at) => at);
    expect(split(splitJson, text, cuts)).toEqual({ value: "YQ==", fields: { note: `\\"${name}":"x`, [name]: "" } });
  });

  it.each([
    [`{"${name}":"a\\u002Fb\\u002Bc="}`, "a/b+c="],
    [`{"${name}" : "YQ==" , "size":"auto"}`, "YQ=="],
    [`{"${name}":null,"size":"auto"}`, ""],
    ["{}", ""],
  ])("%s", (text, value) => {
    expect(split(splitJson, text).value).toBe(value);
  });

  it.each([
    ["a string without an end", `{"${name}":"abc`],
    ["an unknown escape", `{"${name}":"\\q"}`],
    ["no JSON", "{size"],
    ["a list", "[]"],
    ["the long field twice", `{"${name}":"YQ==","${name}":"YQ=="}`],
    ["too much of other fields", `{"size":"${"x".repeat(200)}"}`],
  ])("%s is refused", (_what, text) => {
    expect(() => split(splitJson, text, [], 100)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

describe("urlencoded", () => {
  test("wherever the bytes are cut, all fields are those of URLSearchParams", () => {
    fc.assert(
      fc.property(base64, otherFields, cutPoints, fc.nat({ max: 5 }), (value, fields, cuts, position) => {
        const entries = Object.entries(fields);
        entries.splice(position, 0, [name, value]);
        const text = new URLSearchParams(entries).toString();
        expect(split(splitUrlencoded, text, cuts)).toEqual({ value, fields });
      }),
    );
  });

  test("a plus that a client forgot to escape is a plus", () => {
    expect(split(splitUrlencoded, `${name}=a+b&size=auto`)).toEqual({ value: "a+b", fields: { size: "auto" } });
  });

  it.each([
    ["a broken escape", `${name}=%G1`],
    ["an escape without an end", `${name}=a%2`],
    ["the long field twice", `${name}=YQ&${name}=YQ`],
    ["another field twice", "size=auto&size=full"],
    ["too much of other fields", `size=${"x".repeat(200)}`],
  ])("%s is refused", (_what, text) => {
    expect(() => split(splitUrlencoded, text, [], 100)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

describe("base64", () => {
  async function decode(parts: readonly string[]): Promise<Buffer> {
    async function* chunks() {
      yield* parts;
    }
    return Buffer.concat(await Array.fromAsync(decodeBase64(chunks(), "photo")));
  }

  test("wherever the text is cut, the bytes are the same, with line breaks and a data URL's prefix too", async () => {
    const bytes = fc.uint8Array({ maxLength: 600 });
    const prefixes = fc.constantFrom("", "data:image/jpeg;base64,");
    await fc.assert(
      fc.asyncProperty(bytes, cutPoints, prefixes, async (content, cuts, prefix) => {
        const lines = Buffer.from(content).toString("base64").replaceAll(/.{76}/g, "$&\r\n");
        expect((await decode(pieces(prefix + lines, cuts))).equals(content)).toBe(true);
      }),
    );
  });

  test("its URL-safe alphabet is read, other characters are refused", async () => {
    expect(await decode(["-_-_"])).toEqual(Buffer.from("+/+/", "base64"));
    await expect(decode(["a*b="])).rejects.toMatchObject({ code: "invalid_request" });
  });
});
