/** What an edit costs: the tool's price, and the account's for further files and for scenes that an image model paints. */
import { renditionsOf, sceneKeyOf } from "./rendition.ts";
import { type EditParameters, type ToolId, tools } from "./tools.ts";

/** What an account pays beside the tools' own prices. */
export interface Prices {
  /** For each file of `outputs` after the first. */
  readonly creditsPerFurtherOutput: number;
  /** For each result of `ai-bg` that an image model paints. */
  readonly creditsPerGeneratedScene: number;
}

export function creditsOf(tool: ToolId, parameters: EditParameters, prices: Prices): number {
  return creditsOfResults(tool, parameters, prices).reduce((sum, credits) => sum + credits, 0);
}

/** What a result counts as: an edit of its tool, a further file of one, or a scene that an image model paints. */
export type PricedAs = "edit" | "further" | "scene";

/** In the order of the request. Each variation is a result, and files that share a picture pay for it once. */
export function pricedResults(tool: ToolId, parameters: EditParameters): readonly PricedAs[] {
  const { variations = 1, engine } = parameters;
  const isPainted = engine === "generative";
  const renditions = renditionsOf(tool, parameters);
  if (renditions.length === 0) return Array.from({ length: variations }, () => (isPainted ? "scene" : "edit"));
  const keys = renditions.map((rendition) => (isPainted ? sceneKeyOf(rendition) : undefined));
  return keys.map((key, index) => {
    if (key !== undefined && keys.indexOf(key) === index) return "scene";
    return index === 0 ? "edit" : "further";
  });
}

function creditsOfResults(tool: ToolId, parameters: EditParameters, prices: Prices): readonly number[] {
  const { creditsPerFurtherOutput: further, creditsPerGeneratedScene: scene } = prices;
  const credits = { edit: tools[tool].creditsPerEdit, further, scene };
  return pricedResults(tool, parameters).map((as) => credits[as]);
}

/** As it was paid for: what of the prices is absent, its job was not told. */
export interface PaidEdit extends Partial<Prices> {
  readonly tool: ToolId;
  readonly parameters: EditParameters;
}

type Report = Readonly<Record<string, unknown>>;

/** What a completed edit has made. */
export interface MadeResults {
  readonly report: Report;
  /** The first one and those after it, whose reports say what is not in the first's; absent: there is one. */
  readonly results?: readonly { readonly report?: Report }[];
  readonly failedResults?: readonly { readonly position: number }[];
}

/**
 * What comes back of an edit's credits, if they were paid: a result that failed costs nothing, and a scene that the renderer painted
 * in the image model's place costs what the renderer's would.
 */
export function unearnedCredits({ tool, parameters, ...told }: PaidEdit, made: MadeResults): number {
  const { creditsPerFurtherOutput = 0, creditsPerGeneratedScene = 0 } = told;
  const prices = { creditsPerFurtherOutput, creditsPerGeneratedScene };
  const paid = creditsOfResults(tool, parameters, prices);
  const rendered = creditsOfResults(tool, { ...parameters, engine: "renderer" }, prices);
  const back = outcomesOf(made).map((outcome, index) => {
    if (outcome === "made") return 0;
    return outcome === "failed" ? paid[index]! : Math.max(0, paid[index]! - rendered[index]!);
  });
  return back.reduce((sum, credits) => sum + credits, 0);
}

/** In the order of the request. `rendered`: the renderer painted its scene, whoever was to. */
function outcomesOf({ report, results = [{ report }], failedResults = [] }: MadeResults) {
  const outcomes: ("made" | "rendered" | "failed")[] = results.map((result) => {
    const { scene } = { ...report, ...result.report } as { readonly scene?: { readonly engine?: string } };
    return scene?.engine === "renderer" ? "rendered" : "made";
  });
  for (const { position } of failedResults) outcomes.splice(position, 0, "failed");
  return outcomes;
}
