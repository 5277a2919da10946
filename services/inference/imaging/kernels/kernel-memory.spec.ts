import { expect, it } from "vitest";
import {
  addressOf,
  computeBytes,
  holdingPlanes,
  inKernelMemory,
  keepTable,
  kernelBytes,
  reserve,
} from "./kernel-memory.ts";

const ones = (length: number) => computeBytes(length, (to) => void fill(to, length, 1));

function fill(at: number, length: number, value: number): void {
  inKernelMemory(() => new Uint8Array(kernelBytes(0).buffer, at, length).fill(value));
}

it("a result outside is an array of its own, which no later computation changes", () => {
  const first = ones(100);
  computeBytes(100, (to) => fill(to, 100, 2));
  expect(first).toEqual(new Uint8Array(100).fill(1));
  expect(first.buffer.byteLength).toBe(100);
});

it("results inside lie side by side, and are passed on by address", () => {
  inKernelMemory(() => {
    const first = ones(100);
    const second = computeBytes(100, (to) => fill(to, 100, 2));
    expect(first).toEqual(new Uint8Array(100).fill(1));
    expect(second.byteOffset).toBeGreaterThanOrEqual(first.byteOffset + 100);
    expect(addressOf(first)).toBe(first.byteOffset);
    const outside = new Uint8Array([5, 6, 7]);
    const copied = addressOf(outside);
    expect([...new Uint8Array(first.buffer, copied, 3)]).toEqual([5, 6, 7]);
  });
});

it("memory is free again after the work, also after one that fails", () => {
  const addresses = [1, 2, 3].map(() => inKernelMemory(() => reserve(1_000)));
  const failing = () =>
    inKernelMemory(() => {
      reserve(1_000_000);
      throw new Error("the work fails");
    });
  expect(failing).toThrow("the work fails");
  expect(new Set([...addresses, inKernelMemory(() => reserve(1_000))]).size).toBe(1);
});

it("what is held stays through pauses, below what others compute, and is free after the work, also after one that fails", async () => {
  const addressNow = () => inKernelMemory(() => reserve(1_000));
  const before = addressNow();
  const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
  const holding = holdingPlanes(async (hold) => {
    const held = hold(() => ones(100))!;
    expect(hold(() => ones(1))).toBeUndefined();
    await pause;
    expect(held).toEqual(new Uint8Array(100).fill(1));
    expect(addressNow()).toBeGreaterThanOrEqual(held.byteOffset + 100);
    throw new Error("the work fails");
  });
  expect(addressNow()).toBeGreaterThan(before);
  expect(computeBytes(100, (to) => fill(to, 100, 2))).toEqual(new Uint8Array(100).fill(2));
  expect(() => keepTable(new Uint8Array(1))).toThrow("a table must be kept before any computation");
  await holdingPlanes(async (hold) => expect(hold(() => ones(1))).toBeUndefined());
  goOn();
  await expect(holding).rejects.toThrow("the work fails");
  expect(addressNow()).toBe(before);
  expect(await holdingPlanes(async (hold) => hold(() => ones(1))?.byteOffset)).toBe(before);
});

it("what exceeds the memory fails, and leaves the rest free", () => {
  expect(() => computeBytes(1 << 30, () => {})).toThrow(RangeError);
  expect(ones(10)).toEqual(new Uint8Array(10).fill(1));
});
