import type { Subscription } from "@nats-io/transport-node";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { afterEach, beforeAll, expect, it } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { type AskForLink, createAskForLink, LinksUnavailable } from "./bucket-links.ts";

const log = suiteFixture(startLog);
const request = { kind: "source", accountId: uuidv7(), jobId: uuidv7() } as const;
const link = { method: "GET", url: "https://s3.example/k", headers: {} } as const;
const { signal } = new AbortController();
let askForLink: AskForLink;
let answering: Subscription | undefined;

beforeAll(() => {
  askForLink = createAskForLink(log);
});
afterEach(() => answering?.unsubscribe());

/** Stands for API processes, which give these answers in turn. */
async function answer(...answers: readonly object[]): Promise<void> {
  let given = 0;
  answering = log.connection.subscribe(subjects.bucketLink, {
    callback: (_error, message) => void message.respond(JSON.stringify(answers[given++])),
  });
  await log.connection.flush();
}

it("gives up when no API process answers for as long as it may wait", async () => {
  await expect(askForLink(request, { waitMs: 0, signal })).rejects.toBeInstanceOf(LinksUnavailable);
});

it("asks again after an answer that says so", async () => {
  await answer({ error: { code: "unavailable", message: "" } }, { link });
  expect(await askForLink(request, { waitMs: 60_000, signal })).toEqual(link);
});

it("fails the job with what the API says", async () => {
  await answer({ error: { code: "source_unreachable", message: "Connection no longer exists." } });
  await expect(askForLink(request, { waitMs: 60_000, signal })).rejects.toMatchObject({ code: "source_unreachable" });
});

it("stops asking when the job is aborted", async () => {
  const abort = new AbortController();
  const asking = askForLink(request, { waitMs: 600_000, signal: abort.signal });
  abort.abort("cancelled");
  await expect(asking).rejects.toBe("cancelled");
});
