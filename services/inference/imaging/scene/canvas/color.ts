/** Linear-light RGB; 1 is paper white. */
export type LinearRgb = readonly [number, number, number];

export function fromHex(hex: string): LinearRgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [toLinear((value >> 16) & 255), toLinear((value >> 8) & 255), toLinear(value & 255)];
}

function toLinear(byte: number): number {
  const c = byte / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

export function toSrgb(linear: number): number {
  if (linear <= 0) return 0;
  if (linear >= 1) return 1;
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

export function mix(a: LinearRgb, b: LinearRgb, share: number): LinearRgb {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

export function scale(a: LinearRgb, factor: number): LinearRgb {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

export function multiply(a: LinearRgb, b: LinearRgb): LinearRgb {
  return [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
}

export function luminance(a: LinearRgb): number {
  return 0.2126 * a[0] + 0.7152 * a[1] + 0.0722 * a[2];
}

export function saturate(a: LinearRgb, factor: number): LinearRgb {
  const gray = luminance(a);
  return [
    Math.max(0, gray + (a[0] - gray) * factor),
    Math.max(0, gray + (a[1] - gray) * factor),
    Math.max(0, gray + (a[2] - gray) * factor),
  ];
}

/** @param hue degrees; saturation and lightness 0–1, as in CSS. */
export function fromHsl(hue: number, saturation: number, lightness: number): LinearRgb {
  const a = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return toLinear(255 * (lightness - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
