import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(new URL("check-signatures.ts", import.meta.url));

/** What the script says of an npm that prints this. */
function checkWith(printed: string) {
  const folder = mkdtempSync(join(tmpdir(), "packshot-signatures-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "printed"), printed);
  writeFileSync(join(folder, "npm"), `#!/bin/sh\ncat "${folder}/printed"\necho broken >&2\nexit 1\n`);
  chmodSync(join(folder, "npm"), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8", env });
  return { status, stdout };
}

const answerOf = (audited: object) => checkWith(JSON.stringify(audited));
const sharp = { name: "sharp", version: "0.34.5" };

test("fails where a signature is invalid or missing, and names the package", () => {
  expect(answerOf({ invalid: [sharp], missing: [] })).toEqual({
    status: 1,
    stdout: "signatures: sharp@0.34.5 has an invalid signature\n",
  });
  expect(answerOf({ invalid: [], missing: [sharp] })).toEqual({
    status: 1,
    stdout: "signatures: sharp@0.34.5 has no signature\n",
  });
  expect(answerOf({ invalid: [], missing: [] })).toMatchObject({ status: 0 });
});

test("says that nothing was checked where the registry or the keys are out of reach", () => {
  for (const code of ["ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT", "E404"])
    expect(answerOf({ error: { code, summary: "no way" } })).toEqual({
      status: 0,
      stdout: "signatures: NOT CHECKED, because what signs is out of reach: no way\n",
    });
});

test("fails where npm does for another reason", () => {
  expect(answerOf({ error: { code: "EEXPIREDSIGNATUREKEY", summary: "an expired key" } })).toEqual({
    status: 1,
    stdout: "signatures: npm failed: an expired key\n",
  });
  expect(checkWith("")).toEqual({ status: 1, stdout: "signatures: npm failed: broken\n" });
});
