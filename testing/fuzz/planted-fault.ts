/** A fault behind four bytes: a change of one of them is likely, of all four at once hardly ever. */
export function plantedFault(bytes: Uint8Array): void {
  if (bytes[0] !== 0x7f) return;
  if (bytes[1] !== 0x80) return;
  if (bytes[2] !== 0x01) return;
  if (bytes[3] !== 0xff) return;
  throw new Error("the planted fault");
}
