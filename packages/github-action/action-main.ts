/** What GitHub's runner starts. */
import { Packshot, type ToolId } from "@packshot/sdk/packshot.ts";
import { type EditRequest, editPhotos, type PhotoResult } from "./edit-photos.ts";
import { createWorkflow, type Workflow } from "./workflow-commands.ts";

const parallelMax = 64;

async function run(workflow: Workflow): Promise<boolean> {
  const apiKey = required(workflow, "key");
  workflow.mask(apiKey);
  const client = new Packshot({ baseUrl: required(workflow, "url"), apiKey });
  const { results, error } = await editPhotos(client, readRequest(workflow));
  const failed = results.filter((result) => "code" in result);
  const made = results.filter((result) => "file" in result);
  const review = made.filter(({ quality }) => quality === "review");
  workflow.output("edited", String(made.length));
  workflow.output("failed", String(failed.length));
  workflow.output("review", String(review.length));
  workflow.output("credits", String(made.reduce((sum, { credits }) => sum + credits, 0)));
  workflow.output("results", JSON.stringify(results));
  workflow.summarize(summaryOf(results));
  for (const { photo, message, code } of failed) workflow.annotate("error", `${photo}: ${message} (${code})`);
  if (error !== undefined) workflow.annotate("error", messageOf(error));
  for (const { photo, file } of review) workflow.annotate("warning", `${photo}: look at ${file}`);
  return (
    error === undefined && failed.length === 0 && (review.length === 0 || workflow.input("fail-on-review") !== "true")
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function readRequest(workflow: Workflow): EditRequest {
  const parallel = Number(workflow.input("parallel") || 4);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > parallelMax)
    throw new Error(`parallel must be a whole number from 1 to ${parallelMax}`);
  const preset = workflow.input("preset");
  return {
    photos: required(workflow, "photos")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    out: workflow.input("out") || "edited",
    tool: (workflow.input("tool") || "mask") as ToolId,
    ...(preset !== "" && { preset }),
    parameters: readParameters(workflow.input("parameters") || "{}"),
    parallel,
  };
}

function readParameters(text: string): EditRequest["parameters"] {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("parameters must be JSON");
  }
}

function required(workflow: Workflow, name: string): string {
  const value = workflow.input(name);
  if (value !== "") return value;
  throw new Error(`the input "${name}" is missing`);
}

function summaryOf(results: readonly PhotoResult[]): string {
  const rows = results.map((result) => {
    const outcome =
      "file" in result ? [cell(result.file), result.quality, result.credits] : ["", cell(result.message), 0];
    return `| ${[cell(result.photo), ...outcome].join(" | ")} |\n`;
  });
  return `### Packshot\n\n| photo | result | quality | credits |\n|---|---|---|---|\n${rows.join("")}\n`;
}

/** The name of a photo must not end its cell, or bring markup. */
function cell(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#|!~\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const workflow = createWorkflow(process.env, (line) => console.log(line));
try {
  if (!(await run(workflow))) process.exitCode = 1;
} catch (error) {
  workflow.annotate("error", messageOf(error));
  process.exitCode = 1;
}
