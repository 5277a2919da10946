import { expect, test } from "vitest";
import { sandboxOutcome, sandboxProblem, sandboxSourceOrigin } from "./sandbox-outcome.ts";

const at = (words: string) => `${sandboxSourceOrigin}${words}`;

test.each([
  ["failed/no_product_fond", "no_product_fond"],
  ["failed", ""],
  // A code of responses, which no job has.
  ["failed/rate_limit_exceeded", "rate_limit_exceeded"],
  ["failed/toString", "toString"],
])("a test edit that asks for %s is told which codes there are", (words, code) => {
  const message = expect.stringContaining(`no job fails with "${code}"; the codes are file_too_large, `);
  expect(sandboxProblem(at(words), {})).toEqual({ field: "imageUrl", message });
  expect(sandboxProblem(undefined, { test: words })).toEqual({ field: "metadata.test", message });
});

test.each(["failed/no_product_found", "failed/image_unreadable?size=2", "completed", "shoe", "queued", "slow/3"])(
  "a test edit may ask for %s",
  (words) => {
    expect(sandboxProblem(at(words), {})).toBeUndefined();
  },
);

test("only test photos and the metadata's word choose an outcome", () => {
  expect(sandboxProblem("https://shop.example/failed/lost", { sku: "failed/lost" })).toBeUndefined();
  const source = { kind: "url", imageUrl: at("failed/image_unreadable") } as const;
  expect(sandboxOutcome({ source, metadata: {} })).toMatchObject({ kind: "failed", code: "image_unreadable" });
  expect(sandboxOutcome({ source, metadata: { test: "queued" } })).toEqual({ kind: "queued" });
});
