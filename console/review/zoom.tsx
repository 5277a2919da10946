/** How large a picture is in its stage: whole, or enlarged about the middle of what is seen, and then moved by dragging. */
import { type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../components/button.tsx";

/** 1: as large as the stage lets all of it be. */
const zooms = [1, 1.5, 2, 3, 4, 6, 8] as const;
const last = zooms.length - 1;

export type Zoom = ReturnType<typeof useZoom>;

export function useZoom() {
  /** What scrolls. */
  const stage = useRef<HTMLElement>(null);
  const [index, setIndex] = useState(0);
  const factor: number = zooms[index]!;
  const factorBefore = useRef(factor);
  useLayoutEffect(() => {
    const element = stage.current;
    const growth = factor / factorBefore.current;
    factorBefore.current = factor;
    if (element === null || growth === 1) return;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = element;
    element.scrollLeft = (scrollLeft + clientWidth / 2) * growth - clientWidth / 2;
    element.scrollTop = (scrollTop + clientHeight / 2) * growth - clientHeight / 2;
  }, [factor]);
  const step = (by: 1 | -1) => setIndex((before) => Math.min(last, Math.max(0, before + by)));
  return { stage, factor, step, isLeast: index === 0, isMost: index === last };
}

export function ZoomButtons({ zoom: { factor, step, isLeast, isMost } }: { readonly zoom: Zoom }) {
  return (
    <>
      <Button label="Zoom out" isDisabled={isLeast} onClick={() => step(-1)}>
        −
      </Button>
      <span className="review-zoom">{Math.round(100 * factor)} %</span>
      <Button label="Zoom in" isDisabled={isMost} onClick={() => step(1)}>
        +
      </Button>
    </>
  );
}

/** A mouse that drags moves the picture; a finger scrolls it by itself. */
export const dragToScroll = {
  onPointerDown({ currentTarget, pointerId, pointerType, button, target }: PointerEvent) {
    // The scroll bars are the stage's own.
    if (pointerType === "mouse" && button === 0 && target !== currentTarget) currentTarget.setPointerCapture(pointerId);
  },
  onPointerMove({ currentTarget, pointerId, movementX, movementY }: PointerEvent) {
    if (currentTarget.hasPointerCapture(pointerId)) currentTarget.scrollBy(-movementX, -movementY);
  },
};
