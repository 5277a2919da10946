/** The top of a chart's axis and its lines: round numbers that hold the largest value. */
export function axisTicks(max: number): readonly number[] {
  if (max <= 0) return [0, 1];
  const rough = max / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!;
  const whole = max >= 4 ? Math.ceil(step) : Math.max(1, Math.ceil(step));
  return Array.from({ length: Math.ceil(max / whole) + 1 }, (_, index) => index * whole);
}
