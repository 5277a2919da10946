/** The bench of image models, by the stand-in on the CPU: its figures mean nothing, and its tables are those of a GPU. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

const script = fileURLToPath(new URL("image-model.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "packshot-bench-spec-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => promisify(execFile)(process.execPath, [script, ...args]);

function rowsOf(markdown: string, title: string): Record<string, string>[] {
  const [, table = ""] = new RegExp(`## ${title}\n\n((?:\\|.*\n)+)`).exec(markdown) ?? [];
  const [columns = [], , ...rows] = table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.map((cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at]!])));
}

it("times each graph at each size, counts pictures that are asked for together, and writes them down", async () => {
  const file = join(folder, "figures.md");
  const { stdout } = await run("--sides", "64,128", "--at-once", "1,3", "--pictures", "2", "--markdown", file);
  expect(stdout).toContain("stand-in: A stand-in");
  const markdown = readFileSync(file, "utf8");
  expect(rowsOf(markdown, "Load").map(({ graph }) => graph)).toEqual([
    "text_encoder",
    "vae_encoder",
    "transformer",
    "vae_decoder",
  ]);
  const pictures = rowsOf(markdown, "A picture");
  expect(pictures.map(({ side }) => side)).toEqual(["64", "128"]);
  for (const row of pictures)
    for (const column of ["text, ms", "reference, ms", "step, ms", "decode, ms", "picture of 4 steps, ms"])
      expect(Number(row[column]), column).toBeGreaterThanOrEqual(0);
  const together = rowsOf(markdown, "Pictures at once");
  expect(together.map((row) => [row.side, row["asked at once"], row.pictures])).toEqual([
    ["64", "1", "2"],
    ["64", "3", "3"],
    ["128", "1", "2"],
    ["128", "3", "3"],
  ]);
  for (const row of together) expect(Number(row["pictures/s"])).toBeGreaterThan(0);
  expect(pictures[0]!["memory in use on the GPU, MB"]).toMatch(/^(no GPU|\d+)$/);
}, 60_000);

it("says in one sentence where the model is not, and measures nothing in its stead", async () => {
  const failed = run("--model", "none", "--model-dir", folder, "--provider", "cpu");
  await expect(failed).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("has no image model") });
});
