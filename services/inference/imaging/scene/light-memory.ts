/**
 * The memory in which a scene's light is painted, used again by the thread's next scene: the collector runs after so many
 * bytes of new arrays, and with the garbage it drops machine code that the next scene needs.
 */

/** The scene of a photo of up to 2.7 megapixels. Memory of larger scenes is not kept. */
const keptFloats = 1 << 21;
let spare: Float32Array<ArrayBuffer> | undefined;

/** @returns zeros */
export function takeLight(floats: number): Float32Array {
  if (floats > keptFloats) return new Float32Array(floats);
  const kept = spare ?? new Float32Array(keptFloats);
  spare = undefined;
  return kept.subarray(0, floats).fill(0);
}

/** Nobody may read the light any more. */
export function giveBackLight({ buffer }: Float32Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === 4 * keptFloats) spare = new Float32Array(buffer);
}
