/** Queries of the dashboard that several panels share. Grafana fills in the interval. */

/** The time at or below which a share of the observations of a histogram lie, by these labels. */
export function quantile(share: number, histogram: string, labels: readonly string[] = []): string {
  const by = ["le", ...labels].join(", ");
  return `histogram_quantile(${share}, sum by (${by}) (rate(${histogram}_bucket[$__rate_interval])))`;
}

/** How much a counter grows in a second. */
export const rate = (by: string, selector: string) => `sum by (${by}) (rate(${selector}[$__rate_interval]))`;
/** The mean of what a histogram observed. */
export const mean = (histogram: string, by: string) =>
  `${rate(by, `${histogram}_sum`)} / ${rate(by, `${histogram}_count`)}`;
