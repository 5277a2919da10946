/** What a completed job's event says of its report; the whole report is in the job. */

/** A rule of a preset, measured on the result's bytes. */
export interface Check {
  readonly name: string;
  readonly value: number | string;
  readonly passed: boolean;
  /** Why a check passed although its value is below the limit. */
  readonly note?: string;
}

export interface ReportSummary {
  readonly quality: "ok" | "review";
  readonly reasons: readonly string[];
  /** Only for an edit with a preset. */
  readonly checks?: readonly Check[];
}

/** Every report says something of quality. */
export function summarizeReport(report: Readonly<Record<string, unknown>>): ReportSummary {
  const { quality, reasons, checks } = report as unknown as ReportSummary;
  return { quality, reasons, checks };
}

/**
 * What became of the source's own transparency: it was the matte, because the source is a cut-out already; what it hides was
 * removed from the predicted matte; or it was left out, because the file does not say that it is transparency, or
 * the caller wanted no part of it.
 */
export type SourceAlpha = "used" | "combined" | "ignored";
