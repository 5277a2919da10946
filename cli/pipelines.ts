/** `packshot pipelines` lists the versions of the pipeline that run; `packshot compare` shows what changes between two. */
import { openAsBlob } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
import { type EditSettings, readEditSettings, settingsFlags } from "./client/edit-settings.ts";
import { accessFlags, accessHelp, explained, openClient, sentenceOf, serviceOf } from "./client/service-access.ts";
import { anyWords, type Command, CommandError, calledFrom, readArguments } from "./command-line/command.ts";
import { printJson, printLine } from "./command-line/print.ts";
import { findPhotos } from "./edit/find-photos.ts";
import type { Photo } from "./edit/photo.ts";

const help = `packshot compare A B PHOTO…: what changes between two versions of the pipeline.

  Edits every photo, file or folder by A and by B, with one seed, and writes
  both results and a page, index.html, that shows them with their difference.
  Each edit costs its credits. "packshot pipelines list" shows the versions.

  --out DIR         where the page goes; default: compare
  --tool T          mask (default), ai-shadows, or ai-bg (default with --theme)
  --theme WORDS     the scene
  --preset P        one of the account's presets
  --set NAME=VALUE  a parameter of the tool; may be repeated
${accessHelp}

  packshot compare 0.2.0+0.15.0 0.3.0+0.16.0 photos --tool ai-shadows`;

const flags = { ...accessFlags, ...settingsFlags, out: { type: "string", default: "compare" } } as const;

const photosMax = 1_000;
/** Used where no seed is given: a drawn one would be another for each version. */
const seedDefault = 1;

interface Side {
  /** Name of the file beside the page; absent where the edit failed. */
  readonly file?: string | undefined;
  readonly bytes?: Buffer;
  readonly problem?: string | undefined;
}

interface Pair {
  readonly name: string;
  readonly first: Side;
  readonly second: Side;
  readonly isSame: boolean;
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, anyWords);
  const [a, b, ...names] = positionals;
  if (a === undefined || b === undefined || names.length === 0) {
    throw new CommandError('compare needs two versions and photos; "packshot pipelines list" shows the versions.');
  }
  const folder = resolve(calledFrom(), values.out);
  const photos = await findPhotos(names, { cwd: calledFrom(), except: folder });
  if (photos.length > photosMax) {
    throw new CommandError(`compare takes up to ${photosMax} photos, not ${photos.length}.`);
  }
  const client = openClient(await serviceOf(values));
  const settings = await explained(readEditSettings(client, values));
  await mkdir(folder, { recursive: true });
  const pairs: Pair[] = [];
  for (const [index, photo] of photos.entries()) {
    const editBy = async (pipeline: string, side: string) =>
      await editOnce(client, { photo, settings, pipeline, folder, name: `${index + 1}-${side}` });
    const [first, second] = await Promise.all([editBy(a, "a"), editBy(b, "b")]);
    const isSame = first.bytes !== undefined && second.bytes !== undefined && first.bytes.equals(second.bytes);
    pairs.push({ name: photo.name, first: shownOf(first), second: shownOf(second), isSame });
    printLine(`${photo.name}: ${isSame ? "the same" : (first.problem ?? second.problem ?? "another result")}`);
  }
  const page = join(folder, "index.html");
  await writeFile(page, contactSheet(pairs, { a, b }));
  const changed = pairs.filter(({ isSame }) => !isSame).length;
  printLine(`${changed} of ${pairs.length} results differ: ${page}`);
  return pairs.some(({ first, second }) => first.problem !== undefined || second.problem !== undefined) ? 1 : 0;
}

/** The page needs no bytes, and all of them would fill the memory. */
function shownOf({ file, problem }: Side): Side {
  return { file, problem };
}

interface OneEdit {
  readonly photo: Photo;
  readonly settings: EditSettings;
  readonly pipeline: string;
  readonly folder: string;
  /** Name of the result, without its extension. */
  readonly name: string;
}

async function editOnce(client: Packshot, { photo, settings, pipeline, folder, name }: OneEdit): Promise<Side> {
  const source = photo.kind === "file" ? await openAsBlob(photo.path) : photo.address;
  const { tool, options } = settings;
  const parameters = { seed: seedDefault, ...options.parameters, pipeline };
  try {
    const edited = await client.edit(tool, source, { ...options, parameters });
    const result = await (await edited.download()).blob();
    const bytes = Buffer.from(await result.arrayBuffer());
    const file = `${name}.${result.type.split("/").at(-1)}`;
    await writeFile(join(folder, file), bytes);
    return { file, bytes };
  } catch (error) {
    if (error instanceof PackshotError) return { problem: sentenceOf(error) };
    throw error;
  }
}

/** Changed results first. The difference is drawn by the browser: where both are the same it is black. */
function contactSheet(pairs: readonly Pair[], versions: { readonly a: string; readonly b: string }): string {
  const rows = pairs.toSorted((x, y) => Number(x.isSame) - Number(y.isSame)).map(rowOf);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(versions.a)} and ${escapeHtml(versions.b)}</title>
<style>
  body { font: 14px system-ui, sans-serif; margin: 24px; background: #eee; color: #222; }
  table { border-spacing: 12px; }
  td { vertical-align: top; }
  img { display: block; width: 320px; background: repeating-conic-gradient(#ccc 0 25%, #fff 0 50%) 0 0 / 16px 16px; }
  .difference { position: relative; background: #000; filter: brightness(4); isolation: isolate; }
  .difference img { background: none; }
  .difference img + img { position: absolute; inset: 0; mix-blend-mode: difference; }
</style>
<h1>${pairs.filter(({ isSame }) => !isSame).length} of ${pairs.length} results differ</h1>
<table>
<tr><th>photo</th><th>${escapeHtml(versions.a)}</th><th>${escapeHtml(versions.b)}</th><th>difference, four times as bright</th></tr>
${rows.join("\n")}
</table>
</html>
`;
}

function rowOf({ name, first, second, isSame }: Pair): string {
  const hasBoth = first.file !== undefined && second.file !== undefined;
  const overlaid = `<div class="difference">${imageOf(first)}${imageOf(second)}</div>`;
  const difference = isSame ? "the same bytes" : hasBoth ? overlaid : "";
  const cells = [escapeHtml(name), imageOf(first), imageOf(second), difference];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

function imageOf({ file, problem = "" }: Side): string {
  return file === undefined ? escapeHtml(problem) : `<img src="${encodeURIComponent(file)}" alt="" loading="lazy">`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => entities[letter]!);
}

export const compare: Command = { summary: "show what changes between two versions of the pipeline", help, run };

const pipelinesHelp = `packshot pipelines: versions of code and weights that running workers have.

  packshot pipelines list      the newest first; with --json as JSON
  packshot compare --help      what changes between two of them

  An edit's parameter pipeline asks for one of them, a job's field of that name
  says which it was, and "packshot compare" shows what changes between two.

${accessHelp}`;

const listFlags = { ...accessFlags, json: { type: "boolean", default: false } } as const;

async function listPipelines(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, listFlags, { list: 0 });
  const [verb = "list"] = positionals;
  if (verb !== "list") throw new CommandError(`unknown subcommand of pipelines: "${verb}"; use list.`);
  const client = openClient(await serviceOf(values));
  const [tool] = await explained(Array.fromAsync(client.tools.list()));
  const pipelines = tool?.pipelines ?? [];
  if (values.json) printJson(pipelines);
  else if (pipelines.length === 0) printLine("no worker runs");
  else for (const pipeline of pipelines) printLine(pipeline);
  return 0;
}

export const pipelines: Command = {
  summary: "list the versions of the pipeline that run",
  help: pipelinesHelp,
  run: listPipelines,
};
