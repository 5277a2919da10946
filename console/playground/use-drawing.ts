/** A pointer on the photo: a click is a point, a drag a box. */
import { type MouseEvent, type PointerEvent, useRef, useState } from "react";
import { type Box, boxBetween, type ChoiceParameters, isDrawn, type Point, pointAt } from "./product-choice.ts";

interface DrawingProps extends ChoiceParameters {
  readonly onPoint: (point: Point) => void;
  readonly onBox: (box: Box) => void;
}

export function useDrawing({ hasPoint, hasRegion, onPoint, onBox }: DrawingProps) {
  /** Where the pointer went down. */
  const start = useRef<Point>(undefined);
  /** A browser's click follows the pointer, which has chosen already. */
  const wasPointer = useRef(false);
  const [drawn, setDrawn] = useState<Box>();

  function follow({ currentTarget, clientX: x, clientY: y }: PointerEvent): { at: Point; box: Box | undefined } {
    const area = currentTarget.getBoundingClientRect();
    const at = pointAt({ x, y }, area);
    const box = boxBetween(start.current!, at);
    return { at, box: hasRegion && isDrawn(box, area) ? box : undefined };
  }

  function end(): void {
    start.current = undefined;
    setDrawn(undefined);
  }

  const handlers = {
    onPointerDown({ currentTarget, clientX: x, clientY: y, pointerId, isPrimary, button }: PointerEvent) {
      if (!isPrimary || button !== 0) return;
      start.current = pointAt({ x, y }, currentTarget.getBoundingClientRect());
      wasPointer.current = false;
      // A box may be drawn to beyond the photo.
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove(event: PointerEvent) {
      if (start.current !== undefined && event.isPrimary) setDrawn(follow(event).box);
    },
    onPointerUp(event: PointerEvent) {
      if (start.current === undefined || !event.isPrimary) return;
      const { at, box } = follow(event);
      end();
      wasPointer.current = true;
      if (box !== undefined) onBox(box);
      else if (hasPoint) onPoint(at);
    },
    /** The page scrolls, so it was no drawing. */
    onPointerCancel: end,
  };

  return {
    /** As long as it is being drawn. */
    drawn,
    handlers,
    /** By the keyboard, or by a reader of the screen. */
    press({ detail }: MouseEvent, point: Point): void {
      if (detail === 0 || !wasPointer.current) onPoint(point);
    },
  };
}
