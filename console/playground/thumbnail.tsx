/** A small picture of a photo that was not sent yet, made when it comes into sight, two at a time. */
import { useEffect, useRef, useState } from "react";

const side = 112;
const madeAtOnceMax = 2;
let making = 0;
const waiting: (() => void)[] = [];

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (making >= madeAtOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  making += 1;
  try {
    return await work();
  } finally {
    making -= 1;
    waiting.shift()?.();
  }
}

/** The browser decodes and scales it beside the page's own thread. */
async function draw(file: File, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  await withSlot(async () => {
    if (signal.aborted) return;
    const bitmap = await createImageBitmap(file, { resizeWidth: side, resizeQuality: "low" });
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  });
}

export function PhotoThumbnail({ file }: { readonly file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const element = canvas.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      // Not every browser shows TIFF or HEIC.
      draw(file, element, stop.signal).catch(() => setFailed(true));
    });
    observer.observe(element);
    return () => {
      stop.abort();
      observer.disconnect();
    };
  }, [file]);
  return <canvas ref={canvas} width={side} height={side} className={hasFailed ? "thumb thumb-none" : "thumb"} />;
}
