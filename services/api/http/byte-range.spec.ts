import { expect, test } from "vitest";
import { parseByteRange } from "./send-stream.ts";

const tag = '"a-100"';

test.each([
  ["bytes=0-9", { first: 0, last: 9 }],
  ["bytes=90-", { first: 90, last: 99 }],
  ["bytes=-5", { first: 95, last: 99 }],
  ["bytes=-500", { first: 0, last: 99 }],
  ["bytes=98-500", { first: 98, last: 99 }],
  ["Bytes= 0-9 ,, ", { first: 0, last: 9 }],
  ["bytes=0-9,100-", { first: 0, last: 9 }],
])("%s of 100 bytes", (range, wanted) => {
  expect(parseByteRange({ range }, 100, tag)).toEqual(wanted);
});

test.each(["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=100-,500-600", `bytes=${"9".repeat(400)}-`])(
  "nothing of 100 bytes for %s",
  (range) => {
    expect(parseByteRange({ range }, 100, tag)).toBe("unsatisfiable");
    expect(parseByteRange({ range, "if-range": '"b"' }, 100, tag)).toBeUndefined();
  },
);

test.each([undefined, "", "bytes=", "bytes=-", "bytes=9-1", "bytes=0-1,5-6", "bytes=100-,a", "items=0-1", "bytes=a-b"])(
  "the whole file for %j",
  (range) => {
    expect(parseByteRange(range === undefined ? {} : { range }, 100, tag)).toBeUndefined();
  },
);

test("the whole file where If-Range names another", () => {
  expect(parseByteRange({ range: "bytes=0-9", "if-range": '"b"' }, 100, tag)).toBeUndefined();
  expect(parseByteRange({ range: "bytes=0-9", "if-range": tag }, 100, tag)).toEqual({ first: 0, last: 9 });
});
