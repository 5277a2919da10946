import { jetstreamManager } from "@nats-io/jetstream";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLog, type TestLog } from "../../testing/log/test-log.ts";
import { createLog } from "./log.ts";
import { isRetryableLogError, LogConflict, LogOutcomeUnknown, LogRefused } from "./nats/errors.ts";
import { readMessage } from "./nats/leader-read.ts";

let log: TestLog;

beforeAll(async () => {
  log = await startLog();
});

afterAll(() => log.stop());

/** `log`'s connection, the first of whose leader reads are answered as by a cluster that elects its leader. */
function connectionWithoutLeader(reads: number): NatsConnection {
  const description = "JetStream system temporarily unavailable";
  return connectionAnswering(reads, { error: { code: 503, err_code: 10008, description } });
}

/** `log`'s connection, the first of whose leader reads are answered with `body`. */
function connectionAnswering(reads: number, body: object): NatsConnection {
  let left = reads;
  const answer = { json: () => body } as unknown as Msg;
  return new Proxy(log.connection, {
    get(connection, name) {
      if (name !== "request") return Reflect.get(connection, name, connection);
      return (subject: string, ...rest: [string, { timeout: number }]) => {
        if (!subject.startsWith("$JS.API.STREAM.MSG.GET.") || left-- <= 0) return connection.request(subject, ...rest);
        return Promise.resolve(answer);
      };
    },
  });
}

async function limitMessageBytes(bytesMax: number): Promise<void> {
  await (await jetstreamManager(log.connection)).streams.update(streams.state, { max_msg_size: bytesMax });
}

it("fails at once, and may be retried, while the log is known to be out of reach", async () => {
  let outage: string | undefined = "the log is out of reach";
  const watched = createLog(log.connection, { stateStreamCount: 1, outage: () => outage });
  const subject = subjects.job(uuidv7(), uuidv7());
  const write = { subject, value: { v: 1 }, expected: 0 };
  for (const call of [
    watched.read(subject),
    watched.readNext(subjects.job("*", "*"), 1),
    watched.commit("test", [write]),
  ]) {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "LogUnreachable", message: expect.stringContaining(outage) });
    expect(isRetryableLogError(error)).toBe(true);
  }
  expect((await log.read(subject)).sequence).toBe(0);
  const decide = async () => ({ writes: [write], result: "stored" });
  const onFailure = () => {
    outage = undefined;
  };
  expect(await watched.transact("test", decide, { onFailure })).toBe("stored");
});

describe("transact", () => {
  it("decides again when another writer was first", async () => {
    const subject = subjects.account(uuidv7());
    const attempts: number[] = [];
    const answer = await log.transact("test", async (attempt) => {
      attempts.push(attempt);
      const { sequence } = await log.read(subject);
      if (attempt === 1) await log.commit("other", [{ subject, value: { by: "another" }, expected: 0 }]);
      return { writes: [{ subject, value: { by: "this" }, expected: sequence }], result: "done" };
    });
    expect([answer, attempts]).toEqual(["done", [1, 2]]);
    expect((await log.read(subject)).value).toEqual({ by: "this" });
  });

  it("decides again when the server refused the write", async () => {
    const subject = subjects.account(uuidv7());
    await limitMessageBytes(10);
    const failures: unknown[] = [];
    await log.transact(
      "test",
      async (attempt) => {
        if (attempt === 2) await limitMessageBytes(-1);
        return { writes: [{ subject, value: { name: "longer than that" }, expected: 0 }], result: undefined };
      },
      { onFailure: (error) => void failures.push(error) },
    );
    expect(failures).toEqual([expect.any(LogRefused)]);
    expect((await log.read(subject)).value).toEqual({ name: "longer than that" });
  });

  it("decides again when a read found no leader", async () => {
    const subject = subjects.account(uuidv7());
    const leaderless = createLog(connectionWithoutLeader(2), { stateStreamCount: 1 });
    const attempts: number[] = [];
    await leaderless.transact("test", async (attempt) => {
      attempts.push(attempt);
      const { sequence } = await leaderless.read(subject);
      return { writes: [{ subject, value: {}, expected: sequence }], result: undefined };
    });
    expect(attempts).toEqual([1, 2, 3]);
  });

  it("is unavailable, because of the last failure, when no attempt is left", async () => {
    const subject = subjects.account(uuidv7());
    await log.commit("test", [{ subject, value: {}, expected: 0 }]);
    const lost = log.transact(
      "test",
      async () => ({ writes: [{ subject, value: {}, expected: 0 }], result: undefined }),
      { attemptsMax: 2 },
    );
    await expect(lost).rejects.toMatchObject({ code: "unavailable", cause: expect.any(LogConflict) });
  });

  it("does not repeat what the decision itself refuses", async () => {
    let asked = 0;
    const refused = log.transact("test", async () => {
      asked += 1;
      throw new PackshotError("not_found", "Account not found.");
    });
    await expect(refused).rejects.toMatchObject({ code: "not_found" });
    expect(asked).toBe(1);
  });
});

describe("commit", () => {
  const jobs = (count: number) => Array.from({ length: count }, () => subjects.job(uuidv7(), uuidv7()));

  /** A log on `log`'s connection whose requests are counted, and the last of them answered by `answer`. */
  function watchedLog(answer: (message: Msg) => Msg | Promise<Msg> = (message) => message) {
    let requests = 0;
    const connection = new Proxy(log.connection, {
      get(target, name) {
        if (name !== "request") return Reflect.get(target, name, target);
        return async (...args: Parameters<NatsConnection["request"]>) => {
          if (args[0].startsWith("$JS.")) return await target.request(...args);
          requests += 1;
          return await answer(await target.request(...args));
        };
      },
    });
    return { ...createLog(connection, { stateStreamCount: 1 }), requests: () => requests };
  }

  async function storedHeaders(sequence: number): Promise<string> {
    return (await readMessage(log.connection, streams.state, sequence))?.headerText ?? "";
  }

  it("publishes a lone message plainly, with its expectation and its TTL", async () => {
    const subject = subjects.upload(uuidv7(), uuidv7());
    const { firstSequence } = await log.commit("test", [{ subject, value: { v: 1 }, expected: 0, ttlSeconds: 600 }]);
    const headers = await storedHeaders(firstSequence);
    expect(headers).toContain("Nats-TTL: 600s");
    expect(headers).not.toContain("Nats-Batch");
    await expect(log.commit("test", [{ subject, value: {}, expected: firstSequence + 1 }])).rejects.toThrow(
      LogConflict,
    );
    const brief = subjects.upload(uuidv7(), uuidv7());
    await log.commit("test", [{ subject: brief, value: { v: 1 }, expected: 0, ttlSeconds: 1 }]);
    await expect.poll(async () => (await log.read(brief)).sequence).toBe(0);
  });

  it("stores what is committed at once in one batch, and tells each its own sequence", async () => {
    const { commit, requests } = watchedLog();
    const commits = jobs(40).map(async (subject, n) => {
      const job = { subject, value: { n }, expected: 0 };
      const event = { subject: `${subject}.event`, value: { n } };
      return { subject, n, ...(await commit("test", [job, event])) };
    });
    for (const { subject, n, firstSequence } of await Promise.all(commits)) {
      expect(await log.read(subject)).toEqual({ subject, value: { n }, sequence: firstSequence });
      expect((await log.read(`${subject}.event`)).sequence).toBe(firstSequence + 1);
    }
    expect(requests()).toBe(1);
  });

  it("rejects the members at fault and stores their neighbors", async () => {
    const [conflicting, tooLarge, ...innocent] = jobs(20);
    const tooMany = jobs(1_001).map((subject) => ({ subject, value: null }));
    const [large, conflict, many, ...stored] = await Promise.allSettled([
      log.commit("large", [{ subject: tooLarge!, value: { text: "x".repeat(2 ** 20) } }]),
      log.commit("conflict", [{ subject: conflicting!, value: {}, expected: 7 }]),
      log.commit("many", tooMany),
      ...innocent.map((subject) => log.commit("test", [{ subject, value: {}, expected: 0 }])),
    ]);
    expect(large).toMatchObject({ reason: expect.any(LogRefused) });
    expect(conflict).toMatchObject({ reason: expect.any(LogConflict) });
    expect(many).toMatchObject({ reason: expect.any(RangeError) });
    expect(stored.map(({ status }) => status)).toEqual(innocent.map(() => "fulfilled"));
    for (const subject of [tooLarge!, conflicting!]) expect((await log.read(subject)).sequence).toBe(0);
  });

  it("lets each member of a group recognize its own write when the answer is lost", async () => {
    let lost = 0;
    const unlucky = watchedLog((message) => (lost++ === 0 ? Promise.reject(new Error("as asked")) : message));
    const failures: unknown[] = [];
    let read = 0;
    const allRead = Promise.withResolvers<void>();
    const outcomes = jobs(10).map((subject) =>
      unlucky.transact(
        "test",
        async () => {
          const found = await unlucky.read<{ by: string }>(subject);
          if (found.value?.by === subject) return { done: "recognized" };
          if (++read === 10) allRead.resolve();
          await allRead.promise;
          return { writes: [{ subject, value: { by: subject }, expected: found.sequence }], result: "written" };
        },
        { onFailure: (error) => void failures.push(error) },
      ),
    );
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => "recognized"));
    expect(failures).toEqual(outcomes.map(() => expect.any(LogOutcomeUnknown)));
  });
});

describe("read", () => {
  it("finds nothing, a record and a tombstone", async () => {
    const subject = subjects.account(uuidv7());
    expect(await log.read(subject)).toEqual({ subject, value: undefined, sequence: 0 });
    const { firstSequence } = await log.commit("test", [{ subject, value: { v: 1 } }]);
    expect(await log.read(subject)).toEqual({ subject, value: { v: 1 }, sequence: firstSequence });
    await log.commit("test", [{ subject, value: null }]);
    expect(await log.read(subject)).toEqual({ subject, value: undefined, sequence: firstSequence + 1 });
  });

  it("rejects when the stream has no leader", async () => {
    const { read } = createLog(connectionWithoutLeader(1), { stateStreamCount: 1 });
    await expect(read(subjects.account(uuidv7()))).rejects.toThrow(LogRefused);
  });

  it("does not take an answer with neither message nor error for an absent record", async () => {
    const { read } = createLog(connectionAnswering(1, {}), { stateStreamCount: 1 });
    await expect(read(subjects.account(uuidv7()))).rejects.toThrow(LogRefused);
  });
});
