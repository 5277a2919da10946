import type { PackshotError } from "@packshot/domain/errors.ts";
import { expect, it } from "vitest";
import { createFormSlots, type FormSlotLimits } from "./slots.ts";

const mega = 1_000_000;
const limits: FormSlotLimits = {
  formsMax: 4,
  formsPerAccountMax: 2,
  bytesMax: 10 * mega,
  bytesPerAccountMax: 6 * mega,
};
const one = { accountId: "a-1", live: true };
const other = { accountId: "a-2", live: true };

function refusalOf(act: () => unknown): Pick<PackshotError, "code" | "retryAfterSeconds"> | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    const { code, retryAfterSeconds } = error as PackshotError;
    return { code, retryAfterSeconds };
  }
}

const tooManyOfAccount = { code: "rate_limit_exceeded", retryAfterSeconds: expect.any(Number) };
const tooManyOfProcess = { code: "unavailable", retryAfterSeconds: expect.any(Number) };

it("limits the forms of an account, and of the process", () => {
  const slots = createFormSlots(limits);
  const releases = [one, one, other].map((realm) => slots.acquire(realm, 1));
  expect(refusalOf(() => slots.acquire(one, 1))).toEqual(tooManyOfAccount);
  releases.push(slots.acquire(other, 1));
  expect(refusalOf(() => slots.acquire({ accountId: "a-3", live: true }, 1))).toEqual(tooManyOfProcess);
  releases[0]!();
  releases[0]!();
  slots.acquire(one, 1);
  expect(refusalOf(() => slots.acquire(one, 1))).toEqual(tooManyOfAccount);
});

it("limits the bytes of an account, and of the process", () => {
  const slots = createFormSlots(limits);
  const release = slots.acquire(one, 4 * mega);
  expect(refusalOf(() => slots.acquire(one, 3 * mega))).toEqual(tooManyOfAccount);
  slots.acquire(one, 2 * mega);
  expect(refusalOf(() => slots.acquire(other, 5 * mega))).toEqual(tooManyOfProcess);
  release();
  slots.acquire(other, 5 * mega);
});

it("takes the only form of an account or of the process, however large", () => {
  const slots = createFormSlots(limits);
  const release = slots.acquire(one, 100 * mega);
  expect(refusalOf(() => slots.acquire(one, 1))).toEqual(tooManyOfAccount);
  expect(refusalOf(() => slots.acquire(other, 1))).toEqual(tooManyOfProcess);
  release();
  slots.acquire(other, 1);
});

it("counts the forms of test keys apart from those of live keys", () => {
  const slots = createFormSlots(limits);
  for (const live of [false, false, true, true]) slots.acquire({ ...one, live }, 1);
});
