import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSecretFile } from "@packshot/platform/config/secret-settings.ts";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { createOperatorClient, type OperatorClient } from "./operator-client.ts";
import type { StackFile } from "./stack-file.ts";

/** Flags of every command that calls the operator API. */
export const operatorFlags = {
  "data-dir": { type: "string", default: "./data" },
  json: { type: "boolean", default: false },
} as const;

export const operatorHelp = `  --data-dir D   data folder of the stack, whose D/stack.json has the address of
                 the operator API (default ./data). For another machine's stack
                 set PACKSHOT_ADMIN_URL and PACKSHOT_ADMIN_TOKEN (or
                 PACKSHOT_ADMIN_TOKEN_FILE) instead
  --json         print the response as JSON`;

export function operatorOf({ "data-dir": dataDir }: { "data-dir": string }): OperatorClient {
  const { PACKSHOT_ADMIN_URL: adminUrl, PACKSHOT_ADMIN_TOKEN_FILE: tokenFile } = environment;
  const adminToken = tokenFile
    ? readSecretFile("PACKSHOT_ADMIN_TOKEN_FILE", tokenFile)
    : environment.PACKSHOT_ADMIN_TOKEN;
  if (adminUrl && adminToken) return createOperatorClient({ adminUrl, adminToken });
  try {
    return createOperatorClient(JSON.parse(readFileSync(join(dataDir, "stack.json"), "utf8")) as StackFile);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `${join(dataDir, "stack.json")} does not exist: start the stack with "packshot up --data-dir ${dataDir}", or set PACKSHOT_ADMIN_URL and PACKSHOT_ADMIN_TOKEN.`,
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
