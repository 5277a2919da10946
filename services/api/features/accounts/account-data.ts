/** All that an account has: handed out as one stream, or removed. */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Erasure } from "@packshot/domain/accounts/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Handlers } from "../../http/call.ts";
import { invalidRequest } from "../../http/validation-messages.ts";
import type { AccountDeps } from "../../records/commit-account.ts";
import { requestErasure } from "./erase-account.ts";
import type { Eraser } from "./eraser.ts";
import { type ExportDeps, exportAccount } from "./export-account.ts";

export interface AccountDataDeps extends ExportDeps {
  readonly eraser: Pick<Eraser, "begin">;
}

/** An export reads each record of the account: one at a time and process is enough. */
const retryAfterSeconds = 30;

export function accountDataHandlers(deps: AccountDataDeps): Handlers {
  const exporting = new Set<string>();
  return {
    async exportAccount({ caller, response, signal }) {
      const { accountId } = caller.account;
      assertLive(caller.key.live, "exports");
      if (exporting.has(accountId)) {
        throw new PackshotError("rate_limit_exceeded", "An export of this account is under way.", {
          retryAfterSeconds,
        });
      }
      exporting.add(accountId);
      try {
        await sendLines(response, exportAccount(deps, { accountId }), signal);
      } finally {
        exporting.delete(accountId);
      }
      return "sent";
    },

    async deleteAccount({ caller, query }) {
      const { accountId } = caller.account;
      assertLive(caller.key.live, "deletes");
      assertConfirmed(query.confirm, accountId);
      return { status: 202, body: await beginErasure(deps, accountId) };
    },
  };
}

/** Throws `not_found`. */
export async function beginErasure(deps: AccountDeps & Pick<AccountDataDeps, "eraser">, accountId: string) {
  const erasure: Erasure = await requestErasure(deps, accountId);
  deps.eraser.begin(erasure);
  return { accountId, status: "deleting", requestedAt: erasure.requestedAt };
}

/** A request that was meant for another account, or for another path, deletes nothing. */
export function assertConfirmed(confirm: unknown, accountId: string): void {
  if (confirm === accountId) return;
  throw invalidRequest('Deleting an account needs "confirm" with its id: all that it has is removed.', {
    field: "confirm",
  });
}

function assertLive(isLive: boolean, what: string): void {
  if (!isLive) throw invalidRequest(`A test key ${what} no account: use a live key.`);
}

/** The last line tells that the export is whole: a fault on the way ends the connection without it. */
async function sendLines(
  response: ServerResponse,
  lines: AsyncGenerator<object, void, undefined>,
  signal: AbortSignal,
): Promise<void> {
  // Before the first line a fault still has a response of its own.
  const first = await lines.next();
  response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store" });
  async function* texts() {
    let count = 0;
    for (let { done, value } = first; !done; { done, value } = await lines.next()) {
      count += 1;
      yield `${JSON.stringify(value)}\n`;
    }
    yield `${JSON.stringify({ type: "end", lines: count })}\n`;
  }
  await pipeline(Readable.from(texts()), response, { signal }).catch((error: unknown) => {
    // A client that has left, or a process that stops, is no fault of ours.
    if (!signal.aborted) throw error;
  });
}
