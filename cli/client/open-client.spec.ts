import { PackshotError } from "@packshot/sdk/packshot.ts";
import { expect, test } from "vitest";
import { sentenceOf } from "./service-access.ts";

test.each([
  ["connection_failed", "No route.", "No route: does the service run, and is its address right?"],
  ["insufficient_credits", "No credits.", "No credits: ask the operator for credits (packshot accounts grant)."],
  ["not_found", "Job not found.", "Job not found (not_found)."],
])("an error with the code %s is one sentence, with what to do about it", (code, message, sentence) => {
  expect(sentenceOf(new PackshotError(code, message))).toBe(sentence);
});
