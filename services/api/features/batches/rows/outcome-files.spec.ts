import type { Storage } from "@packshot/platform/storage/storage.ts";
import { expect, test } from "vitest";
import { describeOnStorages, startStorages } from "../../../../../testing/storage/test-storages.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import { createOutcomeFiles } from "./outcome-files.ts";
import type { RowOutcome } from "./row.ts";

const storages = suiteFixture(startStorages);

function outcome(row: number, sequence: number, status: RowOutcome["status"], attempt = 1): RowOutcome {
  return {
    row,
    try: attempt,
    sequence,
    status,
    jobId: null,
    code: null,
    message: null,
    result: null,
    destination: null,
    sameAs: null,
    quality: null,
    checks: null,
    credits: 0,
    milliseconds: null,
    at: "2026-11-22T10:00:00.000Z",
  };
}

describeOnStorages("outcomes on %s", (adapter) => {
  const folder = "batches/a/1/outcomes/0000/";
  const batch = { accountId: "a", id: "1" };
  const statuses = (outcomes: ReadonlyMap<number, RowOutcome>) =>
    [...outcomes].sort(([a], [b]) => a - b).map(([row, { status, sequence }]) => [row, status, sequence]);
  const names = (storage: Storage) => Array.fromAsync(storage.list(folder), ({ key }) => key.slice(folder.length));

  test("the newest line of a row holds, before and after the files are made into one", async () => {
    const storage = storages[adapter];
    const files = createOutcomeFiles(storage);
    expect(await files.read(batch, 0)).toEqual(new Map());
    await files.add(batch, 0, { first: 5, last: 9 }, [outcome(1, 5, "failed"), outcome(2, 9, "completed")]);
    await files.add(batch, 0, { first: 10, last: 12 }, [outcome(1, 11, "completed", 2), outcome(3, 12, "skipped")]);
    // Written again after a kill, and late.
    await files.add(batch, 0, { first: 5, last: 9 }, [outcome(1, 5, "failed"), outcome(2, 9, "completed")]);
    const expected = [
      [1, "completed", 11],
      [2, "completed", 9],
      [3, "skipped", 12],
    ];
    expect(statuses(await files.read(batch, 0))).toEqual(expected);
    await Promise.all([files.compact(batch, 0), createOutcomeFiles(storage).compact(batch, 0)]);
    expect(statuses(await files.read(batch, 0))).toEqual(expected);
    expect(await names(storage)).toEqual(["compact-12.ndjson"]);
    await files.add(batch, 0, { first: 13, last: 13 }, [outcome(4, 13, "cancelled")]);
    await files.compact(batch, 0);
    await files.compact(batch, 0);
    expect(await names(storage)).toEqual(["compact-13.ndjson"]);
    expect(statuses(await files.read(batch, 0))).toEqual([...expected, [4, "cancelled", 13]]);
    expect(await files.read(batch, 1)).toEqual(new Map());
  });

  test("who lists the files while they are made into one finds the outcome of each row", async () => {
    const storage = storages[adapter];
    const running = { accountId: "a", id: "running" };
    const files = createOutcomeFiles(storage);
    await files.add(running, 0, { first: 1, last: 1 }, [outcome(1, 1, "completed")]);
    await files.add(running, 0, { first: 2, last: 2 }, [outcome(2, 2, "completed")]);
    let isCompacted = false;
    const list: Storage["list"] = async function* (prefix) {
      for await (const found of storage.list(prefix)) {
        yield found;
        // It has removed one file so far.
        if (isCompacted) continue;
        isCompacted = true;
        const kept = await storage.read(found.key, { bytesMax: 10_000 });
        await files.compact(running, 0);
        await storage.write(found.key, kept!, { bytesMax: 10_000 });
      }
    };
    const read = await createOutcomeFiles({ ...storage, list }).read(running, 0);
    expect([...read.keys()].toSorted()).toEqual([1, 2]);
  });

  test("a compaction that is killed loses nothing, wherever that is", async () => {
    const storage = storages[adapter];
    const killed = { accountId: "a", id: "2" };
    for (let survived = 0; survived < 4; survived++) {
      let steps = 0;
      const step = () => (steps++ < survived ? Promise.resolve() : Promise.reject(new Error("killed")));
      const dying = createOutcomeFiles({
        read: storage.read,
        list: storage.list,
        write: async (...args) => {
          await step();
          return await storage.write(...args);
        },
        deletePrefix: async (key) => {
          await step();
          await storage.deletePrefix(key);
        },
      });
      const files = createOutcomeFiles(storage);
      const first = survived * 10;
      await files.add(killed, 0, { first, last: first + 1 }, [outcome(survived, first, "completed")]);
      await files.add(killed, 0, { first: first + 2, last: first + 3 }, [outcome(survived, first + 2, "failed")]);
      await dying.compact(killed, 0).catch((error: Error) => expect(error.message).toBe("killed"));
      expect(statuses(await files.read(killed, 0)).at(-1)).toEqual([survived, "failed", first + 2]);
      expect((await files.read(killed, 0)).size).toBe(survived + 1);
    }
  });
});
