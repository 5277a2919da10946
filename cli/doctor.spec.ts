import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoundCage } from "@packshot/platform/images/find-cage.ts";
import { expect, onTestFinished, test } from "vitest";
import { decoderFinding, defaultModelFinding, storageFinding, untilWell } from "./doctor.ts";

const refused: FoundCage = { kind: "refused", problem: "the kernel refuses it: the kernel has no Landlock" };
const holds: FoundCage = { kind: "holds", launcher: "/cage", report: { version: "x", landlock: 7, seccomp: true } };

test.each([
  ["no cage where a worker is told to have one", refused, "on", "fault"],
  ["no cage where nobody has said anything", refused, undefined, "warning"],
  ["no cage where none is wanted", refused, "off", "warning"],
  ["a cage that is not used", holds, "off", "warning"],
  ["a cage", holds, "on", "ok"],
  ["a cage by default", holds, undefined, "ok"],
] as const)("%s: as a worker takes it", (_what, found, setting, state) => {
  expect(decoderFinding(found, setting)).toMatchObject({ check: "decoders", state });
});

test("says what to do where the cage is asked for and cannot be had", () => {
  expect(decoderFinding(refused, "on").message).toMatch(/no Landlock.*5\.13.*PACKSHOT_DECODER_CAGE=off/);
});

test("says whether the folder of the storage can be written, and what to set where it cannot", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect((await storageFinding(join(folder, "new"))).state).toBe("ok");
  expect(await storageFinding(join(file, "storage"))).toMatchObject({
    check: "storage",
    state: "fault",
    message: expect.stringMatching(/cannot be written: a part of its path is a file; set PACKSHOT_STORAGE_DIR/),
  });
});

test("says which folder of models is not there", () => {
  const settings = { PACKSHOT_DEFAULT_MODEL: "packshot-mask", PACKSHOT_SERVED_MODELS: [] };
  const message = "the model folder /nowhere/models does not exist";
  expect(defaultModelFinding(settings, "/nowhere/models")).toMatchObject([{ message }]);
});

test.each([
  ["packshot-mask", [], undefined],
  ["packshot-mask@9", [], /names packshot-mask@9, .*: set another; installed: .*packshot-mask/],
  ["u2net", [], /names u2net, .*: packshot models pull u2net, or set another/],
  ["u2net@2", ["u2net"], undefined],
  ["shop", [], /names shop, .*: set another/],
] as const)("says what lacks the default model %s, where %j is served elsewhere", (model, served, message) => {
  const settings = { PACKSHOT_DEFAULT_MODEL: model, PACKSHOT_SERVED_MODELS: served };
  const expected = { check: "default model", state: "warning", message: expect.stringMatching(message ?? "") };
  expect(defaultModelFinding(settings, undefined)).toEqual(message === undefined ? [] : [expected]);
});

test.each([
  { finds: [true], waitMs: 0, looks: 1, isWell: true },
  { finds: [false], waitMs: 0, looks: 1, isWell: false },
  { finds: [false, false, true], waitMs: 60_000, looks: 3, isWell: true },
  { finds: [false, true], waitMs: 1_000, betweenMs: 60_000, looks: 2, isWell: true },
  { finds: [false, false], waitMs: 1_000, betweenMs: 60_000, looks: 2, isWell: false },
])("looks $looks times where it finds $finds and may wait $waitMs ms", async (of) => {
  const { finds, waitMs, betweenMs = 1, looks, isWell } = of;
  let count = 0;
  expect(await untilWell(async () => finds[count++] ?? false, waitMs, betweenMs)).toBe(isWell);
  expect(count).toBe(looks);
});
