import { expect, it } from "vitest";
import { ExpiringMap } from "./expiring-map.ts";

it("removes what has expired as it grows, and nothing else", () => {
  let nowMs = 0;
  const map = new ExpiringMap<number>((expiresAtMs) => expiresAtMs <= nowMs);
  for (let at = 0; at < 900; at += 1) map.set(`short ${at}`, 10);
  nowMs = 10;
  for (let at = 0; at < 900; at += 1) map.set(`long ${at}`, 20);
  expect([map.size, map.has("short 1"), map.has("long 0"), map.has("long 899")]).toEqual([900, false, true, true]);
});

it("lets the oldest entries go where it has a largest size", () => {
  const map = new ExpiringMap<number>(() => false, 3);
  for (const key of ["a", "b", "c", "a", "d"]) map.set(key, 1);
  expect([...map.keys()]).toEqual(["c", "a", "d"]);
});
