/** Results as files of whoever looks at them: one, or all in a ZIP that the browser makes. */
import type { Job } from "@packshot/sdk";
import { downloadZip } from "client-zip";
import { linkHere } from "../api/api.ts";
import { resultName } from "./edit-programs.ts";

export interface NamedResult {
  readonly photoName: string;
  readonly job: Job;
}

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/avif": "avif",
};

/** As the tool and its parameters make it, where the result's own type is not known yet. */
export function extensionOf({ tool, parameters }: Pick<Job, "tool" | "parameters">): string {
  const format = parameters.output?.format;
  const isMarketplace = tool === "mask" && parameters.preset !== undefined && parameters.alphaOnly !== true;
  if (isMarketplace) return "jpg";
  if (format !== undefined) return format === "jpeg" ? "jpg" : format;
  return tool === "ai-bg" ? "jpg" : "png";
}

export async function saveResult(result: NamedResult): Promise<void> {
  const { name, blob } = await fetchResult(result);
  saveAs(blob, name);
}

/** `onDone` is told how many are in the file. */
export async function saveAllResults(results: readonly NamedResult[], onDone: (count: number) => void): Promise<void> {
  const blob = await downloadZip(zipEntries(results, onDone)).blob();
  saveAs(blob, "packshot.zip");
}

async function* zipEntries(results: readonly NamedResult[], onDone: (count: number) => void) {
  const taken = new Map<string, number>();
  for (const [index, result] of results.entries()) {
    for (const file of filesOf(result.job)) {
      const { name, blob } = await fetchResult(result, file);
      const times = (taken.get(name) ?? 0) + 1;
      taken.set(name, times);
      yield { name: times === 1 ? name : name.replace(/(\.\w+)$/, `-${times}$1`), input: blob };
    }
    onDone(index + 1);
  }
}

interface ResultFile {
  /** "" or begins with a hyphen. */
  readonly suffix: string;
  readonly url: string;
}

/** One, or each of an edit with several that was made. */
function filesOf({ results, resultUrl }: Job): ResultFile[] {
  if (results === undefined) return [{ suffix: "", url: resultUrl! }];
  return results.flatMap(({ name, url }) => (url === null ? [] : [{ suffix: `-${name}`, url }]));
}

async function fetchResult(
  { photoName, job }: NamedResult,
  { suffix, url }: ResultFile = { suffix: "", url: job.resultUrl! },
): Promise<{ name: string; blob: Blob }> {
  const response = await fetch(linkHere(url, job));
  if (!response.ok) throw new Error(`The result of ${photoName} is gone: results are kept for a limited time.`);
  const blob = await response.blob();
  return { name: resultName(photoName, job.tool + suffix, extensions[blob.type] ?? extensionOf(job)), blob };
}

const keptForMs = 60_000;

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptForMs);
}
