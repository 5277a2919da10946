/** The tables of a run, as in bench/results. */
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { hardware } from "./hardware.ts";

export type Row = Record<string, string | number>;

export interface Report {
  put(table: string, ...measured: Row[]): void;
  say(text: string): void;
  markdown(about: string): string;
}

/** Every row shows how much of the machine other processes used meanwhile: the more, the less its figures mean. */
export function createReport(): Report {
  const machine = hardware();
  const tables: Record<string, Row[]> = {};
  let othersSince = watchOtherLoad();
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  say(machine);
  return {
    say,
    put(table, ...measured) {
      const others = Math.round(100 * (othersSince() ?? Number.NaN));
      const rows = measured.map((row) => ({ "others' CPU %": others, ...row }));
      othersSince = watchOtherLoad();
      tables[table] = [...(tables[table] ?? []), ...rows];
      for (const row of rows) say(`${table}: ${JSON.stringify(row)}`);
    },
    markdown(about) {
      const texts = Object.entries(tables).map(([title, rows]) => {
        const columns = Object.keys(rows[0]!);
        const body = rows.map((row) => columns.map((column) => String(row[column])));
        const lines = [columns, columns.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`);
        return `## ${title}\n\n${lines.join("\n")}\n`;
      });
      return `# Inference\n\n${machine}. ${about}\n\n${texts.join("\n")}`;
    },
  };
}

export const round1 = (value: number): number => Math.round(value * 10) / 10;
export const round2 = (value: number): number => Math.round(value * 100) / 100;
export const round3 = (value: number): number => Math.round(value * 1_000) / 1_000;
