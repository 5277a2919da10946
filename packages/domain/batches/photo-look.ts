/**
 * A look at a photo before it costs: what an API process asks workers for a dry run, and what they say. It is no job: nothing of it is
 * stored, and one that is lost is a photo that was not looked at.
 */

import type { OnPoorSource, SourceCheck, SourceMeasures } from "../edits/poor-source.ts";
import type { EditParameters } from "../edits/tools.ts";
import type { ErrorCode } from "../errors.ts";

export interface LookRequest {
  /** Names the answer's subject. */
  readonly id: string;
  readonly accountId: string;
  readonly live: boolean;
  readonly source:
    | { readonly kind: "url"; readonly imageUrl: string }
    /** A signed link into a customer's bucket. */
    | { readonly kind: "link"; readonly url: string }
    | { readonly kind: "file"; readonly key: string };
  readonly parameters: LookParameters;
  readonly bytesMax: number;
  /** An answer after that is of no use. */
  readonly deadlineAtMs: number;
}

export type LookParameters = Pick<EditParameters, "region" | "point" | "existingAlpha" | "model">;

/** The part of what a row asks for that says what its product is. */
export function lookParameters({ region, point, existingAlpha, model }: EditParameters): LookParameters {
  return {
    ...(region !== undefined && { region }),
    ...(point !== undefined && { point }),
    ...(existingAlpha !== undefined && { existingAlpha }),
    ...(model !== undefined && { model }),
  };
}

export interface PhotoReport {
  readonly quality: "ok" | "review";
  readonly reasons: readonly string[];
  readonly source: SourceMeasures & { readonly checks: readonly SourceCheck[] };
}

export interface LookFault {
  readonly code: ErrorCode;
  readonly message: string;
}

/** `unseen`: the photo was not looked at, which says nothing about it. */
export type LookAnswer =
  | { readonly report: PhotoReport }
  | { readonly error: LookFault }
  | { readonly unseen: LookFault };

/** What would become of the photo's row. `unknown`: it was not looked at. */
export const lookVerdicts = ["edit", "review", "refuse", "fail", "unknown"] as const;
export type LookVerdict = (typeof lookVerdicts)[number];

export function isPoor({ source }: PhotoReport): boolean {
  return source.checks.some(({ passed }) => !passed);
}

export function verdictOf(answer: LookAnswer, onPoorSource: OnPoorSource = "edit"): LookVerdict {
  if ("unseen" in answer) return "unknown";
  if ("error" in answer) return "fail";
  const { report } = answer;
  if (isPoor(report) && onPoorSource !== "edit") return onPoorSource;
  return report.quality === "review" ? "review" : "edit";
}
