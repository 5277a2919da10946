/** A job's end as its follower knows it. k6 reads this module too, so it imports nothing. */
export interface EndedJob {
  readonly status: string;
  /** Of the webhook's arrival, or of the answer that said so. */
  readonly atMs: number;
  readonly resultUrl: string | null;
}
