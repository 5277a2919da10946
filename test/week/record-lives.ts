/** Which records of the log live longer than a week, or as long as in a real one, so that their number grows from day to day. */
import { subjectTokens } from "@packshot/domain/subjects.ts";

/** By the kind in their subjects. */
const longLives: Readonly<Record<string, string>> = {
  review: "those with a free repeat for 8 days",
  usage: "400 days",
  audit: "90 days",
  apikey: "until revoked, then a year",
  key: "until revoked, then a year",
  batch: "72 hours, which are not scaled",
};

export interface KindOfRecord {
  readonly kind: string;
  readonly subjects: number;
  /** How long its records live, where that is longer than a week in short. */
  readonly lives: string | undefined;
}

const others = "other";

/** Kinds that live long, each by itself, and all others together. */
export function countKinds(subjects: readonly string[]): KindOfRecord[] {
  const kinds = Map.groupBy(subjects, (subject) => {
    const { kind } = subjectTokens(subject);
    return subject.startsWith("ps.") && longLives[kind] !== undefined ? kind : others;
  });
  return [...kinds].map(([kind, own]) => ({ kind, subjects: own.length, lives: longLives[kind] }));
}
