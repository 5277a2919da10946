import { expect, it } from "vitest";
import { freePlanes } from "./image.ts";

it("frees planes, and leaves those that share their memory", () => {
  const plane = new Uint8Array(12);
  const shared = new Uint8Array(new ArrayBuffer(12), 4);
  freePlanes([plane, undefined, shared, plane]);
  expect([plane.length, shared.length]).toEqual([0, 8]);
});
