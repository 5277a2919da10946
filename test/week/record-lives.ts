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

/** Each kind by itself; what lies in streams of its own by their letters (`psa`: attempts), what belongs to no account as "log". */
export function countKinds(subjects: readonly string[]): KindOfRecord[] {
  const kinds = Map.groupBy(subjects, (subject) => {
    const [first = "", shard = ""] = subject.split(".");
    if (first !== "ps") return first;
    return /^\d\d$/.test(shard) ? subjectTokens(subject).kind : "log";
  });
  return [...kinds].map(([kind, own]) => ({ kind, subjects: own.length, lives: longLives[kind] }));
}
