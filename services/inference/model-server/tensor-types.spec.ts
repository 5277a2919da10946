import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentsToBytes, deserializeBytesTensor, serializeBytesTensor, typedView } from "./tensor-types.ts";

describe("tensors on the wire", () => {
  it("BYTES of any content survive a round trip", () => {
    const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 20 });
    fc.assert(
      fc.property(texts, (strings) => {
        expect(deserializeBytesTensor("x", serializeBytesTensor(strings))).toEqual(strings);
      }),
    );
  });

  it("malformed BYTES are rejected by name and never read past their end", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (raw) => {
        try {
          const strings = deserializeBytesTensor("x", raw);
          expect(Buffer.compare(serializeBytesTensor(strings), raw)).toBe(0);
        } catch (error) {
          expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining("'x'") });
        }
      }),
    );
  });

  it("64-bit numbers keep their last digit", () => {
    const values = ["-9223372036854775808", "9007199254740993", "9223372036854775807"];
    const view = typedView("INT64", contentsToBytes("x", "INT64", { int64_contents: values }));
    expect([...view].map(String)).toEqual(values);
  });

  it("numbers that do not fit, and contents of another type, are rejected", () => {
    expect(() => contentsToBytes("x", "UINT8", { uint_contents: [1, 256] })).toThrow("256 does not fit into UINT8");
    expect(() => contentsToBytes("x", "INT8", { int_contents: [-129] })).toThrow("does not fit");
    expect(() => contentsToBytes("x", "FP32", { fp64_contents: [1] })).toThrow("put its elements into fp32_contents");
  });

  it("reads bytes that start at an unaligned address", () => {
    const bytes = new Uint8Array([0, 1, 0, 0, 0, 2, 0, 0, 0]).subarray(1);
    expect([...typedView("INT32", bytes)]).toEqual([1, 2]);
  });
});
