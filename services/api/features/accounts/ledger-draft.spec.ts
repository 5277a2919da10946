import type { ArchivedEntry } from "@packshot/platform/ledger/ledger-archive.ts";
import { expect, test } from "vitest";
import { createLedgerDraft } from "./ledger-archive.ts";

function entry(sequence: number, storedAt: string, source = { stream: "PS_STATE", sequence }): ArchivedEntry {
  const amounts = { amount: 1, balanceAfter: sequence };
  const at = { v: 1, kind: "grant", accountId: "a", period: 1, entryId: String(sequence), at: storedAt } as const;
  return { sequence, storedAt, source, entry: { ...at, ...amounts } };
}

test("a draft is of one day, also when a clock was set back, and closes an hour after it", () => {
  const draft = createLedgerDraft({ sequence: 0, sources: {} });
  expect(draft.isDayClosed(Date.parse("2030-01-01"))).toBe(false);
  draft.add(entry(1, "2026-11-22T23:59:59.999Z"));
  expect(draft.isOfLaterDay(entry(2, "2026-11-22T01:00:00.000Z"))).toBe(false);
  expect(draft.isOfLaterDay(entry(2, "2026-11-21T01:00:00.000Z"))).toBe(false);
  expect(draft.isOfLaterDay(entry(2, "2026-11-23T00:00:00.000Z"))).toBe(true);
  expect(draft.isDayClosed(Date.parse("2026-11-23T00:59:59Z"))).toBe(false);
  expect(draft.isDayClosed(Date.parse("2026-11-23T01:00:00Z"))).toBe(true);
});

test("it knows what each state stream gave before", () => {
  const draft = createLedgerDraft({ sequence: 9, sources: { PS_STATE: 50 } });
  const of = (stream: string, sequence: number) => entry(10, "2026-11-22T00:00:00.000Z", { stream, sequence });
  expect(draft.isKnown(of("PS_STATE", 50))).toBe(true);
  expect(draft.isKnown(of("PS_STATE", 51))).toBe(false);
  expect(draft.isKnown(of("PS_STATE_1", 3))).toBe(false);
  draft.add(of("PS_STATE_1", 3));
  expect(draft.isKnown(of("PS_STATE_1", 3))).toBe(true);
  expect(draft.sources).toEqual({ PS_STATE: 50, PS_STATE_1: 3 });
});
