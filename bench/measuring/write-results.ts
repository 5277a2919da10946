/** What every results file says first: the machine, the command and the commit. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

export interface Results {
  /** The file's name, without its ending. */
  readonly name: string;
  readonly title: string;
  /** The server, and what ran beside it. */
  readonly setting: string;
  /** Markdown: tables, and what they mean. */
  readonly sections: readonly string[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** `bench/results/<date>/`, made when it is missing. */
export function resultsFolder(): string {
  const folder = `${root}bench/results/${new Date().toISOString().slice(0, 10)}/`;
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Writes `bench/results/<date>/<name>.md` and prints it. */
export function writeResults({ name, title, setting, sections }: Results): void {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${cpus()[0]!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const [, main, ...flags] = process.argv;
  const command = ["node", relative(root, main!), ...flags].join(" ");
  const about = `${machine}; ${setting}; \`${command}\`; commit ${commit()}.`;
  const text = [`# ${title}, ${date}`, about, ...sections].join("\n\n");
  writeFileSync(`${resultsFolder()}${name}.md`, `${text}\n`);
  process.stdout.write(`\n${text}\n`);
}

function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
  return `${git("rev-parse", "--short", "HEAD")}${isChanged ? ", with changes" : ""}`;
}

type Cells = readonly (string | number)[];

/** A Markdown table; its first column is text, the others are numbers. */
export function formatTable(columns: readonly string[], rows: readonly Cells[]): string {
  const line = columns.map((_, at) => (at === 0 ? "---" : "--:")).join("|");
  return [formatRow(columns), `|${line}|`, ...rows.map(formatRow)].join("\n");
}

function formatRow(cells: Cells): string {
  return `| ${cells.join(" | ")} |`;
}

/** Rows that are printed as they come, and at the end a table. */
export function createTable(columns: readonly string[]) {
  const rows: Cells[] = [];
  return {
    add(...cells: Cells): void {
      rows.push(cells);
      process.stdout.write(`${formatRow(cells)}\n`);
    },
    toString: () => formatTable(columns, rows),
  };
}
