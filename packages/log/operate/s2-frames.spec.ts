import { expect, it } from "vitest";
import { packFrames, unpackFrames } from "./s2-frames.ts";

/** By the library of nats-server (klauspost/compress 1.19.2): it has literals, copies, and repeated offsets of all lengths. */
const packed = Buffer.from(
  "/wYAAFMyc1R3TwBVAAA2Elnk+r8EIHBhY2tzaG90IBEJFQBBAGERAR0AYxEAeG11Z3MgYW5kIGxhbXBzLCBsYW1wcyBhbmQgbXVnczv/4REBABUACv8yEgEAFQAJEVEZAGIM",
  "base64",
);
const text = `${"packshot ".repeat(10)}${"a".repeat(70_000)}mugs and lamps, lamps and mugs; ${"packshot ".repeat(400)}`;

async function* inPieces(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const unpack = async (bytes: Buffer, length = 7) =>
  Buffer.concat(await Array.fromAsync(unpackFrames(inPieces(bytes, length)))).toString();

it("reads what the library of nats-server packed, however it is cut", async () => {
  expect(await unpack(packed)).toBe(text);
  expect(await unpack(packed, packed.length)).toBe(text);
});

it("refuses a stream that is cut short, and one with a wrong bit anywhere but in its name", async () => {
  await expect(unpack(packed.subarray(0, -1))).rejects.toThrow("damaged");
  for (let at = 10; at < packed.length; at++) {
    const changed = Buffer.from(packed);
    changed[at]! ^= 2;
    await expect(unpack(changed), String(at)).rejects.toThrow("damaged");
  }
});

it("reads what it wrote, in frames that are messages", async () => {
  const bytes = Buffer.from(text.repeat(5));
  const frames = await Array.fromAsync(packFrames(inPieces(bytes, 300_000)));
  expect(Math.max(...frames.map(({ length }) => length))).toBeLessThan(200_000);
  expect(await unpack(Buffer.concat(frames), 100_000)).toBe(bytes.toString());
});
