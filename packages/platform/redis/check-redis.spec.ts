import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { redisVersionMin } from "../config/backend-settings.ts";
import { isTooOld } from "./check-redis.ts";

it.each([
  ["6.2.14", true],
  ["7.0.15", false],
  ["7.2.8", false],
  ["10.0.0", false],
])("a Redis of version %s is too old: %s", (version, expected) => {
  expect(isTooOld(version)).toBe(expected);
});

it("the documents name the version that the doctor wants", async () => {
  const read = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
  expect(await read("operations.md")).toContain(`no replica. Version ${redisVersionMin} or newer,`);
  expect(await read("configuration.md")).toContain(`Redis (${redisVersionMin} or newer) or Valkey`);
});
