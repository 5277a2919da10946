/**
 * What `packshot edit` takes of what the API can do: the same photos of a folder, as many at a time, by the command as a process
 * of its own and by the leanest client there could be, in turns, on a stack of its own. The client sends a form with
 * `Prefer: wait` and gets the result by its link; the command starts, asks for the tools and the account, follows event
 * streams, and writes files to the disk.
 *
 * node bench/cli/edit.ts [--photos N] [--rounds N] [--parallel N] [--megapixels M]
 */
import { once } from "node:events";
import { spawn } from "node:child_process";
import { openAsBlob } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { startLiveStack } from "../../testing/stack/live-stack.ts";
import { median } from "../measuring/statistics.ts";
import { formatTable, writeResults } from "../measuring/write-results.ts";

const program = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));
const { values } = parseArgs({
  options: {
    photos: { type: "string", default: "100" },
    rounds: { type: "string", default: "5" },
    parallel: { type: "string", default: "4" },
    megapixels: { type: "string", default: "1" },
  },
});
const [photos, rounds, parallel, megapixels] = (["photos", "rounds", "parallel", "megapixels"] as const).map((name) =>
  Number(values[name]),
) as [number, number, number, number];
const folder = await mkdtemp(join(tmpdir(), "packshot-bench-"));
const shelf = join(folder, "shelf");
const stack = await startLiveStack();

async function drawShelf(): Promise<void> {
  await mkdir(shelf);
  const width = Math.round(Math.sqrt((megapixels * 1e6 * 4) / 3));
  for (let index = 0; index < photos; index++) {
    const color = `#20${(30 + index).toString(16).padStart(2, "0")}70`;
    await writeFile(join(shelf, `mug-${index}.jpg`), await drawnMug(color, width, Math.round((width * 3) / 4)));
  }
}

/** Seconds. */
async function byCommand(round: number): Promise<number> {
  const out = join(folder, `out-${round}`);
  // Each round is made of new edits: those of the round before would be found again.
  const args = [program, "edit", shelf, "--out", out, "--parallel", String(parallel), "--force"];
  const env = { ...process.env, PACKSHOT_URL: stack.file.apiUrl, PACKSHOT_KEY: stack.file.apiKey };
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [status] = await once(child, "close");
  const seconds = (performance.now() - startedMs) / 1000;
  const made = (await readdir(out)).filter((name) => name.endsWith(".png")).length;
  if (status !== 0 || made !== photos) throw new Error(`the command ended with ${status} and ${made} results`);
  await rm(out, { recursive: true });
  return seconds;
}

async function byApi(): Promise<number> {
  const names = await readdir(shelf);
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) await editOne(join(shelf, name));
    }),
  );
  return (performance.now() - startedMs) / 1000;
}

async function editOne(path: string): Promise<void> {
  const form = new FormData();
  form.set("image", await openAsBlob(path), "photo.jpg");
  const created = await stack.call("POST", "/v1/tools/mask/edit", { body: form, headers: { Prefer: "wait=60" } });
  const { status, resultUrl } = (await created.json()) as { status: string; resultUrl: string };
  if (status !== "completed") throw new Error(`the edit is ${status}`);
  await (await stack.call("GET", resultUrl)).arrayBuffer();
}

try {
  await drawShelf();
  const [command, api]: [number[], number[]] = [[], []];
  await byApi();
  for (let round = 0; round < rounds; round++) {
    // Whoever comes second finds warmer caches: they take turns.
    const turns = [async () => void command.push(await byCommand(round)), async () => void api.push(await byApi())];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    process.stderr.write(
      `round ${round + 1}: command ${command.at(-1)!.toFixed(2)} s, API ${api.at(-1)!.toFixed(2)} s\n`,
    );
  }
  const row = (name: string, seconds: readonly number[]) => [
    ...[name, median(seconds).toFixed(2), Math.min(...seconds).toFixed(2), Math.max(...seconds).toFixed(2)],
    (photos / median(seconds)).toFixed(2),
  ];
  writeResults({
    name: "cli-edit",
    title: "`packshot edit` beside what the API can do",
    setting: `one worker, ${photos} photos of ${megapixels} megapixels, ${parallel} at a time, ${rounds} rounds in turns`,
    sections: [
      formatTable(
        ["", "median, s", "fastest, s", "slowest, s", "photos a second"],
        [row("API: form with `Prefer: wait`, then the result", api), row("`packshot edit`", command)],
      ),
      `The command takes ${(median(command) / median(api)).toFixed(2)} times as long. Its time is that of the whole process, from its start to its end, with results on the disk; the API's client is running already, and keeps no result.`,
    ],
  });
} finally {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
