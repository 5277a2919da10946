/** The queue's entries. Only those in sight are on the page, so that hundreds scroll as ten do. */
import { useLayoutEffect, useRef, useState } from "react";
import type { QueueItem } from "./review-queue.ts";

interface QueueListProps {
  readonly items: readonly QueueItem[];
  readonly current: number;
  readonly onChoose: (index: number) => void;
  /** The end of what has been read is near. */
  readonly onEnd: () => void;
}

/** As review.css has it, in pixels. */
const rowHeight = 64;
const rowsBeyondSight = 6;
const rowsLeftToEnd = 30;

export function QueueList({ items, current, onChoose, onEnd }: QueueListProps) {
  const list = useRef<HTMLElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 640 });
  const first = Math.max(0, Math.floor(sight.top / rowHeight) - rowsBeyondSight);
  const last = Math.min(items.length, Math.ceil((sight.top + sight.height) / rowHeight) + rowsBeyondSight);

  // The chosen entry is kept in sight, however it was chosen.
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const top = current * rowHeight;
    const isAbove = top < element.scrollTop;
    const isBelow = top + rowHeight > element.scrollTop + element.clientHeight;
    if (isAbove) element.scrollTop = top;
    if (isBelow) element.scrollTop = top + rowHeight - element.clientHeight;
    setSight({ top: element.scrollTop, height: element.clientHeight });
  }, [current]);

  const isNearEnd = items.length - last < rowsLeftToEnd;
  useLayoutEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, onEnd]);

  return (
    <section
      ref={list}
      className="review-list"
      aria-label="Doubtful cut-outs"
      onScroll={({ currentTarget }) => setSight({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      <ol style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, offset) => {
          const index = first + offset;
          return (
            <li
              key={item.key}
              style={{ top: `${index * rowHeight}px` }}
              aria-setsize={items.length}
              aria-posinset={index + 1}
            >
              <button
                type="button"
                className="review-entry"
                aria-current={index === current || undefined}
                onClick={() => onChoose(index)}
              >
                {item.thumbnailUrl === undefined ? (
                  <span className="review-thumbnail" />
                ) : (
                  <img className="review-thumbnail checkered" src={item.thumbnailUrl} alt="" loading="lazy" />
                )}
                <span className="review-name">{item.name}</span>
                <span className="review-state">{item.state === "open" ? "" : item.state}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
