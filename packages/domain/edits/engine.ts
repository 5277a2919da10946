/** What paints the scenes of `ai-bg`: the renderer, which every worker has, or an image model, which needs a model server that has one. */
import { PackshotError } from "../errors.ts";
import { isoTime } from "../ids.ts";

export const sceneEngines = ["renderer", "generative"] as const;
export type SceneEngine = (typeof sceneEngines)[number];

export interface EngineParameters {
  readonly engine?: "auto" | SceneEngine;
  /** What the image model is told, in the place of the theme. */
  readonly prompt?: string;
  /** Above 0 and up to 1: how far the image model goes from the rendered scene. */
  readonly strength?: number;
}

const promptCharactersMax = 2_000;

/** Where the image model is told nothing else. */
export const strengthDefault = 1;

export const engineFields = {
  engine: {
    type: "string",
    enum: ["auto", ...sceneEngines],
    examples: ["generative"],
    description:
      "What paints the scene. `renderer`: code, from the words that it knows; it repeats exactly. `generative`: an image model paints over the rendered scene, around the product, whose opaque pixels stay the photo's own; each result costs `creditsPerGeneratedScene` of the account's limits. The tool's `engines` lists what runs now: where no running worker has an image model, `generative` is refused with `engine_not_available`, and no other engine takes its place. Files of `outputs` in which the same is seen, in whatever size, share one picture and its price. `auto`: what the operator has chosen, `renderer` unless changed, and where no worker has an image model `renderer`. `scene.engine` in the report says what painted the result. Default auto.",
  },
  prompt: {
    type: "string",
    maxLength: promptCharactersMax,
    examples: ["a weathered oak table in a mountain cabin, snow behind the window, soft morning light"],
    description:
      "With `engine: generative`, what the image model is told, in the words that it was trained on, mostly English. Without it, the `theme`. The layout of the scene, its light and the product's shadow follow the `theme` in any case. With the renderer it does nothing, and `overridden` in the report names it.",
  },
  strength: {
    type: "number",
    minimum: 0.1,
    maximum: 1,
    examples: [0.8],
    description:
      "With `engine: generative`, how far the image model goes from the rendered scene, as a share: from 0.1, near to it, to 1, where its colors are only hints. With fewer steps at less. With the renderer it does nothing, and `overridden` in the report names it. Default 1.",
  },
} as const;

/** What a deployment has. */
export interface EngineRules {
  /** The operator's choice. */
  readonly auto: SceneEngine;
  /** A running worker has an image model. */
  readonly hasImageModel: boolean;
  /** Those that running workers have; absent: none. */
  readonly imageModels?: readonly string[];
}

/** A deployment without an image model has these. */
export const rendererOnly: EngineRules = { auto: "renderer", hasImageModel: false };

/** The part of an edit's parameters that decides. */
type Asked = Pick<EngineParameters, "engine">;

/** The engine that an edit gets; undefined: its tool paints no scene. */
export function engineOf(tool: string, { engine = "auto" }: Asked, rules: EngineRules): SceneEngine | undefined {
  if (tool !== "ai-bg") return undefined;
  if (engine !== "auto") return engine;
  return rules.hasImageModel ? rules.auto : "renderer";
}

/** The parameters as they take effect: a job that runs again is painted by the same engine. */
export function withEngine<P extends Asked>(tool: string, parameters: P, rules: EngineRules): P {
  const engine = engineOf(tool, parameters, rules);
  return engine === undefined ? parameters : { ...parameters, engine };
}

/** What a job records of its painting, beside its parameters. */
export interface PaintingFacts {
  /** The request left the engine open: where the image model does not paint in time, the renderer's scene is the result. */
  readonly mayRender?: true;
  /** Since when workers give the job back because no model server has its image model. */
  readonly unpaintedSince?: string;
}

/** Why a job goes back to the queue. */
export interface RequeueReason {
  /** When no model server had the image model that is to paint the job; absent: it goes back for another reason. */
  readonly unpaintedAtMs?: number | undefined;
  /** It goes to a worker that may paint it: that ends no job, and the time since which it has lacked its image model stays. */
  readonly isForOtherWorker?: true;
}

/** Since when a job has lacked its image model, as it goes back to the queue. */
export function unpaintedAfter(
  before: string | undefined,
  { unpaintedAtMs, isForOtherWorker }: RequeueReason,
): Pick<PaintingFacts, "unpaintedSince"> {
  if (unpaintedAtMs !== undefined) return { unpaintedSince: before ?? isoTime(unpaintedAtMs) };
  return isForOtherWorker && before !== undefined ? { unpaintedSince: before } : {};
}

/**
 * The renderer painted a scene because the image model did not in time: another try may get the model's. Results after the first
 * have what differs from `report`.
 */
export function hasUnpaintedScene({ report, results = [] }: ReportedScenes): boolean {
  const scenes = [report, ...results.map((result) => result.report)].map((each) => each?.scene);
  return scenes.some((scene) => (scene as ReportedScene | undefined)?.rejections?.includes("timed_out"));
}

interface ReportedScene {
  readonly rejections?: readonly string[];
}

interface ReportedScenes {
  readonly report: Readonly<Record<string, unknown>>;
  readonly results?: readonly { readonly report?: Readonly<Record<string, unknown>> }[] | undefined;
}

export interface JobEngine<P> extends Pick<PaintingFacts, "mayRender"> {
  readonly parameters: P;
}

export function jobEngine<P extends Asked>(tool: string, asked: P, rules: EngineRules): JobEngine<P> {
  const parameters = withEngine(tool, asked, rules);
  const isOpen = parameters.engine === "generative" && asked.engine !== "generative";
  return { parameters, ...(isOpen && { mayRender: true }) };
}

/** Throws `engine_not_available` where an edit asks for the image model and no running worker has one. */
export function assertEngine({ engine }: Asked, { hasImageModel }: EngineRules): void {
  if (engine !== "generative" || hasImageModel) return;
  throw new PackshotError(
    "engine_not_available",
    'No running worker has an image model, which "engine": "generative" needs. Leave out "parameters.engine", or give "renderer", which needs none; the operator adds one as docs/guides/scenes.md says.',
    { details: { field: "parameters.engine" } },
  );
}
