/** A bare wall has the color that a theme names, whatever its mood and the language. */

import { describe, expect, it } from "vitest";
import { fitCamera } from "./canvas/camera.ts";
import { planScene } from "./plan/scene-plan.ts";
import { renderScene } from "./render-scene.ts";
import { toneMap } from "./tone-map.ts";
import { parseTheme } from "./words/theme.ts";

const width = 120;
const height = 90;

/** CIE L*a*b* of display values, 0–255. */
function labOf(rgb: readonly number[]): readonly [number, number, number] {
  const [r, g, b] = rgb.map((value) => (value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  const cube = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = cube((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = cube(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = cube((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The backdrop's lightness, 0–100, and its hue in degrees, in the middle of the picture's upper half. */
function backdropOf(theme: string) {
  const plan = planScene(parseTheme(theme), theme, 7);
  const { light } = renderScene(plan, fitCamera(null, width, height, 1, 0.29), null, undefined, []);
  toneMap(light, plan, fitCamera(null, width, height, 1, 0.29));
  const sums = [0, 0, 0];
  for (let y = 8; y < 40; y++) {
    for (let x = 30; x < 90; x++) for (let c = 0; c < 3; c++) sums[c]! += light[(y * width + x) * 3 + c]!;
  }
  const [lightness, a, b] = labOf(sums.map((sum) => sum / (32 * 60)));
  return { lightness, hue: (Math.atan2(b, a) * 180) / Math.PI, kind: plan.lightKind };
}

const moodsOf: Readonly<Record<string, readonly string[]>> = {
  "powder pink background": ["romantic", "cozy", "evening mood", "luxury", "dramatic", "candlelight"],
  "mint background": ["romantic", "cozy", "evening mood", "luxury", "dramatic", "candlelight"],
  "lavender background": ["romantic", "cozy", "evening mood", "luxury", "dramatic", "candlelight"],
  "baby blue background": ["romantic", "cozy", "evening mood", "luxury", "dramatic", "candlelight"],
  "cream background": ["romantic", "cozy", "evening mood", "luxury", "dramatic", "candlelight"],
  "rosa Hintergrund": ["romantisch", "gemütlich", "Abendstimmung"],
  "fond rose poudré": ["ambiance romantique", "ambiance du soir"],
  "fondo lavanda": ["ambiente romántico", "acogedor"],
  "sfondo rosa cipria": ["atmosfera romantica", "accogliente"],
  "lichtroze achtergrond": ["gezellig", "romantisch"],
  "błękitne tło": ["romantyczny nastrój", "przytulny"],
};

describe.each(Object.entries(moodsOf))("%s", (color, moods) => {
  const plain = backdropOf(color);

  it.each(moods)("keeps its hue and is not dark: %s", (mood) => {
    const seen = backdropOf(`${color}, ${mood}`);
    const turn = Math.abs(((seen.hue - plain.hue + 540) % 360) - 180);
    expect(turn).toBeLessThan(30);
    expect(seen.lightness).toBeGreaterThan(plain.lightness - 14);
  });
});
