/** What is behind the transparent pixels of a picture: a checkerboard, white, or a color. */
import { type CSSProperties, useState } from "react";
import { Button } from "./button.tsx";

const kinds = ["checks", "white", "color"] as const;
type GroundKind = (typeof kinds)[number];

export interface Ground {
  readonly kind: GroundKind;
  /** `#rrggbb` */
  readonly color: string;
}

const names = { checks: "Checkerboard", white: "White", color: "Color" } as const;
const classes = { checks: "checkered", white: "ground-white", color: "" } as const;
const groundDefault: Ground = { kind: "checks", color: "#3b6ea5" };

export function useGround() {
  const [ground, setGround] = useState(groundDefault);
  /** To the next kind, and from the last to the first. */
  const step = () =>
    setGround((before) => ({ ...before, kind: kinds[(kinds.indexOf(before.kind) + 1) % kinds.length]! }));
  return { ground, setGround, step };
}

/** For the element that has the picture. */
export function groundStyle({ kind, color }: Ground): { readonly className: string; readonly style: CSSProperties } {
  return { className: classes[kind], style: kind === "color" ? { background: color } : {} };
}

interface GroundChoiceProps {
  readonly ground: Ground;
  readonly onChange: (ground: Ground) => void;
}

export function GroundChoice({ ground, onChange }: GroundChoiceProps) {
  return (
    <fieldset className="choices">
      <legend className="unseen">Behind transparent pixels</legend>
      {kinds.map((kind) => (
        <Button key={kind} isPressed={kind === ground.kind} onClick={() => onChange({ ...ground, kind })}>
          {names[kind]}
        </Button>
      ))}
      {ground.kind === "color" && (
        <input
          type="color"
          aria-label="Ground color"
          value={ground.color}
          onChange={({ target }) => onChange({ ...ground, color: target.value })}
        />
      )}
    </fieldset>
  );
}
