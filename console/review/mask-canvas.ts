/**
 * A matte that is painted on. Its canvas has the matte in its alpha channel, as `maskImage` takes it, and what is shown over
 * the photo is its opposite: a tint where the photo is removed.
 */

export interface Spot {
  /** In pixels of the matte. */
  readonly x: number;
  readonly y: number;
}

export interface Brush {
  readonly mode: "keep" | "remove";
  /** Diameter in pixels of the matte. */
  readonly size: number;
}

export interface MaskCanvas {
  readonly width: number;
  readonly height: number;
  /** Begins a stroke with a dab. */
  begin(brush: Brush, at: Spot): void;
  /** Goes on to there; without a stroke it does nothing. */
  extend(to: Spot): void;
  end(): void;
  /** false: there is no stroke left. */
  undo(): boolean;
  strokes(): number;
  /** A PNG with the matte as its transparency. */
  toBlob(): Promise<Blob>;
}

/** A stroke's box, and what was there before. */
interface Undone {
  readonly left: number;
  readonly top: number;
  readonly before: HTMLCanvasElement;
}

/** Each holds the pixels of its box. */
const undosMax = 30;
const tint = "rgb(214 40 57 / 62%)";

/** `shown` becomes the tint, of the matte's size. The matte is a gray picture: white is kept. */
export function createMaskCanvas(matte: ImageBitmap, shown: HTMLCanvasElement): MaskCanvas {
  const { width, height } = matte;
  const mask = newCanvas(width, height);
  const mine = contextOf(mask);
  mine.drawImage(matte, 0, 0);
  const picture = mine.getImageData(0, 0, width, height);
  for (let i = 0; i < picture.data.length; i += 4) {
    picture.data[i + 3] = picture.data[i]!;
    picture.data.fill(255, i, i + 3);
  }
  mine.putImageData(picture, 0, 0);
  shown.width = width;
  shown.height = height;
  const seen = contextOf(shown);
  const before = newCanvas(width, height);
  const undone: Undone[] = [];
  let stroke: { readonly brush: Brush; last: Spot; box: Box } | undefined;
  show({ left: 0, top: 0, right: width, bottom: height });

  function show({ left, top, right, bottom }: Box): void {
    seen.save();
    seen.beginPath();
    seen.rect(left, top, right - left, bottom - top);
    seen.clip();
    seen.globalCompositeOperation = "copy";
    seen.fillStyle = tint;
    seen.fillRect(left, top, right - left, bottom - top);
    seen.globalCompositeOperation = "destination-out";
    seen.drawImage(mask, 0, 0);
    seen.restore();
  }

  function paint({ mode, size }: Brush, from: Spot, to: Spot): Box {
    mine.globalCompositeOperation = mode === "keep" ? "source-over" : "destination-out";
    mine.strokeStyle = "#fff";
    mine.lineCap = "round";
    mine.lineWidth = size;
    mine.beginPath();
    mine.moveTo(from.x, from.y);
    // A line of no length has no round ends everywhere.
    mine.lineTo(to.x + 0.01, to.y);
    mine.stroke();
    const box = boxOf(from, to, size / 2 + 2, { width, height });
    show(box);
    return box;
  }

  return {
    width,
    height,
    begin(brush, at) {
      const saved = contextOf(before);
      saved.globalCompositeOperation = "copy";
      saved.drawImage(mask, 0, 0);
      stroke = { brush, last: at, box: paint(brush, at, at) };
    },
    extend(to) {
      if (stroke === undefined) return;
      stroke.box = union(stroke.box, paint(stroke.brush, stroke.last, to));
      stroke.last = to;
    },
    end() {
      if (stroke === undefined) return;
      const { left, top, right, bottom } = stroke.box;
      const part = newCanvas(Math.max(1, right - left), Math.max(1, bottom - top));
      contextOf(part).drawImage(before, -left, -top);
      undone.push({ left, top, before: part });
      if (undone.length > undosMax) undone.shift();
      stroke = undefined;
    },
    undo() {
      const last = undone.pop();
      if (last === undefined) return false;
      const { left, top, before: part } = last;
      mine.globalCompositeOperation = "source-over";
      mine.clearRect(left, top, part.width, part.height);
      mine.drawImage(part, left, top);
      show({ left, top, right: left + part.width, bottom: top + part.height });
      return true;
    },
    strokes: () => undone.length,
    async toBlob() {
      const blob = await new Promise<Blob | null>((resolve) => mask.toBlob(resolve, "image/png"));
      if (blob === null) throw new Error("The browser cannot write the matte as a PNG.");
      return blob;
    },
  };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxOf(from: Spot, to: Spot, margin: number, { width, height }: { width: number; height: number }): Box {
  const within = (value: number, max: number) => Math.min(max, Math.max(0, value));
  return {
    left: within(Math.floor(Math.min(from.x, to.x) - margin), width),
    top: within(Math.floor(Math.min(from.y, to.y) - margin), height),
    right: within(Math.ceil(Math.max(from.x, to.x) + margin), width),
    bottom: within(Math.ceil(Math.max(from.y, to.y) + margin), height),
  };
}

function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

function newCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("The browser has no canvas to paint on.");
  return context;
}
