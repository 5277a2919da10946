import { randomUUID } from "node:crypto";
import { subjects } from "@packshot/domain/subjects.ts";
import { expect, test } from "vitest";
import { countKinds } from "./record-lives.ts";

test("records are counted by their kind, with how long those live that outlive a week", () => {
  const account = randomUUID();
  const id = randomUUID();
  const counted = countKinds([
    subjects.review(account, id),
    subjects.review(account, randomUUID()),
    subjects.audit(account, "2026-11-28-keys-0000"),
    subjects.job(account, id),
    subjects.wait.live(account, id),
    subjects.eventCopy(account),
    subjects.schema,
  ]);
  expect(counted).toEqual([
    { kind: "review", subjects: 2, lives: expect.stringContaining("8 days") },
    { kind: "audit", subjects: 1, lives: "90 days" },
    { kind: "job", subjects: 1, lives: undefined },
    { kind: "wait", subjects: 1, lives: undefined },
    { kind: "pse", subjects: 1, lives: undefined },
    { kind: "log", subjects: 1, lives: undefined },
  ]);
});
