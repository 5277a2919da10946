/**
 * With millions of records in the log, a search is a fault of its own: the next message of a wildcard, behind the last
 * one, is looked for in the whole stream, which took 5.6 s with 3 million records, and no commit came through meanwhile;
 * a consumer of the last message of each subject took 16 s to make. Records are read by their names, which an index
 * lists, or else `listSubjects`.
 */
import { test } from "vitest";
import { expectNone } from "./expect-none.ts";
import { product } from "./sources.ts";

test("records are read by their names; a search of the log stands in exceptions.ts with what bounds it", () => {
  const searches = /\breadNext(Message)?\b|\bnext_by_subj\b|\bmulti_last\b|\bLastPerSubject\b|"last_per_subject"/;
  expectNone(
    "logSearches",
    product.flatMap(({ path, text }) => (searches.test(text) ? [path] : [])),
  );
});
