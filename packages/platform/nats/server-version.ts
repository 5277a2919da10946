/** Older servers lack the limit on open batches, or lose scheduled messages in a work queue. */
export const natsServerVersionMin = "2.15.2";

export function isAtLeast(version: string, floor: string): boolean {
  const found = version.split(".").map(Number);
  const wanted = floor.split(".").map(Number);
  const differing = found.findIndex((part, index) => part !== wanted[index]);
  return differing === -1 || found[differing]! > wanted[differing]!;
}
