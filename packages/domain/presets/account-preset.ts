/** A preset of an account's own: a name for a tool, its parameters and a destination, which edits give instead of these. */
import type { BucketFile } from "../connections/bucket-key.ts";
import { type EditParameters, type OutputPreset, outputPresets, type ToolId } from "../edits/tools.ts";

export interface AccountPreset {
  readonly v: 1;
  readonly accountId: string;
  /** false: it was made with a test key, and edits of test keys use it. */
  readonly live: boolean;
  readonly name: string;
  readonly tool: ToolId;
  readonly parameters: EditParameters;
  /** The key may have placeholders. */
  readonly destination?: BucketFile;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A name is a token of its record's subject, so that an edit finds it in one read. */
const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;

export function isPresetName(name: string): boolean {
  return namePattern.test(name);
}

/** Names of marketplaces' presets, which no account may give to one of its own. */
export function isBuiltInPreset(name: string): name is OutputPreset {
  return (outputPresets as readonly string[]).includes(name);
}

/** Names the record. Presets of live and test keys are apart, as everything else of theirs. */
export function presetIdOf({ live, name }: Pick<AccountPreset, "live" | "name">): string {
  return `${live ? "live" : "test"}-${name}`;
}

/** What an edit gives replaces the preset's, field by field, also within `output` and other groups. */
export function mergeParameters(preset: EditParameters, given: EditParameters): EditParameters {
  const merged: Record<string, unknown> = { ...preset };
  for (const [name, value] of Object.entries(given)) {
    const before = merged[name];
    merged[name] = isGroup(before) && isGroup(value) ? mergeGroup(before, value) : value;
  }
  return merged;
}

/** A picture comes from one place: the one that is given replaces whichever the preset has. */
const picturePlaces = ["imageUrl", "uploadSessionId", "jobId"] as const;

export function mergeGroup(before: object, given: object): object {
  const isPlaced = Object.entries(given).some(([name, value]) => isPicturePlace(name) && value !== null);
  const kept = Object.entries(before).filter(([name]) => !isPlaced || !isPicturePlace(name));
  return { ...Object.fromEntries(kept), ...given };
}

function isPicturePlace(name: string): boolean {
  return (picturePlaces as readonly string[]).includes(name);
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
