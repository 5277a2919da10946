/**
 * `packshot batches` as a process of its own, against a running stack.
 * @module-tag long
 */
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AdmZip from "adm-zip";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EndedCli, runCli, startCli } from "../testing/cli/run-cli.ts";
import { drawnMug } from "../testing/images/drawn-mug.ts";
import { startLiveStack } from "../testing/stack/live-stack.ts";
import { suiteFixture } from "../testing/suite-fixture.ts";

/** A photo is held back while commands run, which on a busy machine takes longer than a source may by default. */
const settings = { PACKSHOT_SOURCE_TIMEOUT_MS: "120000", PACKSHOT_ALLOW_CONNECTIONS: "127.0.0.1:*" };
const stack = suiteFixture(() => startLiveStack(settings, ["127.0.0.1:*"]));
let isBucketOpen = false;
/** `/204060/mug.jpg` is a mug of that color; without one there is no photo. What is put there goes to a bucket. */
const shop = createServer(async (request, response) => {
  if (request.method === "PUT") {
    await Array.fromAsync(request);
    return void response.writeHead(isBucketOpen ? 200 : 403).end();
  }
  const [, color] = /^\/([0-9a-f]{6})\//.exec(request.url!) ?? [];
  if (color === undefined) return void response.writeHead(404).end();
  response.end(await drawnMug(`#${color}`, 200));
});
let cwd: string;
let site: string;
let environment: Record<string, string>;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "packshot-batches-"));
  await once(shop.listen(0, "127.0.0.1"), "listening");
  site = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  environment = { PACKSHOT_URL: stack.file.apiUrl, PACKSHOT_KEY: stack.file.apiKey };
});
afterAll(async () => {
  shop.close();
  await rm(cwd, { recursive: true, force: true });
});

const cli = (...args: string[]): Promise<EndedCli> => runCli(["batches", ...args], { cwd, environment });
const small = ["--set", "output.width=32"];
const idOf = ({ stdout }: EndedCli) => /^batch +([0-9a-f-]{36}), /m.exec(stdout)![1]!;

test("a file of rows is counted, edited, reported, fetched and tried again; what is sent twice is one batch", async () => {
  const rows = [
    "ref,imageUrl",
    `BLUE,${site}/204060/mug.jpg`,
    `RED,${site}/602040/mug.jpg`,
    `GONE,${site}/gone/mug.jpg`,
  ];
  await writeFile(join(cwd, "rows.csv"), `${rows.join("\n")}\nBAD,${"x".repeat(2100)}\n`);
  const dry = await cli("create", "rows.csv", "--dry-run", ...small);
  expect(dry.status).toBe(3);
  expect(dry.stdout).toMatch(/^rows +4: 3 mask\ncredits +3 at most, of \d+\n/);
  expect(dry.stdout).toMatch(/faulty +1\n {2}line 5, BAD: .*\(\w+\)\nphotos +2 of 3 looked at, \d poor/);
  expect(dry.stdout).toMatch(/ {2}line 4, GONE: .* \(source_unreachable\)\nNothing was made/);
  expect((await cli("create", "rows.csv", "--dry-run", "--look", "0", ...small)).stdout).not.toContain("photos");
  expect((await cli("list")).stdout).toBe("no batches\n");

  await writeFile(join(cwd, "rows.csv"), rows.join("\n"));
  const run = await cli("create", "rows.csv", "--wait", ...small);
  const id = idOf(run);
  expect(run).toMatchObject({ status: 3, stdout: expect.stringContaining(`rows     3: 2 completed, 1 failed\n`) });
  expect(run.stdout).toMatch(
    new RegExp(`credits +2\nkept +until .*\nnext +packshot batches archive .*\nnext +packshot batches retry ${id}\n`),
  );
  expect(idOf(await cli("create", "rows.csv", ...small))).toBe(id);
  expect((await cli("list")).stdout).toMatch(new RegExp(`\n${id} .* completed +3 of 3 +1\n$`));

  const [header, blue] = (await cli("report", id)).stdout.split(/\r?\n/);
  expect([header, blue]).toEqual([
    expect.stringMatching(/^ref,line,status/),
    expect.stringMatching(/^BLUE,2,completed/),
  ]);
  expect((await cli("report", id, "--out", "report.ndjson")).stdout).toBe("report.ndjson\n");
  expect(JSON.parse((await readFile(join(cwd, "report.ndjson"), "utf8")).split("\n")[0]!)).toMatchObject({
    ref: "BLUE",
  });
  expect((await cli("archive", id)).stdout).toBe("results.zip\n");
  const names = new AdmZip(join(cwd, "results.zip")).getEntries().map(({ entryName }) => entryName);
  expect(names).toEqual(["BLUE.png", "RED.png", "missing.csv"]);

  const retried = await cli("retry", id, "--wait", "--json");
  expect(JSON.parse(retried.stdout)).toMatchObject({ id, try: 2, counts: { completed: 2, failed: 1 } });
  expect(retried.status).toBe(3);
  const again = await cli("create", "rows.csv", "--again", "--wait", ...small);
  expect(idOf(again)).not.toBe(id);
  expect(again.stdout).toContain("1 failed, 2 skipped");
});

test("addresses become rows, whose refs are their names", async () => {
  const addresses = ["103050", "305010", "501030"].map((color) => `${site}/${color}/mug%20red.jpg`);
  await writeFile(join(cwd, "list.txt"), `# the autumn's\n${addresses.join("\n")}\n`);
  const made = await cli("create", "list.txt", `${site}/405060/jug.jpg`, "--preset", "square-white", "--json");
  const { id } = JSON.parse(made.stdout) as { id: string };
  expect(await cli("show", id, "--wait")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("rows     4: 4 completed\n"),
  });
  const report = (await cli("report", id)).stdout;
  for (const ref of ["mug red.jpg", "mug red.jpg-2", "mug red.jpg-3", "jug.jpg"])
    expect(report).toMatch(new RegExp(`^${ref},`, "m"));
});

test("Ctrl-C ends the waiting and not the batch, which is paused, resumed and cancelled", async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: stopped, resolve: answer } = Promise.withResolvers<void>();
  const slow = createServer(async (_request, response) => {
    onAsked();
    await stopped;
    response.end(await drawnMug("#708090", 200));
  });
  await once(slow.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/mug.jpg`;
  const waiting = startCli(["batches", "create", address, "--wait", ...small], { cwd, environment });
  const [, id] = await waiting.until(/^Batch (\S+)\n/);
  await asked;
  waiting.child.kill("SIGINT");
  expect(await waiting.ended).toBe(130);
  expect(waiting.stderr()).toContain(`The batch goes on without this command; "packshot batches show ${id} --wait"`);
  expect((await cli("pause", id!)).stdout).toBe(`${id} paused\n`);
  const paused = await cli("show", id!, "--wait");
  expect(paused.stdout).toMatch(
    new RegExp(`^batch +${id}, paused: as requested\n[^]*next +packshot batches resume ${id}`),
  );
  expect((await cli("resume", id!)).stdout).toBe(`${id} running\n`);
  const other = idOf(await cli("create", `${address}?2`, ...small));
  expect((await cli("cancel", other)).stdout).toBe(`${other} cancelled\n`);
  answer();
  expect(await cli("show", id!, "--wait")).toMatchObject({ status: 0, stdout: expect.stringContaining("1 completed") });
  slow.close();
});

test("what cannot be right is said in one sentence", async () => {
  await writeFile(join(cwd, "names.txt"), "mug.jpg\n");
  const refusals: [string[], RegExp][] = [
    [["create"], /name the rows: "packshot batches create rows\.csv"/],
    [["create", "gone.csv"], /there is no file "gone\.csv"/],
    [["create", "."], /"\." is a folder: "packshot edit \." edits photos of this machine/],
    [["create", "names.txt"], /line 1 of names\.txt is no address: "mug\.jpg"/],
    [["create", `${site}/a.jpg`, "--to", "shop/out"], /--to takes a connection and a key/],
    [["create", `${site}/a.jpg`, "--set", "output.witdh=3"], /mask has no parameter "output\.witdh"/],
    [["show"], /batches show needs a batch's id/],
    [["halt"], /unknown subcommand of batches: "halt"; use create, list, show/],
    [["show", "01936b1e-7a52-7cc0-8d5f-2b1f6a0c9e41"], /\(not_found\)\.$/],
  ];
  const answers = await Promise.all(refusals.map(([args]) => cli(...args)));
  for (const [index, [args, message]] of refusals.entries())
    expect([answers[index]!.status, answers[index]!.stderr.trimEnd()], args.join(" ")).toEqual([
      1,
      expect.stringMatching(message),
    ]);
});

test("results that a bucket did not take are named, and delivered when it does", async () => {
  const keys = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" };
  const body = JSON.stringify({ name: "shop", endpoint: site, region: "auto", bucket: "photos", ...keys });
  const headers = { "Content-Type": "application/json" };
  expect((await stack.call("POST", "/v1/connections", { body, headers })).status).toBe(201);
  await writeFile(join(cwd, "bucket.csv"), `ref,imageUrl\nBLUE,${site}/204060/mug.jpg`);
  const run = await cli("create", "bucket.csv", "--wait", "--to", "s3://shop/{ref}.{ext}", ...small);
  const id = idOf(run);
  expect(run.status).toBe(3);
  expect(run.stdout).toContain("buckets  did not take 1 of the completed\n");
  expect(run.stdout).toContain(`packshot batches deliver ${id}\n`);
  const refused = await cli("deliver", id);
  expect(refused).toMatchObject({
    status: 3,
    stdout: `${id} 0 stored, 1 failed, 0 expired\n`,
    stderr: "BLUE: failed\n",
  });
  const [job] = JSON.parse((await runCli(["jobs", "--batch", id, "--json"], { cwd, environment })).stdout);
  const again = await runCli(["jobs", "deliver", job.id], { cwd, environment });
  expect(again.stdout).toBe(`${job.id} failed: The bucket of the connection "shop" answered 403.\n`);
  isBucketOpen = true;
  expect(await cli("deliver", id)).toMatchObject({ status: 0, stdout: `${id} 1 stored, 0 failed, 0 expired\n` });
  expect((await runCli(["jobs", "deliver", job.id], { cwd, environment })).stdout).toBe(`${job.id} stored\n`);
});
