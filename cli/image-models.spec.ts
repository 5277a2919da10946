/** `packshot models pull --manifest` as a process of its own: what it says before it fetches, and what it installs. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../testing/cli/run-cli.ts";
import { writeImageModel } from "../testing/generative/image-model-folder.ts";

let home: string;
let modelDir: string;
let manifestFile: string;
let server: Server;
let manifest: { name: string; pipeline: object; files: { name: string; sha256: string }[] };

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "packshot-image-models-"));
  modelDir = join(home, "models");
  manifestFile = join(home, "manifest.json");
  writeImageModel(home, "published", { shift: 0.002 });
  const published = join(home, "published", "1");
  server = createServer((request, response) => void response.end(readFileSync(join(published, request.url!))));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = readdirSync(published).filter((name) => name !== "pipeline.json");
  const files = names.map((name) => {
    const bytes = readFileSync(join(published, name));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { name, url: `${url}/${name}`, sha256, sizeBytes: bytes.length };
  });
  const pipeline = JSON.parse(readFileSync(join(published, "pipeline.json"), "utf8"));
  manifest = { name: "my-painter", trainedOn: "nothing", pipeline, files } as typeof manifest;
  writeFileSync(manifestFile, JSON.stringify(manifest));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(home, { recursive: true });
});

const models = (...args: string[]) => runCli(["models", ...args, "--model-dir", modelDir]);
const pull = () => models("pull", "--manifest", manifestFile);

test("a pull says license, sizes and hashes before it fetches anything, and how workers use the model", async () => {
  const pulled = await pull();
  expect(pulled).toMatchObject({ status: 0, stderr: "" });
  const lines = pulled.stdout.split("\n");
  expect(lines[0]).toBe("my-painter: A stand-in: the reference in the color of the prompt.");
  expect(lines[1]).toBe("license Apache-2.0; trained on nothing");
  expect(lines[2]).toMatch(/^5 files, \d+\.\d MB:$/);
  for (const [at, { name, sha256 }] of manifest.files.entries())
    expect(lines[4 + at]).toMatch(new RegExp(`^${name} +\\d+\\.\\d MB +${sha256} +http://127.0.0.1:`));
  expect(pulled.stdout).toContain(`my-painter is installed: ${join(modelDir, "my-painter", "1")}\n`);
  expect(pulled.stdout).toContain("PACKSHOT_IMAGE_MODEL=my-painter\n");

  expect((await models("list")).stdout).toMatch(/^my-painter +here +Apache-2\.0 +\d+\.\d MB +A stand-in/m);
  expect((await models("verify")).stdout).toMatch(/^my-painter: matches its recorded hash/m);
  writeFileSync(join(modelDir, "my-painter", "1", "tokenizer.json"), "{}");
  expect(await models("verify", "my-painter")).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("tokenizer.json is not what was pulled: pull it again"),
  });
});

test("what is installed and verified is kept where that is asked for, and fetched again where it was changed", async () => {
  const keep = () => models("pull", "--manifest", manifestFile, "--keep-verified");
  expect((await keep()).stdout).toContain("my-painter is installed");
  const kept = await keep();
  expect(kept).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^my-painter: matches its recorded hash .*\n$/),
  });
  writeFileSync(join(modelDir, "my-painter", "1", "tokenizer.json"), "{}");
  expect((await keep()).stdout).toContain("my-painter is installed");
  expect(await models("verify", "my-painter")).toMatchObject({ status: 0 });
});

test("what another manifest says is fetched where what is installed would be kept", async () => {
  const keep = (file: string) => models("pull", "--manifest", file, "--keep-verified");
  await keep(manifestFile);
  const pipeline = { ...manifest.pipeline, description: "Another stand-in." };
  const other = join(home, "other-manifest.json");
  writeFileSync(other, JSON.stringify({ ...manifest, pipeline }));
  const pulled = await keep(other);
  expect(pulled.stdout).toContain(`my-painter: ${other} is not what was installed by\n`);
  expect(pulled.stdout).toContain("my-painter is installed");
  expect((await models("list")).stdout).toMatch(/^my-painter +here .*Another stand-in\./m);
  expect((await keep(other)).stdout).toMatch(/^my-painter: matches its recorded hash .*\n$/);
});

test("what a power cut emptied is named and fetched again, and keeps no other model from being kept", async () => {
  const keep = () => models("pull", "--manifest", manifestFile, "--keep-verified");
  await keep();
  for (const name of ["pipeline.json", "files.json"]) {
    const emptied = join(modelDir, "my-painter", "1", name);
    writeFileSync(emptied, "");
    const mended = await keep();
    expect(mended, name).toMatchObject({ status: 0, stderr: "" });
    expect(mended.stdout, name).toContain(`${emptied}: not JSON`);
  }
  writeImageModel(modelDir, "other", { shift: 0.002 });
  writeFileSync(join(modelDir, "other", "1", "pipeline.json"), "");
  expect((await keep()).stdout).toMatch(/^my-painter: matches its recorded hash .*\n$/);
  expect((await models("list")).stdout).toMatch(/^other +here +not recorded/m);
  expect(await models("verify")).toMatchObject({ status: 1, stdout: expect.stringContaining("other: ") });
});

test("a file of another hash is refused, and nothing is installed", async () => {
  writeFileSync(join(home, "published", "1", "tokenizer.json"), "{}");
  const refused = await pull();
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("it was deleted") });
  expect(refused.stdout).toContain(manifest.files.find(({ name }) => name === "tokenizer.json")!.sha256);
  expect(readdirSync(modelDir)).toEqual([".partial"]);
});

test("npm, which runs the command in the repository's folder, finds a manifest in the folder where it was called", async () => {
  const environment = { npm_lifecycle_event: "packshot", INIT_CWD: home };
  const args = ["models", "pull", "--manifest", "manifest.json", "--model-dir", modelDir];
  expect(await runCli(args, { environment })).toMatchObject({ status: 0, stderr: "" });
});

test("a mistake is answered in one sentence", async () => {
  const cases: readonly (readonly [run: () => Promise<{ stderr: string }>, said: string])[] = [
    [() => models("pull", "--manifest", join(home, "none.json")), "cannot be read (ENOENT)."],
    [() => models("pull", "u2netp", "--manifest", manifestFile), "takes a name or --manifest, not both."],
    [
      () => {
        writeFileSync(manifestFile, JSON.stringify({ ...manifest, name: "u2netp" }));
        return pull();
      },
      "u2netp is the name of a segmentation model.",
    ],
  ];
  for (const [run, said] of cases) {
    const { stderr } = await run();
    expect(stderr).toContain(said);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
});
