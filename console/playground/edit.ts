/** A photo of the playground and its edits, as plain data. */
import type { Job, ToolId } from "@packshot/sdk";

export type ParameterValue = string | number | boolean | readonly string[] | Parameters | readonly Parameters[];

export function isGroup(value: ParameterValue | undefined): value is Parameters {
  return typeof value === "object" && !Array.isArray(value);
}

/** A list of objects, as of several files. */
export function isObjectList(value: ParameterValue | undefined): value is readonly Parameters[] {
  return Array.isArray(value) && typeof value[0] === "object";
}

/** As the tool's schema wants them; what is not set is absent. */
export interface Parameters {
  readonly [name: string]: ParameterValue;
}

export interface EditRequest {
  readonly tool: ToolId;
  readonly parameters: Parameters;
  /** One of the account's own presets. */
  readonly preset?: string;
}

export type EditState =
  | { readonly status: "waiting" }
  | { readonly status: "sending" }
  | { readonly status: "queued"; readonly jobId: string; readonly position?: number }
  /** `stage`: what a worker does now, in words. */
  | { readonly status: "processing"; readonly jobId: string; readonly stage?: string }
  | { readonly status: "completed"; readonly job: Job }
  | { readonly status: "failed"; readonly error: unknown };

export interface Edit {
  readonly id: string;
  readonly photoId: string;
  readonly request: EditRequest;
  /** One for all tries, so that an edit whose answer was lost is not paid twice. */
  readonly idempotencyKey: string;
  /** Once the server has taken it. */
  readonly jobId?: string;
  readonly state: EditState;
}

export interface Photo {
  readonly id: string;
  readonly file: File;
  /** The newest last. */
  readonly editIds: readonly string[];
}

export function hasEnded({ state }: Edit): boolean {
  return state.status === "completed" || state.status === "failed";
}

/** Where an edit is, in words. */
export function describeProgress(state: EditState): string {
  switch (state.status) {
    case "waiting":
      return "Waiting to be sent";
    case "sending":
      return "Sending";
    case "queued":
      return state.position === undefined || state.position === 0 ? "Queued" : `Queued behind ${state.position}`;
    case "processing":
      return state.stage ?? "Editing";
    case "completed":
      return state.job.report?.quality === "review" ? "Done, to be reviewed" : "Done";
    case "failed":
      return "Failed";
  }
}
