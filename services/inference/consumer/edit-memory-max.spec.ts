import { expect, it } from "vitest";
import { editMemoryMax } from "./memory-budget.ts";

const GiB = 1024 ** 3;

it.each([
  ["a container's limit", { limitBytes: 4 * GiB, totalBytes: 64 * GiB }, 2.75 * GiB],
  ["and for three decoders", { limitBytes: 4 * GiB, totalBytes: 64 * GiB, decoders: 3 }, 2.375 * GiB],
  ["half of the machine without a limit", { limitBytes: 0, totalBytes: 16 * GiB }, 7.75 * GiB],
  ["half of the machine when the limit is larger", { limitBytes: 2 ** 63, totalBytes: 16 * GiB }, 7.75 * GiB],
  ["a photo at a time on a tiny machine", { limitBytes: GiB / 8, totalBytes: GiB }, GiB / 4],
])("leaves room for the worker itself: %s", (_what, memory, bytes) => {
  expect(editMemoryMax(memory)).toBe(bytes);
});
