/** CIEDE2000 (ISO/CIE 11664-6): the difference of two colors as people see it; about 1 can just be seen side by side. */

type Lab = ArrayLike<number>;

const radians = Math.PI / 180;
const pow7 = (value: number) => value ** 7;
const chromaShare = (chroma: number) => Math.sqrt(pow7(chroma) / (pow7(chroma) + pow7(25)));
const square = (value: number) => value * value;

/** Compares the three values from `at` and from `otherAt` on. */
export function colorDifference(lab: Lab, other: Lab, at = 0, otherAt = 0): number {
  const chromas = [
    Math.hypot(lab[at + 1]!, lab[at + 2]!),
    Math.hypot(other[otherAt + 1]!, other[otherAt + 2]!),
  ] as const;
  const stretch = 1 + 0.5 * (1 - chromaShare((chromas[0] + chromas[1]) / 2));
  const first = polar(lab[at]!, stretch * lab[at + 1]!, lab[at + 2]!);
  const second = polar(other[otherAt]!, stretch * other[otherAt + 1]!, other[otherAt + 2]!);
  const isGray = first.chroma * second.chroma === 0;
  const apart = isGray ? 0 : ((((second.hue - first.hue + 180) % 360) + 360) % 360) - 180;
  const hueDifference = 2 * Math.sqrt(first.chroma * second.chroma) * Math.sin((apart / 2) * radians);
  const hue = isGray ? first.hue + second.hue : (first.hue + apart / 2 + 360) % 360;
  const lightness = (first.lightness + second.lightness) / 2;
  const chroma = (first.chroma + second.chroma) / 2;
  const lightnessShare =
    (second.lightness - first.lightness) /
    (1 + (0.015 * square(lightness - 50)) / Math.sqrt(20 + square(lightness - 50)));
  const chromaDifference = (second.chroma - first.chroma) / (1 + 0.045 * chroma);
  const hueShare = hueDifference / (1 + 0.015 * chroma * hueWeight(hue));
  const turn = -Math.sin(60 * radians * Math.exp(-square((hue - 275) / 25))) * 2 * chromaShare(chroma);
  return Math.sqrt(
    square(lightnessShare) + square(chromaDifference) + square(hueShare) + turn * chromaDifference * hueShare,
  );
}

function polar(lightness: number, a: number, b: number) {
  return { lightness, chroma: Math.hypot(a, b), hue: (Math.atan2(b, a) / radians + 360) % 360 };
}

function hueWeight(hue: number): number {
  return (
    1 -
    0.17 * Math.cos((hue - 30) * radians) +
    0.24 * Math.cos(2 * hue * radians) +
    0.32 * Math.cos((3 * hue + 6) * radians) -
    0.2 * Math.cos((4 * hue - 63) * radians)
  );
}
