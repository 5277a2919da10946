/** `blurPlane` in plain TypeScript, as it was before its kernels. */

export function blurPlane(plane: Float32Array, width: number, height: number, sigma: number): void {
  if (sigma < 0.3) return;
  const radius = Math.max(1, Math.round(Math.sqrt(sigma * sigma + 1 / 12) * 0.98));
  const line = new Float32Array(width);
  const copy = new Float32Array(width * height);
  const sums = new Float64Array(width);
  for (let pass = 0; pass < (sigma < 1 ? 2 : 3); pass++) {
    for (let y = 0; y < height; y++) boxFilterRow(plane, y * width, width, radius, line);
    copy.set(plane);
    boxFilterColumns(copy, plane, width, height, radius, sums);
  }
}

function boxFilterRow(plane: Float32Array, start: number, count: number, radius: number, line: Float32Array) {
  for (let i = 0; i < count; i++) line[i] = plane[start + i]!;
  const last = count - 1;
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += line[Math.min(last, Math.max(0, i))]!;
  const scale = 1 / (2 * radius + 1);
  for (let i = 0; i < count; i++) {
    plane[start + i] = sum * scale;
    sum += line[Math.min(last, i + radius + 1)]! - line[Math.max(0, i - radius)]!;
  }
}

/** All columns side by side, so that memory is read in its order. */
function boxFilterColumns(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  radius: number,
  sums: Float64Array,
) {
  const last = height - 1;
  sums.fill(0);
  for (let i = -radius; i <= radius; i++) {
    const row = Math.min(last, Math.max(0, i)) * width;
    for (let x = 0; x < width; x++) sums[x]! += from[row + x]!;
  }
  const scale = 1 / (2 * radius + 1);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const entering = Math.min(last, y + radius + 1) * width;
    const leaving = Math.max(0, y - radius) * width;
    for (let x = 0; x < width; x++) {
      const sum = sums[x]!;
      to[row + x] = sum * scale;
      sums[x] = sum + (from[entering + x]! - from[leaving + x]!);
    }
  }
}
