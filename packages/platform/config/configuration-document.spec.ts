import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationDocument } from "../../../scripts/configuration-document.ts";

test("docs/configuration.md agrees with the table of settings", () => {
  const written = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");
  expect(written, 'run "npm run docs"').toBe(configurationDocument());
});
