/**
 * The action as GitHub runs it: the bundle alone, in a folder without packages, with inputs in the environment.
 * @module-tag long
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";

const stack = jointStack();
const home = fileURLToPath(new URL(".", import.meta.url));
const action = parse(readFileSync(join(home, "action.yml"), "utf8"));
let bundled: string;
let folder: string;

beforeAll(() => {
  bundled = mkdtempSync(join(tmpdir(), "packshot-action-bundle-"));
  execFileSync("npx", ["vite", "build", "--outDir", bundled, "--emptyOutDir"], { cwd: home, stdio: "ignore" });
});
afterAll(() => rmSync(bundled, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-action-"));
  cpSync(bundled, join(folder, "action/dist"), { recursive: true });
  mkdirSync(join(folder, "work/photos/deep"), { recursive: true });
  for (const file of ["output", "summary"]) writeFileSync(join(folder, file), "");
});
afterEach(() => rmSync(folder, { recursive: true }));

interface RunOfAction {
  readonly status: number | null;
  readonly stdout: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Defaults are what action.yml says; names of inputs are as the runner spells them. */
function runAction(given: Readonly<Record<string, string>>): RunOfAction {
  const inputs: Record<string, string> = { url: stack.file.apiUrl, key: stack.file.apiKey };
  for (const [name, { default: value = "" }] of Object.entries<{ default?: string }>(action.inputs)) {
    inputs[name] = given[name] ?? inputs[name] ?? value;
  }
  const named = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const { status, stdout } = spawnSync(process.execPath, [join(folder, "action", action.runs.main)], {
    cwd: join(folder, "work"),
    env: {
      PATH: process.env.PATH,
      GITHUB_OUTPUT: join(folder, "output"),
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      ...Object.fromEntries(named),
    },
    encoding: "utf8",
  });
  const written = readFileSync(join(folder, "output"), "utf8").matchAll(/^([\w-]+)<<(end-\S+)\n(.*?)\n\2\n/gms);
  const outputs = Object.fromEntries([...written].map(([, name, , value]) => [name!, value!]));
  return { status, stdout, outputs, summary: readFileSync(join(folder, "summary"), "utf8") };
}

const photo = async (name: string, color: string) => writeFileSync(join(folder, "work", name), await drawnMug(color));

test("photos of a folder and a file are edited, and a second run pays for nothing", async () => {
  await photo("photos/red.jpg", "#aa2020");
  await photo("photos/deep/blue.jpg", "#2020aa");
  await photo("green.jpg", "#20aa20");
  const given = { photos: "photos\n  green.jpg\n", parameters: '{"output":{"width":64}}', parallel: "2" };
  const first = runAction(given);
  expect(first).toMatchObject({ status: 0, outputs: { edited: "3", failed: "0", credits: "3" } });
  expect(Object.keys(first.outputs).sort()).toEqual(Object.keys(action.outputs).sort());
  expect(JSON.parse(first.outputs.results!)).toMatchObject([
    { photo: "photos/deep/blue.jpg", file: "edited/deep/blue.png", quality: "ok" },
    { photo: "photos/red.jpg", file: "edited/red.png" },
    { photo: "green.jpg", file: "edited/green.png" },
  ]);
  const made = await sharp(join(folder, "work/edited/deep/blue.png")).metadata();
  expect(made).toMatchObject({ format: "png", width: 64, hasAlpha: true });
  expect(first.summary).toContain("| photos/red.jpg | edited/red.png | ok | 1 |");
  expect(first.stdout).toBe(`::add-mask::${stack.file.apiKey}\n`);

  const jobs = () => JSON.parse(runAction(given).outputs.results!).map(({ jobId }: { jobId: string }) => jobId);
  expect(jobs()).toEqual(JSON.parse(first.outputs.results!).map(({ jobId }: { jobId: string }) => jobId));
});

test("photos of one name have results of their own", async () => {
  await photo("photos/red.jpg", "#aa2020");
  writeFileSync(
    join(folder, "work/photos/red.png"),
    await sharp(await drawnMug("#2020aa"))
      .png()
      .toBuffer(),
  );
  writeFileSync(join(folder, "work/red.jpg"), await drawnMug("#20aa20"));
  const { outputs } = runAction({ photos: "photos\nred.jpg" });
  const files = JSON.parse(outputs.results!).map(({ file }: { file: string }) => file);
  expect(files).toEqual(["edited/photos/red-jpg.png", "edited/red-png.png", "edited/red-jpg.png"]);
});

test("where a result is gone the edit is made anew, and the next run finds that one", async () => {
  await photo("photos/red.jpg", "#aa5020");
  const jobOf = () => JSON.parse(runAction({ photos: "photos" }).outputs.results!)[0].jobId;
  const first = jobOf();
  const headers = { authorization: `Bearer ${stack.file.apiKey}` };
  expect((await fetch(`${stack.file.apiUrl}/v1/jobs/${first}`, { method: "DELETE", headers })).status).toBeLessThan(
    300,
  );
  const second = jobOf();
  expect(second).not.toBe(first);
  expect(jobOf()).toBe(second);
});

test("a photo that fails fails the step, and the others have their results; names bring no markup", async () => {
  await photo("photos/good.jpg", "#aa2020");
  writeFileSync(join(folder, "work/photos/a|b.jpg"), "no photo");
  const run = runAction({ photos: "photos" });
  expect(run).toMatchObject({ status: 1, outputs: { edited: "1", failed: "1" } });
  expect(run.stdout).toMatch(/^::error::photos\/a\|b\.jpg: .* \(\w+\)$/m);
  expect(run.summary).toContain("| photos/a&#124;b.jpg |  | ");
});

test.each([
  ["no photos", { photos: "photos" }, "there are no photos in photos"],
  ["a folder that is not there", { photos: "nowhere" }, "ENOENT"],
  ["no key", { photos: "photos", key: "" }, 'the input "key" is missing'],
  ["what is no JSON", { photos: "photos", parameters: "{" }, "parameters must be JSON"],
  ["too many at once", { photos: "photos", parallel: "65" }, "parallel must be a whole number from 1 to 64"],
])("%s ends the step with one annotation that says so", (_what, given, why) => {
  const { status, stdout } = runAction(given);
  expect([status, stdout.match(/^::error::.*$/gm)]).toEqual([1, [expect.stringContaining(why)]]);
});

test("a wrong key ends the step, and is masked", async () => {
  await photo("photos/red.jpg", "#aa2020");
  const { status, stdout } = runAction({ photos: "photos", key: "ps_live_wrong" });
  expect([status, stdout.startsWith("::add-mask::ps_live_wrong\n::error::")]).toEqual([1, true]);
});
