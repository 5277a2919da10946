import sharp from "sharp";

export interface Mug {
  /** The middle of its foot, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly color: string;
  /** How far out of focus it is, in pixels. */
  readonly blur?: number;
}

export const mugsSize = { width: 900, height: 600 } as const;

/** The share of a mug's height that its body is wide. */
const bodyShare = 0.8;

/** The box of a mug's body, without its handle, as it is drawn. */
export function bodyOf({ x, y, height }: Mug) {
  const width = bodyShare * height;
  return { left: x - width / 2, top: y - height, right: x + width / 2, bottom: y };
}

/** What is behind the mugs: paper that bends up, or a table before a wall with stripes. */
export type MugGround = "paper" | "room";

/** A photo of mugs with handles at their right, each on a soft shadow, as a PNG of `mugsSize`. */
export async function drawnMugs(mugs: readonly Mug[], ground: MugGround = "paper"): Promise<Buffer> {
  const { width, height } = mugsSize;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="paper" x2="0" y2="1">
        <stop offset="0" stop-color="#dfe1e4"/><stop offset=".65" stop-color="#eceded"/><stop offset="1" stop-color="#d9d9d8"/>
      </linearGradient>
      <linearGradient id="light">
        <stop offset="0" stop-color="#000" stop-opacity=".35"/><stop offset=".35" stop-color="#fff" stop-opacity=".25"/>
        <stop offset="1" stop-color="#000" stop-opacity=".4"/>
      </linearGradient>
      <filter id="soft" x="-50%" y="-100%" width="200%" height="300%"><feGaussianBlur stdDeviation="12"/></filter>
    </defs>
    ${ground === "paper" ? `<rect width="100%" height="100%" fill="url(#paper)"/>` : drawRoom()}
    ${mugs.map(drawMug).join("")}
  </svg>`;
  return await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

function drawRoom(): string {
  const stripes = Array.from({ length: 15 }, (_, i) => `<rect x="${i * 60}" width="24" height="380" fill="#9aa58c"/>`);
  const planks = Array.from({ length: 5 }, (_, i) => {
    return `<rect y="${380 + i * 46}" width="900" height="46" fill="${i % 2 === 0 ? "#8a6a4c" : "#826347"}"/>`;
  });
  return `<rect width="100%" height="100%" fill="#b9b8a4"/>${stripes.join("")}${planks.join("")}`;
}

function drawMug({ x, y, height, color, blur = 0 }: Mug, index: number): string {
  const half = (bodyShare * height) / 2;
  const rim = y - height * 0.92;
  const foot = y - height * 0.08;
  const oval = height * 0.08;
  const body = `M${x - half} ${rim} L${x - half} ${foot} A${half} ${oval} 0 0 0 ${x + half} ${foot} L${x + half} ${rim} Z`;
  const handle = `M${x + half} ${rim + height * 0.18} C${x + half * 1.7} ${rim + height * 0.15} ${x + half * 1.7} ${foot - height * 0.15} ${x + half} ${foot - height * 0.15}`;
  return `<filter id="focus${index}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${blur}"/></filter>
    <ellipse cx="${x + half * 0.25}" cy="${foot + oval * 0.5}" rx="${half * 1.25}" ry="${oval * 1.3}" fill="#000" opacity=".35" filter="url(#soft)"/>
    <g ${blur === 0 ? "" : `filter="url(#focus${index})"`}>
      <path d="${handle}" fill="none" stroke="${color}" stroke-width="${height * 0.09}"/>
      <path d="${body}" fill="${color}"/><path d="${body}" fill="url(#light)"/>
      <ellipse cx="${x}" cy="${rim}" rx="${half}" ry="${oval}" fill="${color}"/>
      <ellipse cx="${x}" cy="${rim}" rx="${half * 0.92}" ry="${oval * 0.85}" fill="#000" opacity=".45"/>
    </g>`;
}

/** The right half of such a photo lies in the dark, and so does that of a mug in its middle: its cut-out is doubtful. */
export async function halfDark(source: Buffer): Promise<Buffer> {
  const { width, height } = mugsSize;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="dark">
      <stop offset=".44" stop-color="#000" stop-opacity="0"/><stop offset=".5" stop-color="#000" stop-opacity=".985"/>
    </linearGradient>
    <rect width="100%" height="100%" fill="url(#dark)"/>
  </svg>`;
  return await sharp(source)
    .composite([{ input: Buffer.from(svg) }])
    .png()
    .toBuffer();
}
