import { describe, expect, it } from "vitest";
import { readImageUrl, readWebUrl } from "./image-url.ts";

describe("an address of a photo", () => {
  it.each([
    ["https://a.example/b.jpg", "https://a.example/b.jpg"],
    ["HTTPS://a.example/b.jpg", "HTTPS://a.example/b.jpg"],
    ["https://a.example/red kettle.jpg?v=1 2", "https://a.example/red%20kettle.jpg?v=1%202"],
    ["https://a.example/red%20kettle 2.jpg", "https://a.example/red%20kettle%202.jpg"],
    [" https://a.example/b.jpg\r\n", "https://a.example/b.jpg"],
    ["https://a.example/a\nb\tc.jpg", "https://a.example/abc.jpg"],
    ["https://a.example/größe.jpg", "https://a.example/größe.jpg"],
    ["s3://shop/red kettle.jpg", "s3://shop/red kettle.jpg"],
  ])("%j is %j, as browsers read it", (text, url) => expect(readImageUrl(text, "imageUrl")).toBe(url));

  it.each([
    ["data:image/png;base64,AAAA", '"photo" is a data: URL'],
    [" DATA:,x", '"photo" is a data: URL'],
    ["/photos/b.jpg", '"photo" must begin with https://, http:// or s3://.'],
    ["www.a.example/b.jpg", '"photo" must begin with https://'],
    ["ftp://a.example/b.jpg", '"photo" must begin with https://'],
    ["https:a.example", '"photo" must begin with https://'],
    ["https://", '"photo" is not a URL.'],
    ["https://a b.example/", '"photo" is not a URL.'],
    ["https://shop:word@a.example/b.jpg", '"photo" must not carry a user name or password: give a signed link'],
    ["http://shop@a.example/b.jpg", '"photo" must not carry a user name or password'],
    ["https://a.example/\u0000", '"photo" has a control character.'],
    ["s3://shop/", '"photo" must be s3://<connection>/<key>.'],
    ["s3://shop/a//b", 'The key of "photo"'],
  ])("says what is wrong with %j", (text, words) => {
    expect(() => readImageUrl(text, "photo")).toThrow(words);
  });

  it("names no bucket where only the web is read", () => {
    expect(() => readWebUrl("s3://shop/b.jpg", "photo")).toThrow('"photo" must begin with https:// or http://.');
  });
});
