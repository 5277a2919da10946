/** Blurs a plane in place with three box filters, close to a Gaussian of `sigma` cells. Edge values repeat outward. */
export function blurPlane(plane: Float32Array, width: number, height: number, sigma: number): void {
  if (sigma < 0.3) return;
  const radius = Math.max(1, Math.round(Math.sqrt(sigma * sigma + 1 / 12) * 0.98));
  const line = new Float32Array(Math.max(width, height));
  for (let pass = 0; pass < (sigma < 1 ? 2 : 3); pass++) {
    for (let y = 0; y < height; y++) boxFilterLine(plane, y * width, 1, width, radius, line);
    for (let x = 0; x < width; x++) boxFilterLine(plane, x, width, height, radius, line);
  }
}

function boxFilterLine(
  plane: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
  line: Float32Array,
) {
  for (let i = 0; i < count; i++) line[i] = plane[start + i * step]!;
  const last = count - 1;
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += line[Math.min(last, Math.max(0, i))]!;
  const scale = 1 / (2 * radius + 1);
  for (let i = 0; i < count; i++) {
    plane[start + i * step] = sum * scale;
    sum += line[Math.min(last, i + radius + 1)]! - line[Math.max(0, i - radius)]!;
  }
}
