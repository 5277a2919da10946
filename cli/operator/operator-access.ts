import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { createOperatorClient, type OperatorClient } from "./operator-client.ts";
import type { StackFile } from "./stack-file.ts";

/** Flags of every command that speaks to the operator API. */
export const operatorFlags = {
  "data-dir": { type: "string", default: "./data" },
  json: { type: "boolean", default: false },
} as const;

export const operatorHelp = `  --data-dir D   the stack whose D/stack.json tells where the operator API is (default ./data); a stack elsewhere is
                 reached by PACKSHOT_ADMIN_URL and PACKSHOT_ADMIN_TOKEN
  --json         print the answer as it came`;

export function operatorOf({ "data-dir": dataDir }: { "data-dir": string }): OperatorClient {
  const { PACKSHOT_ADMIN_URL: adminUrl, PACKSHOT_ADMIN_TOKEN: adminToken } = environment;
  if (adminUrl && adminToken) return createOperatorClient({ adminUrl, adminToken });
  try {
    return createOperatorClient(JSON.parse(readFileSync(join(dataDir, "stack.json"), "utf8")) as StackFile);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `${join(dataDir, "stack.json")} is not there: start the stack with "packshot up --data-dir ${dataDir}", or set PACKSHOT_ADMIN_URL and PACKSHOT_ADMIN_TOKEN.`,
    );
  }
}

/** All pages of a list of the operator API. */
export async function listAll<T>(operator: OperatorClient, path: string): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await operator.request<{ data: T[]; nextCursor?: string }>(
      "GET",
      cursor === undefined ? path : `${path}?cursor=${cursor}`,
    );
    found.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

/** Rows under a head, each column as wide as its widest cell. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  for (const row of [head, ...rows]) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd()}\n`,
    );
  }
}

export function print(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
}
