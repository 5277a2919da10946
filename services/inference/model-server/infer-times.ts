/** What a request took, once it is answered. */
export interface InferTimes {
  readonly queueMs: number;
  /** The whole batch's time. */
  readonly runMs: number;
  /** The request's part of that, by its rows: over all requests they add up to the time in which sessions ran. */
  readonly shareMs: number;
  readonly provider: string;
}
