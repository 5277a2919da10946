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
  const credits = creditsAs(tool, prices);
  return pricedResults(tool, parameters).reduce((sum, as) => sum + credits[as], 0);
}

/** What a result counts as: an edit of its tool, a further file of one, or a scene that an image model paints. */
export type PricedAs = "edit" | "further" | "scene";

/** In the order of the request. Each variation is a result, and files that share a picture pay for it once. */
export function pricedResults(tool: ToolId, parameters: EditParameters): readonly PricedAs[] {
  return pricedAs(resultsOf(tool, parameters));
}

interface Result {
  /** Results of one key show one picture of an image model; undefined: the result shows none. */
  readonly pictureKey: string | undefined;
  /** What it counts as where it does not pay for a picture. */
  readonly unpainted: "edit" | "further";
}

function resultsOf(tool: ToolId, parameters: EditParameters): readonly Result[] {
  const { variations = 1, engine } = parameters;
  const isPainted = engine === "generative";
  const renditions = renditionsOf(tool, parameters);
  if (renditions.length === 0) {
    const ofVariation = (_: unknown, index: number): Result => ({
      pictureKey: isPainted ? `variation ${index}` : undefined,
      unpainted: "edit",
    });
    return Array.from({ length: variations }, ofVariation);
  }
  return renditions.map((rendition, index) => ({
    pictureKey: isPainted ? sceneKeyOf(rendition) : undefined,
    unpainted: index === 0 ? "edit" : "further",
  }));
}

/** The first result of a key pays for its picture. */
function pricedAs(results: readonly Result[]): readonly PricedAs[] {
  const keys = results.map(({ pictureKey }) => pictureKey);
  return results.map(({ pictureKey, unpainted }, index) =>
    pictureKey !== undefined && keys.indexOf(pictureKey) === index ? "scene" : unpainted,
  );
}

function creditsAs(tool: ToolId, { creditsPerFurtherOutput, creditsPerGeneratedScene }: Prices) {
  return {
    edit: tools[tool].creditsPerEdit,
    further: creditsPerFurtherOutput,
    scene: creditsPerGeneratedScene,
  };
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
 * What comes back of an edit's credits, if they were paid: all but what the results cost that were made. A picture that one of them
 * shows is paid for, whichever file paid for it when the edit was accepted; a scene that the renderer painted in the image model's
 * place costs what the renderer's would.
 */
export function unearnedCredits({ tool, parameters, ...told }: PaidEdit, made: MadeResults): number {
  const { creditsPerFurtherOutput = 0, creditsPerGeneratedScene = 0 } = told;
  const prices = { creditsPerFurtherOutput, creditsPerGeneratedScene };
  const credits = creditsAs(tool, prices);
  const outcomes = outcomesOf(made);
  const results = resultsOf(tool, parameters)
    .map((result, index) => ({ ...result, outcome: outcomes[index] }))
    .filter(({ outcome }) => outcome !== "failed");
  const earned = pricedAs(results).reduce((sum, as, index) => {
    const { outcome, unpainted } = results[index]!;
    return sum + (outcome === "rendered" ? Math.min(credits[as], credits[unpainted]) : credits[as]);
  }, 0);
  return creditsOf(tool, parameters, prices) - earned;
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
