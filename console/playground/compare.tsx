/** Before and after, one over the other with a slider between them, or side by side where they are not of one shape. */
import { type CSSProperties, useState } from "react";
import { Button } from "../components/button.tsx";
import { type Ground, GroundChoice, groundStyle, useGround } from "../components/ground.tsx";

interface CompareProps {
  readonly beforeUrl: string;
  readonly afterUrl: string;
  /** Names the photo for those who do not see it. */
  readonly name: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const zooms = ["fit", 1, 2, 4] as const;
type Zoom = (typeof zooms)[number];

export function Compare({ beforeUrl, afterUrl, name }: CompareProps) {
  const [before, setBefore] = useState<Size>();
  const [after, setAfter] = useState<Size>();
  const [hasNoBefore, setNoBefore] = useState(false);
  const [isGone, setGone] = useState(false);
  const [zoom, setZoom] = useState<Zoom>("fit");
  const { ground, setGround } = useGround();
  const isOver = before === undefined || after === undefined || hasOneShape(before, after);
  const pictureProps = { ground, zoom, name };
  if (isGone) return <p className="note note-warn">The result is not there any more. Edit the photo again.</p>;
  const beforePicture = { src: beforeUrl, onSize: setBefore, onFail: () => setNoBefore(true) };
  const afterPicture = { src: afterUrl, onSize: setAfter, onFail: () => setGone(true) };
  return (
    <div className="compare">
      <div className="bar">
        <ZoomButtons zoom={zoom} onZoom={setZoom} />
        <GroundChoice ground={ground} onChange={setGround} />
      </div>
      {hasNoBefore ? (
        <Stage {...pictureProps} size={after} after={afterPicture} />
      ) : isOver ? (
        <Stage {...pictureProps} size={after} after={afterPicture} before={beforePicture} />
      ) : (
        <div className="columns">
          <Stage {...pictureProps} size={before} after={beforePicture} title="Before" />
          <Stage {...pictureProps} size={after} after={afterPicture} title="After" />
        </div>
      )}
    </div>
  );
}

/** A photo and a result of other proportions cannot be laid over each other. */
function hasOneShape(a: Size, b: Size): boolean {
  return Math.abs(a.width / a.height - b.width / b.height) < 0.01 * (a.width / a.height);
}

interface Picture {
  readonly src: string;
  readonly onSize: (size: Size) => void;
  readonly onFail: () => void;
}

interface StageProps {
  readonly name: string;
  readonly zoom: Zoom;
  readonly ground: Ground;
  readonly size: Size | undefined;
  readonly after: Picture;
  /** Absent: there is nothing to compare with. */
  readonly before?: Picture;
  readonly title?: string;
}

function Stage({ name, zoom, ground, size, after, before, title }: StageProps) {
  const [share, setShare] = useState(50);
  const behind = groundStyle(ground);
  const style: CSSProperties = {
    ...stageSize(size, zoom),
    ...behind.style,
    ...({ "--share": `${share}%` } as CSSProperties),
  };
  const zoomed =
    zoom === "fit" ? undefined : { tabIndex: 0, role: "region", "aria-label": `${title ?? "Picture"}, zoomed` };
  return (
    <figure className="stage-figure">
      <div className="stage-scroll" {...zoomed}>
        <div className={`stage ${behind.className} ${zoom === "fit" || zoom === 1 ? "" : "pixels"}`} style={style}>
          <PictureImage picture={after} alt={title === "Before" ? `${name} before` : `${name} after the edit`} />
          {before !== undefined && (
            <>
              <PictureImage picture={before} alt={`${name} before the edit`} className="stage-before" />
              <span className="stage-line" aria-hidden="true" />
              <input
                type="range"
                min={0}
                max={100}
                value={share}
                aria-label="How much of the photo before the edit is shown"
                aria-valuetext={`${share} % before, ${100 - share} % after`}
                onChange={(event) => setShare(Number(event.target.value))}
              />
            </>
          )}
        </div>
      </div>
      {title !== undefined && <figcaption className="hint">{title}</figcaption>}
    </figure>
  );
}

/** One pixel of the picture is one of the screen at 100 %. */
export function stageSize(size: Size | undefined, zoom: Zoom): CSSProperties {
  if (size === undefined) return {};
  const { width, height } = size;
  if (zoom === "fit") return { aspectRatio: `${width} / ${height}`, width: `min(100%, 62vh * ${width / height})` };
  const scale = zoom / window.devicePixelRatio;
  return { width: width * scale, height: height * scale };
}

interface PictureImageProps {
  readonly picture: Picture;
  readonly alt: string;
  readonly className?: string;
}

function PictureImage({ picture, alt, className }: PictureImageProps) {
  return (
    <img
      alt={alt}
      className={className}
      src={picture.src}
      draggable={false}
      decoding="async"
      onError={picture.onFail}
      onLoad={({ currentTarget }) =>
        picture.onSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
      }
    />
  );
}

function ZoomButtons({ zoom, onZoom }: { readonly zoom: Zoom; readonly onZoom: (zoom: Zoom) => void }) {
  return (
    <fieldset className="choices">
      <legend className="unseen">Zoom</legend>
      {zooms.map((one) => (
        <Button key={one} isPressed={one === zoom} onClick={() => onZoom(one)}>
          {one === "fit" ? "Fit" : `${one * 100} %`}
        </Button>
      ))}
    </fieldset>
  );
}
