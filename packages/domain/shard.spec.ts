import { expect, it } from "vitest";
import { uuidv7 } from "./ids.ts";
import { shardOf, shards } from "./subjects.ts";

it("is the same for ever: records in the log were named by it", () => {
  expect(shardOf("0192f0c1-2b3c-7d4e-8f50-000000000001")).toBe("02");
  expect(shardOf("0192f0c1-2b3c-7d4e-8f50-000000000002")).toBe("01");
  expect(shardOf("*")).toBe("*");
});

it("spreads accounts evenly, those of one moment too", () => {
  const counts = new Map(shards.map((shard) => [shard, 0]));
  for (let i = 0; i < 16_000; i++) {
    const shard = shardOf(uuidv7(1_760_000_000_000));
    counts.set(shard, counts.get(shard)! + 1);
  }
  for (const count of counts.values()) {
    expect(count).toBeGreaterThan(800);
    expect(count).toBeLessThan(1_200);
  }
});
