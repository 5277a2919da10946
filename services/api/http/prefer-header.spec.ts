import { expect, test } from "vitest";
import { parsePreferWait } from "./headers.ts";

test.each([
  ["wait=2", 2],
  ["respond-async, wait=2", 2],
  ['WAIT = "2"; foo', 2],
  ["wait=0", 0],
  ["wait=61", 60],
  ["wait=99999999999999999999", 60],
  ["wait=-1", undefined],
  ["wait=1.5", undefined],
  ["wait", undefined],
  [undefined, undefined],
] as const)("Prefer: %s waits %s seconds", (prefer, seconds) => {
  expect(parsePreferWait(prefer)).toBe(seconds);
});
