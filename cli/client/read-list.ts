/** What a list of the service shows: as many entries as were asked for, and a word about the rest. */
import { CommandError, wholeNumber } from "../command-line/command.ts";
import { printNote } from "../command-line/print.ts";

export const listFlags = {
  limit: { type: "string" },
  all: { type: "boolean", default: false },
} as const;

export const listHelp = "  --limit N, --all  so many in the list (default 20), or all of them";

const limitDefault = "20";

interface ListValues {
  readonly limit?: string | undefined;
  readonly all: boolean;
}

/** All are so many at most: they are held until they are shown. */
const limitMax = 100_000;
/** So many entries come in one answer of the service. */
export const pageMax = 100;

/**
 * Shows the entries by `show`, and says on stderr where there are more of them, so that nobody takes a part for the whole.
 *
 * @param list the entries, read in pages of so many
 * @throws CommandError for a limit that is none, and for one beside `all`
 */
export async function showList<T>(
  list: (page: { readonly limit: number }) => AsyncIterable<T>,
  { limit: given, all }: ListValues,
  show: (entries: readonly T[]) => void,
): Promise<void> {
  if (all && given !== undefined) throw new CommandError("--all lists all of them: leave --limit out.");
  const limit = all ? limitMax : wholeNumber("--limit", given ?? limitDefault, 1, limitMax);
  const entries: T[] = [];
  let hasMore = false;
  // One more than is shown tells whether there are others.
  for await (const entry of list({ limit: Math.min(limit + 1, pageMax) })) {
    hasMore = entries.length === limit;
    if (hasMore) break;
    entries.push(entry);
  }
  show(entries);
  if (hasMore) printNote(`there are more than these ${limit}${all ? "" : ": --all lists all of them"}`);
}
