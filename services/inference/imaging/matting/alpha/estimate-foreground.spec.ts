import { describe, expect, it } from "vitest";
import { estimateForeground } from "./estimate-foreground.ts";

const size = { width: 200, height: 160 };
const product = [30, 60, 120] as const;
const paper = [240, 240, 235] as const;

/** A disc with a soft edge of three pixels, composed on paper. */
function softDisc() {
  const count = size.width * size.height;
  const rgb = new Uint8Array(count * 3);
  const alpha = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const r = Math.hypot((i % size.width) - 100, Math.floor(i / size.width) - 80);
    const a = Math.min(1, Math.max(0, (50 - r) / 3 + 0.5));
    alpha[i] = Math.round(a * 255);
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = Math.round(a * product[c]! + (1 - a) * paper[c]!);
  }
  return { rgb, alpha };
}

const rim = 20;

/**
 * A bright disc with a dark rim on paper, at a photo's size. Its alpha is that of a disc which is a pixel larger, as at a
 * blurred edge: its soft pixels hold more paper than alpha says.
 */
function darkRimUnderHighAlpha() {
  const large = { width: 512, height: 400 };
  const count = large.width * large.height;
  const rgb = new Uint8Array(count * 3);
  const alpha = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const r = Math.hypot((i % large.width) - 256, Math.floor(i / large.width) - 200);
    const share = (radius: number) => Math.min(1, Math.max(0, (radius - r) / 3 + 0.5));
    alpha[i] = Math.round(255 * share(151));
    const own = r < 140 ? 200 : rim;
    rgb.fill(Math.round(share(150) * own + (1 - share(150)) * 240), 3 * i, 3 * i + 3);
  }
  return { large, rgb, alpha };
}

describe("estimateForeground", () => {
  it("removes the paper's color from the soft edge", async () => {
    const { rgb, alpha } = softDisc();
    const { rgb: pure } = estimateForeground({ format: "png", ...size, rgb }, rgb, { ...size, rgb }, alpha);
    let worst = 0;
    for (let i = 0; i < alpha.length; i++) {
      if (alpha[i]! < 25 || alpha[i] === 255) continue;
      for (let c = 0; c < 3; c++) worst = Math.max(worst, Math.abs(pure[i * 3 + c]! - product[c]!));
    }
    // A tenth of what paper and product differ by, at alpha as low as a tenth.
    expect(worst).toBeLessThan(20);
  });

  it("takes the rim's color from whole pixels where alpha is higher than the mix is", async () => {
    const { large, rgb, alpha } = darkRimUnderHighAlpha();
    const { rgb: pure } = estimateForeground({ format: "png", ...large, rgb }, rgb, { ...large, rgb }, alpha);
    let sum = 0;
    let count = 0;
    for (let i = 0; i < alpha.length; i++) {
      if (alpha[i]! < 128 || alpha[i] === 255) continue;
      sum += pure[i * 3]! - rim;
      count++;
    }
    // In the photo they are lighter by 153 on average.
    expect(sum / count).toBeLessThan(70);
  });

  it("keeps opaque and transparent pixels, and the photo itself", async () => {
    const { rgb, alpha } = softDisc();
    const before = rgb.slice();
    const { rgb: pure } = estimateForeground({ format: "png", ...size, rgb }, rgb, { ...size, rgb }, alpha);
    expect(rgb).toEqual(before);
    for (let i = 0; i < alpha.length; i++) {
      if (alpha[i] !== 0 && alpha[i] !== 255) continue;
      for (let c = 0; c < 3; c++) expect(pure[i * 3 + c]).toBe(rgb[i * 3 + c]);
    }
  });

  it("keeps the colors of a source that brings its own alpha", async () => {
    const { rgb, alpha } = softDisc();
    const kept = estimateForeground({ format: "png", ...size, rgb, alpha }, rgb, { ...size, rgb }, alpha);
    expect(kept.rgb).toBe(rgb);
  });
});
