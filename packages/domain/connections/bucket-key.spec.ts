import fc from "fast-check";
import { expect, it } from "vitest";
import { assertKeyTemplate, baseNameOf, fillKey, parseBucketUrl, resultKey } from "./bucket-key.ts";

const values = { ref: "K-17", name: "kettle", tool: "mask", jobId: "j1", batchId: "b1" };

it("fills a key's placeholders, and the extension when the result's type is known", () => {
  const key = fillKey("{ref}/{name}-{tool}-{jobId}-{batchId}.{ext}", values);
  expect(key).toBe("K-17/kettle-mask-j1-b1.{ext}");
  expect(resultKey({ connection: "shop", key }, "image/jpeg")).toBe("K-17/kettle-mask-j1-b1.jpg");
  expect(resultKey({ connection: "shop", key: "a.{ext}" }, "image/png")).toBe("a.png");
  expect(fillKey("{ref}.png", { ref: "shoes/rød 1" })).toBe("shoes/rød 1.png");
});

it.each([
  ["a/b.{ext}", "a/b-variation-2.png"],
  ["a.b/c", "a.b/c-variation-2"],
  ["a/.hidden", "a/.hidden-variation-2"],
  ["photo.v1.jpg", "photo.v1-variation-2.jpg"],
])("places a further result of %s beside the first, before its extension", (key, placed) => {
  expect(resultKey({ connection: "shop", key }, "image/png", { name: "variation-2" })).toBe(placed);
});

it.each([
  ["a/b.{ext}", "a/b-product.png"],
  ["a/b.jpg", "a/b-product.png"],
  ["a/b.JPEG", "a/b-product.png"],
  ["photo.v1", "photo-product.v1"],
  ["a.png/c", "a.png/c-product"],
])("places a layer of %s beside the result, as the PNG that it is", (key, placed) => {
  expect(resultKey({ connection: "shop", key }, "image/png", { name: "product" })).toBe(placed);
});

it("places each file of an edit by its name where the key has a place for it, also the first", () => {
  const key = fillKey("{ref}/{output}/{ref}-{output}.{ext}", { ref: "K-17", output: "amazon" });
  expect(key).toBe("K-17/{output}/K-17-{output}.{ext}");
  const of = (name: string, isFirst = false) => resultKey({ connection: "shop", key }, "image/webp", { name, isFirst });
  expect([of("amazon", true), of("web-400")]).toEqual([
    "K-17/amazon/K-17-amazon.webp",
    "K-17/web-400/K-17-web-400.webp",
  ]);
  expect(() => fillKey("{output}.png", { ref: "K-17" })).toThrow(
    '"destination.key" has {output}, and this edit has none.',
  );
  expect(() => fillKey(`${"x".repeat(770)}{output}`, { output: "a" }), "any file's name must fit").toThrow("800 bytes");
  const long = "x".repeat(770);
  expect(() => fillKey(long, { output: "a" }), "also after the key").toThrow("800 bytes");
  expect(fillKey(long, {})).toBe(long);
});

it.each([
  ["a/b.{ext}", "a/b.webp", "a/b-card.jpg"],
  ["a/b.png", "a/b.png", "a/b-card.jpg"],
  ["a/b.jpeg", "a/b.jpeg", "a/b-card.jpeg"],
])("places a named file of %s beside the first, with its own type", (key, first, card) => {
  const destination = { connection: "shop", key };
  expect(resultKey(destination, "image/webp", { name: "web", isFirst: true })).toBe(first);
  expect(resultKey(destination, "image/jpeg", { name: "card" })).toBe(card);
});

it.each([
  ["an unknown placeholder", "{sku}.png"],
  ["a brace alone", "a{b.png"],
  ["a leading slash", "/a.png"],
  ["a slash at the end", "a/"],
  ["two slashes", "a//b.png"],
  ["a step up", "../b.png"],
  ["a step up in between", "a/../b.png"],
  ["a dot alone", "./b.png"],
  ["a backslash", "a\\b.png"],
  ["a control character", "a\u0007.png"],
  ["half a character", "a\ud800.png"],
  ["too many bytes", "ø".repeat(500)],
  ["nothing", ""],
])("refuses a template with %s", (_what, template) => {
  expect(() => assertKeyTemplate(template)).toThrow(expect.objectContaining({ code: "invalid_request" }));
});

it.each([
  ["no value", undefined],
  ["an empty value", ""],
  ["a step up", ".."],
  ["a step up in a path", "a/../../b"],
  ["a root", "/etc"],
  ["another placeholder", "{jobId}"],
  ["a line break", "a\nb"],
])("refuses a value with %s", (_what, ref) => {
  expect(() => fillKey("{ref}/{tool}.{ext}", { ...values, ref })).toThrow(
    expect.objectContaining({ code: "invalid_request" }),
  );
});

it("never leaves the prefix, whatever the values are", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom("{ref}", "{ref}/a.{ext}", "a/{ref}", "a{ref}b"),
      (ref, template) => {
        let key: string;
        try {
          key = resultKey({ connection: "shop", key: fillKey(template, { ref }) }, "image/png");
        } catch {
          return;
        }
        const base = "https://s3.example/photos/catalog/";
        const path = key.split("/").map(encodeURIComponent).join("/");
        expect(new URL(base + path).href).toBe(base + path);
      },
    ),
    { numRuns: 2_000 },
  );
});

it("reads s3:// as the command lines of S3 do: nothing is decoded", () => {
  expect(parseBucketUrl("s3://shop/a/b%20c ?#d.jpg")).toEqual({ connection: "shop", key: "a/b%20c ?#d.jpg" });
  expect(parseBucketUrl("S3://shop/k")).toEqual({ connection: "shop", key: "k" });
});

it.each(["s3://shop", "s3://shop/", "s3:///k", "s3://sh_op/k", "s3://-shop/k", "s3://shop/../k", "s3://shop/a/"])(
  "refuses %s as a source",
  (url) => expect(() => parseBucketUrl(url)).toThrow(expect.objectContaining({ code: "invalid_request" })),
);

it.each([
  ["https://shop.example/a/kettle.tar.jpg?w=1.5", "kettle.tar"],
  ["https://shop.example/", undefined],
  ["https://shop.example", undefined],
  ["s3://shop/a/kettle.jpg", "kettle"],
  ["s3://shop/a/kettle", "kettle"],
  ["photo.jpg", "photo"],
  [".hidden", ".hidden"],
])("the name of %s is %s", (path, name) => expect(baseNameOf(path)).toBe(name));
