/**
 * The kernels' memory, a stack: what is reserved while some work runs is free again after it. Every edit thread has a
 * memory of its own, in which one computation runs at a time. It never grows, so views into it stay valid. The system
 * gives it pages only where they have been written.
 */

import { webAssembly } from "./web-assembly.ts";

const pageBytes = 65_536;
/** Refinement takes 60 MiB on the largest work grid. */
const memoryBytes = 192 << 20;
/** Vectors are read and written up to this far beyond a plane's end. */
const slackBytes = 32;

export const kernelMemory = new webAssembly.Memory({
  initial: memoryBytes / pageBytes,
  maximum: memoryBytes / pageBytes,
});
const { buffer } = kernelMemory;
let top = slackBytes;
let depth = 0;

/** @returns the address of memory that is not cleared, aligned for vectors; in use until the work around it ends */
export function reserve(bytes: number): number {
  const at = (top + 15) & ~15;
  if (at + bytes + slackBytes > memoryBytes) throw new RangeError(`the kernels have no room for ${bytes} bytes more`);
  top = at + bytes + slackBytes;
  return at;
}

/** Planes that the work computes stay in the kernels' memory until it ends: it must not hand any out. */
export function inKernelMemory<T>(work: () => T): T {
  const mark = top;
  depth++;
  try {
    return work();
  } finally {
    depth--;
    top = mark;
  }
}

/** Computes planes that stay in the kernels' memory until the work that holds them ends. undefined: other work holds some. */
export type HoldPlanes = <Planes>(compute: () => Planes) => Planes | undefined;

let isHeld = false;

/**
 * For work with pauses: what it holds lies below all that is reserved meanwhile, also by others. One at a time may hold planes, and
 * once; whoever may not computes them when they are needed.
 */
export async function holdingPlanes<T>(work: (hold: HoldPlanes) => Promise<T>): Promise<T> {
  let mark: number | undefined;
  try {
    return await work((compute) => {
      if (isHeld || depth > 0) return undefined;
      isHeld = true;
      mark = top;
      depth++;
      try {
        return compute();
      } finally {
        depth--;
      }
    });
  } finally {
    if (mark !== undefined) {
      top = mark;
      isHeld = false;
    }
  }
}

type Plane = Uint8Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array;

/** Where a kernel finds a plane: where it lies in the kernels' memory, else a copy. */
export function addressOf(plane: Plane): number {
  if (plane.buffer === buffer) return plane.byteOffset;
  const at = reserve(plane.byteLength);
  writePlane(plane, at);
  return at;
}

/** Copies a plane to an address of the kernels' memory. */
export function writePlane({ buffer: from, byteOffset, byteLength }: Plane, to: number): void {
  new Uint8Array(buffer, to, byteLength).set(new Uint8Array(from, byteOffset, byteLength));
}

/** Inside `inKernelMemory`, the same bytes in the kernels' memory, so that no kernel copies them again. */
export function inKernels(bytes: Uint8Array): Uint8Array {
  if (depth === 0) return bytes;
  return new Uint8Array(buffer, addressOf(bytes), bytes.length);
}

/** A plane in the kernels' memory that is not cleared, in use until the work around it ends. */
export const kernelBytes = (length: number) => new Uint8Array(buffer, reserve(length), length);
export const kernelShorts = (length: number) => new Uint16Array(buffer, reserve(2 * length), length);
export const kernelIntegers = (length: number) => new Int32Array(buffer, reserve(4 * length), length);
export const kernelFloats = (length: number) => new Float32Array(buffer, reserve(4 * length), length);
export const kernelDoubles = (length: number) => new Float64Array(buffer, reserve(8 * length), length);

/** The address of a copy that is never freed, for the tables of a module. */
export function keepTable(table: Plane): number {
  if (depth > 0 || isHeld) throw new Error("a table must be kept before any computation");
  return addressOf(table);
}

/** @param write writes all bytes from the address on */
export function computeBytes(length: number, write: (to: number) => void): Uint8Array<ArrayBuffer> {
  return compute(length, write, (at) => new Uint8Array(buffer, at, length));
}

/** @param write writes all values from the address on */
export function computeFloats(length: number, write: (to: number) => void): Float32Array<ArrayBuffer> {
  return compute(4 * length, write, (at) => new Float32Array(buffer, at, length));
}

/** @param write writes all values from the address on */
export function computeIntegers(length: number, write: (to: number) => void): Int32Array<ArrayBuffer> {
  return compute(4 * length, write, (at) => new Int32Array(buffer, at, length));
}

/** Inside `inKernelMemory` the result stays there; elsewhere it is copied to an array of its own. */
function compute<Result extends { slice(): Result }>(
  bytes: number,
  write: (to: number) => void,
  view: (at: number) => Result,
): Result {
  const mark = top;
  try {
    const at = reserve(bytes);
    inKernelMemory(() => write(at));
    if (depth > 0) return view(at);
    return view(at).slice();
  } finally {
    if (depth === 0) top = mark;
  }
}
