/** Which thing of a photo is the product, as a person says it: a point on it, or a box around it. All lengths are percents of the photo. */
import type { Report, Tool } from "@packshot/sdk";
import type { Edit, EditRequest, Parameters, ParameterValue } from "./edit.ts";
import { parameterAt, schemaFields, withParameter } from "./schema-field.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What the parameters say; both: the box limits, and the point chooses within. */
export interface ProductChoice {
  readonly point?: Point;
  readonly box?: Box;
}

/** Which of these parameters a tool has. */
export interface ChoiceParameters {
  readonly hasPoint: boolean;
  readonly hasRegion: boolean;
}

export type Candidate = NonNullable<Report["candidates"]>[number];

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where the photo is on the screen, in pixels. */
export interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

const sides = ["left", "top", "right", "bottom"] as const;

export function choiceParameters(schema: Tool["parameters"]): ChoiceParameters {
  const fields = schemaFields(schema);
  const has = (name: string, parts: readonly string[]) =>
    fields.some(
      (field) =>
        field.path[0] === name &&
        field.kind === "group" &&
        parts.every((part) => field.fields.some(({ path }) => path[1] === part)),
    );
  return { hasPoint: has("point", ["x", "y"]), hasRegion: has("region", sides) };
}

/** Where a pointer is in the photo; beside the photo it is at its edge. */
export function pointAt({ x, y }: Point, area: Area): Point {
  return { x: share(x - area.left, area.width), y: share(y - area.top, area.height) };
}

export function boxBetween(a: Point, b: Point): Box {
  const left = Math.min(a.x, b.x);
  const right = Math.max(a.x, b.x);
  const top = Math.min(a.y, b.y);
  const bottom = Math.max(a.y, b.y);
  return { left, top, right, bottom };
}

/** A hand that clicks moves by some pixels, so a box has more on both sides. */
const drawnPixelsMin = 8;

export function isDrawn({ left, top, right, bottom }: Box, { width, height }: Size): boolean {
  return Math.min(((right - left) * width) / 100, ((bottom - top) * height) / 100) >= drawnPixelsMin;
}

const noCandidates: readonly Candidate[] = [];

/** From the photo's newest edit that names some: none does where somebody had chosen. */
export function candidatesOf(edits: readonly Edit[]): readonly Candidate[] {
  const found = edits.map(({ state }) => (state.status === "completed" ? state.job.report?.candidates : undefined));
  return found.findLast((candidates) => candidates !== undefined) ?? noCandidates;
}

export function candidateBox({ left, top, width, height }: Candidate, photo: Size): Box {
  const [x1, x2] = [left, left + width].map((x) => share(x, photo.width)) as [number, number];
  const [y1, y2] = [top, top + height].map((y) => share(y, photo.height)) as [number, number];
  return { left: x1, top: y1, right: x2, bottom: y2 };
}

/** The middle comes first. */
const gridShares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8] as const;

/** A point for a box: its middle, or near it where that is in another thing's box too. */
export function pointIn({ left, top, right, bottom }: Box, others: readonly Box[]): Point {
  const grid = gridShares.flatMap((y) =>
    gridShares.map((x) => ({ x: tenths(left + x * (right - left)), y: tenths(top + y * (bottom - top)) })),
  );
  return grid.find((point) => !others.some((other) => contains(other, point))) ?? grid[0]!;
}

export function contains({ left, top, right, bottom }: Box, { x, y }: Point): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}

/** `photo`: what lengths in pixels are parts of. */
export function choiceOf(parameters: Parameters, photo: Size): ProductChoice {
  const { point, region } = parameters;
  const at = (path: readonly [string, string], whole: number, absent: number) =>
    percentOf(parameterAt(parameters, path), whole) ?? absent;
  return {
    ...(point !== undefined && {
      point: { x: at(["point", "x"], photo.width, 50), y: at(["point", "y"], photo.height, 50) },
    }),
    ...(region !== undefined && {
      box: {
        left: at(["region", "left"], photo.width, 0),
        top: at(["region", "top"], photo.height, 0),
        right: at(["region", "right"], photo.width, 100),
        bottom: at(["region", "bottom"], photo.height, 100),
      },
    }),
  };
}

/** A box that the point is not in would fail the edit, so the newer of both stays. */
export function withPoint(parameters: Parameters, point: Point, photo: Size): Parameters {
  const { box } = choiceOf(parameters, photo);
  const kept =
    box === undefined || contains(box, point) ? parameters : withParameter(parameters, ["region"], undefined);
  return withParameter(kept, ["point"], { x: `${point.x}%`, y: `${point.y}%` });
}

export function withBox(parameters: Parameters, box: Box, photo: Size): Parameters {
  const { point } = choiceOf(parameters, photo);
  const kept =
    point === undefined || contains(box, point) ? parameters : withParameter(parameters, ["point"], undefined);
  return withParameter(kept, ["region"], Object.fromEntries(sides.map((side) => [side, `${box[side]}%`])));
}

export function hasChoice({ point, region }: Parameters): boolean {
  return point !== undefined || region !== undefined;
}

export function withoutChoice({ point: _point, region: _region, ...others }: Parameters): Parameters {
  return others;
}

function choiceAlone({ point, region }: Parameters): Parameters {
  return { ...(point !== undefined && { point }), ...(region !== undefined && { region }) };
}

/** What the form has: for all photos, and for each on which the product was chosen, the choice that is for it alone. */
export interface Settings {
  readonly request: EditRequest;
  readonly choices: ReadonlyMap<string, Parameters>;
}

export function requestFor({ request, choices }: Settings, photoId = ""): EditRequest {
  const choice = choices.get(photoId);
  return choice === undefined
    ? request
    : { ...request, parameters: { ...withoutChoice(request.parameters), ...choice } };
}

/** `chosenOn`: the photo that the choice is for; undefined: all that have none of their own. */
export function withRequest(settings: Settings, request: EditRequest, chosenOn: string | undefined): Settings {
  if (chosenOn === undefined) return { ...settings, request };
  const forAll = choiceAlone(settings.request.parameters);
  const choice = choiceAlone(request.parameters);
  const choices = new Map(settings.choices).set(chosenOn, choice);
  // Where there is none for all, a photo without one needs no entry.
  if (!hasChoice(choice) && !hasChoice(forAll)) choices.delete(chosenOn);
  return { request: { ...request, parameters: { ...withoutChoice(request.parameters), ...forAll } }, choices };
}

export function describeChoice({ point, box }: ProductChoice): string {
  const words = [
    point && `the point ${point.x} %, ${point.y} %`,
    box && `the box from ${box.left} %, ${box.top} % to ${box.right} %, ${box.bottom} %`,
  ].filter((word) => word !== undefined);
  return words.length === 0 ? "Nothing is chosen yet." : `Chosen: ${words.join(" in ")}.`;
}

function percentOf(length: ParameterValue | undefined, whole: number): number | undefined {
  const [, digits, unit] = /^([\d.]+)(px|%)$/.exec(String(length ?? "")) ?? [];
  if (digits === undefined) return undefined;
  return tenths(unit === "px" ? (100 * Number(digits)) / whole : Number(digits));
}

function share(part: number, whole: number): number {
  return tenths(Math.min(100, Math.max(0, (100 * part) / whole)));
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}
