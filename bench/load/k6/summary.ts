/** What k6 knows at the end, for `run.ts`, which makes a table of it. */
export function handleSummary(data: unknown): Record<string, string> {
  return { [__ENV.LOAD_SUMMARY!]: JSON.stringify(data) };
}
