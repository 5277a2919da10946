/** A job's end as its follower knows it. k6 reads this module too, so it imports nothing. */
export interface EndedJob {
  readonly status: string;
  /** When the webhook arrived, or the answer that said so. */
  readonly atMs: number;
  readonly resultUrl: string | null;
}

/** What is wrong with how jobs ended, those included that nobody followed: one line for each status but `completed`. */
export function endFaults(ended: readonly EndedJob[]): string[] {
  const counts = new Map<string, number>();
  for (const { status } of ended) counts.set(status, (counts.get(status) ?? 0) + 1);
  counts.delete("completed");
  return [...counts].map(([status, count]) => `${count} jobs ended ${status}`);
}
