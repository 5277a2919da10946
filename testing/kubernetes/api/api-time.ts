/** The present as Kubernetes writes times, to the second. */
export function apiTime(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, "Z");
}
