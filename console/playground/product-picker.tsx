/** The photo as it was, on which a click says where the product is, and a drawn box what it lies in. */
import "./product-picker.css";
import { type CSSProperties, useState } from "react";
import { Button } from "../components/button.tsx";
import { stageSize } from "./compare.tsx";
import type { Parameters, Photo } from "./edit.ts";
import {
  type Box,
  type Candidate,
  type ChoiceParameters,
  candidateBox,
  choiceOf,
  describeChoice,
  hasChoice,
  pointIn,
  withBox,
  withoutChoice,
  withPoint,
} from "./product-choice.ts";
import { useDrawing } from "./use-drawing.ts";
import { useObjectUrl } from "./use-object-url.ts";
import { useCandidates, usePhotos } from "./workbench.tsx";

interface ProductPickerProps {
  readonly photo: Photo;
  readonly choosable: ChoiceParameters;
  readonly parameters: Parameters;
  readonly onChoice: (parameters: Parameters) => void;
}

/** Before the browser has read the photo; lengths in pixels have no place then. */
const unknownSize = { width: 1, height: 1 } as const;

export function ProductPicker({ photo, choosable, parameters, onChoice }: ProductPickerProps) {
  const url = useObjectUrl(photo.file);
  const candidates = useCandidates(photo);
  const isOneOfMany = usePhotos().length > 1;
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>();
  const [isUnreadable, setUnreadable] = useState(false);
  const drawing = useDrawing({
    ...choosable,
    onPoint: (point) => onChoice(withPoint(parameters, point, size ?? unknownSize)),
    onBox: (box) => onChoice(withBox(parameters, box, size ?? unknownSize)),
  });
  const choice = size === undefined ? {} : choiceOf(parameters, size);
  const box = drawing.drawn ?? choice.box;
  if (isUnreadable) {
    return (
      <p className="note">This browser cannot show the photo. Below "All parameters" the product can be chosen.</p>
    );
  }
  return (
    <>
      <p className="hint">
        {howTo(choosable)} Below "All parameters" the same values can be typed.
        {isOneOfMany && " What you choose is for this photo alone."}
      </p>
      <div className="stage picker" style={stageSize(size, "fit")} {...drawing.handlers}>
        {url !== undefined && (
          <img
            alt={`${photo.file.name} before the edit`}
            src={url}
            draggable={false}
            onError={() => setUnreadable(true)}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
          />
        )}
        {box !== undefined && <span className="picker-box" aria-hidden="true" style={placeOf(box)} />}
        {size !== undefined && choosable.hasPoint && (
          <CandidateButtons
            candidates={candidates}
            drawing={drawing}
            boxes={candidates.map((one) => candidateBox(one, size))}
          />
        )}
        {choice.point !== undefined && (
          <span
            className="picker-point"
            aria-hidden="true"
            style={{ left: `${choice.point.x}%`, top: `${choice.point.y}%` }}
          />
        )}
      </div>
      <div className="bar">
        <p className="picker-words" role="status">
          {describeChoice(choice)}
        </p>
        <Button isDisabled={!hasChoice(parameters)} onClick={() => onChoice(withoutChoice(parameters))}>
          Clear the choice
        </Button>
      </div>
    </>
  );
}

function howTo({ hasPoint, hasRegion }: ChoiceParameters): string {
  if (!hasRegion) return "Click the product.";
  return hasPoint ? "Click the product, or draw a box around it." : "Draw a box around the product.";
}

interface CandidateButtonsProps {
  readonly candidates: readonly Candidate[];
  readonly boxes: readonly Box[];
  readonly drawing: ReturnType<typeof useDrawing>;
}

/** What an edit has found where nobody had chosen. A pointer chooses where it is, the keyboard the thing's middle. */
function CandidateButtons({ candidates, boxes, drawing }: CandidateButtonsProps) {
  return candidates.map(({ chosen }, index) => {
    const box = boxes[index]!;
    return (
      <button
        // biome-ignore lint/suspicious/noArrayIndexKey: a thing's number is its name
        key={index}
        type="button"
        className={chosen ? "picker-thing" : "picker-thing picker-thing-left"}
        style={placeOf(box)}
        onClick={(event) => drawing.press(event, pointIn(box, boxes.toSpliced(index, 1)))}
      >
        <span>
          {`Thing ${index + 1}`}
          <span className="picker-chosen">{chosen ? ", chosen" : ", not chosen"}</span>
        </span>
      </button>
    );
  });
}

function placeOf({ left, top, right, bottom }: Box): CSSProperties {
  return { left: `${left}%`, top: `${top}%`, width: `${right - left}%`, height: `${bottom - top}%` };
}
