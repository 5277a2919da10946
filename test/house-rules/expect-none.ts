import { expect } from "vitest";
import { exceptions } from "./exceptions.ts";

/** Fails naming every offender at once, less the listed exceptions; an exception that no longer offends fails too. */
export function expectNone(rule: keyof typeof exceptions, offenders: readonly string[]): void {
  const excused = exceptions[rule].map(({ what }) => what);
  const matches = (offender: string, what: string) => offender === what || offender.startsWith(`${what}:`);
  expect(offenders.filter((offender) => !excused.some((what) => matches(offender, what)))).toEqual([]);
  expect(
    excused.filter((what) => !offenders.some((offender) => matches(offender, what))),
    "exceptions no longer needed",
  ).toEqual([]);
}
