import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formsFolder, sweepStaleForms } from "./edit-form.ts";

it("removes what a killed process left of its forms, and nothing that may be in use", async () => {
  await mkdir(formsFolder, { recursive: true });
  const [left, used] = [randomUUID(), randomUUID()];
  for (const name of [left, used]) await writeFile(join(formsFolder, name), "bytes");
  const twoHoursAgo = new Date(Date.now() - 7_200_000);
  await utimes(join(formsFolder, left), twoHoursAgo, twoHoursAgo);
  await sweepStaleForms();
  const names = await readdir(formsFolder);
  expect([names.includes(left), names.includes(used)]).toEqual([false, true]);
  await rm(join(formsFolder, used));
});
