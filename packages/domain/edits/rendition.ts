/**
 * What each file of an edit with `outputs` is: the tool that draws it, and its parameters as they take effect. The cut-out is
 * one for all of them, so a file may be drawn by another tool than the edit's.
 */
import { centered, type Length, lengthInPixels } from "./framing.ts";
import { opacityInScenes, type ShadowParameters } from "./shadow.ts";
import { type EditParameters, type OutputPreset, type OutputRequest, type ToolId, tools } from "./tools.ts";

export interface Rendition<P extends EditParameters = EditParameters> {
  readonly name: string;
  /** Draws the file. */
  readonly tool: ToolId;
  readonly parameters: P;
  /** The edit's picture behind the product is none of this file's. */
  readonly hasOwnBackground: boolean;
}

/** In the order of the request; empty for an edit without `outputs`. */
export function renditionsOf<P extends EditParameters>(tool: ToolId, parameters: P): readonly Rendition<P>[] {
  const { outputs = [], ...shared } = parameters;
  return outputs.map((output) => renditionOf(tool, shared, output) as Rendition<P>);
}

function renditionOf(tool: ToolId, shared: EditParameters, request: OutputRequest): Rendition {
  const { name, preset, output, shadow, background } = request;
  const drawnBy = toolFor(tool, request);
  const hasOwnBackground = background !== undefined || output?.background !== undefined;
  const behind = hasOwnBackground ? ["background", "backgroundImage"] : [];
  const ofTool = tools[drawnBy].parameters.properties as object;
  const kept = Object.entries(shared).filter(([field]) => Object.hasOwn(ofTool, field) && !behind.includes(field));
  const { output: sharedOutput, ...rest } = Object.fromEntries(kept) as EditParameters;
  const { background: _, ...layout } = sharedOutput ?? {};
  const merged = { ...(background === undefined ? sharedOutput : layout), ...output };
  return {
    name,
    tool: drawnBy,
    hasOwnBackground,
    parameters: {
      ...rest,
      ...(sharedOutput === undefined && output === undefined ? {} : { output: merged }),
      ...(preset === undefined ? {} : { preset: preset as OutputPreset }),
      ...(shadow === undefined ? {} : { shadow: { ...rest.shadow, ...shadow } }),
      ...(background === undefined ? {} : { background }),
    },
  };
}

/** A marketplace's main image is the product alone, and a cut-out that is given a shadow is what ai-shadows makes. */
function toolFor(tool: ToolId, { preset, shadow }: OutputRequest): ToolId {
  if (preset !== undefined) return "mask";
  return tool === "mask" && shadow !== undefined ? "ai-shadows" : tool;
}

/**
 * What a scene's picture depends on, beside what all files of an edit share: files of one key show one picture, each in its size.
 * undefined: the file shows no scene.
 */
export function sceneKeyOf({ tool, parameters }: Rendition): string | undefined {
  if (tool !== "ai-bg") return undefined;
  return JSON.stringify([...framingOf(parameters), ...lightOf(parameters.shadow)]);
}

/** The frame as it takes effect, with what a client left out. Its size alone does not change what is seen. */
function framingOf({ output = {}, scene }: EditParameters): readonly unknown[] {
  const { width, height, padding = 0, align = "center", crop = "none", margin = {}, scale, position } = output;
  const aspect = width === undefined || height === undefined ? "own" : width / height;
  const { top, right, bottom, left } = crop === "product" ? margin : {};
  const margins = [top, right, bottom, left].map((side) => (side === undefined || isZero(side) ? 0 : side));
  const framing = [aspect, padding, crop, ...margins];
  const { x = centered, y = centered } = position ?? {};
  // The photo's own place; any position, an empty one too, is that of the product alone.
  if (scene === undefined && scale === undefined && position === undefined) return [...framing, align];
  return scene === undefined ? [...framing, "product", scale, x, y] : [...framing, "set", x];
}

function isZero(length: Length): boolean {
  return lengthInPixels(length, 1) === 0;
}

function lightOf(shadow: ShadowParameters = {}): readonly unknown[] {
  const { kind = "auto", length, color, direction, softness, opacity = opacityInScenes } = shadow;
  return [kind, length, color?.toLowerCase(), direction && direction % 360, softness, opacity];
}

/** The tools that an edit needs: its own, and those that draw its files, which have the name of the file. */
export function toolsOf(tool: ToolId, parameters: EditParameters): readonly { tool: ToolId; file?: string }[] {
  const further = renditionsOf(tool, parameters).filter((rendition) => rendition.tool !== tool);
  return [{ tool }, ...further.map(({ name, tool: drawnBy }) => ({ tool: drawnBy, file: name }))];
}
