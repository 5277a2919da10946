/**
 * `packshot status`, `jobs` and `webhooks` as processes of their own, against a running stack.
 * @module-tag long
 */
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipelineVersion } from "@packshot/domain/edits/pipeline.ts";
import { Packshot, verifyWebhook } from "@packshot/sdk/packshot.ts";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { runCli, startCli } from "../testing/cli/run-cli.ts";
import { drawnMugs, halfDark } from "../testing/images/drawn-mugs.ts";
import { jointStack } from "../testing/joint/joint-stack.ts";
import { onFreePorts } from "../testing/servers/free-ports.ts";

const stack = jointStack();
/** Has a test key: jobs end, or not, as their address says. */
let packshot: Packshot;
let environment: Record<string, string>;
const from = (words: string) => `https://test.packshot.invalid/${words}`;
/** Gone with the test. */
async function folderOfTest(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `packshot-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
const cli = (...args: string[]) => runCli(args, { environment });

beforeAll(async () => {
  const { apiUrl, apiKey } = stack.file;
  const { key } = await new Packshot({ baseUrl: apiUrl, apiKey }).account.keys.create({ name: "cli", live: false });
  packshot = new Packshot({ baseUrl: apiUrl, apiKey: key });
  environment = { PACKSHOT_URL: apiUrl, PACKSHOT_KEY: key };
});

test("status says what the service and the account are, and fails where there is none", async () => {
  const shown = await cli("status");
  expect(shown).toMatchObject({ status: 0, stderr: "" });
  expect(shown.stdout).toMatch(
    /^service +http:\/\/127\.0\.0\.1:\d+, ready\naccount .*plan dev\ncredits +\d+ left until/,
  );
  expect(shown.stdout).toContain("mask (1), ai-shadows (");
  const json = JSON.parse((await cli("status", "--json")).stdout);
  expect(json).toMatchObject({ ready: true, account: { plan: "dev" } });
  const ofFolder = await runCli(["status", "--data-dir", stack.dataDir]);
  expect(ofFolder).toMatchObject({ status: 0, stdout: expect.stringContaining(stack.file.apiUrl) });
  const address = await onFreePorts(1, async ([port]) => `http://127.0.0.1:${port}`);
  const away = await cli("status", "--url", address);
  expect(away).toMatchObject({
    status: 1,
    stderr: `packshot: ${address} does not answer (ECONNREFUSED): does the service run?\n`,
  });
  const keyless = await runCli(["status"], { environment: { PACKSHOT_URL: stack.file.apiUrl } });
  expect(keyless.stderr).toMatch(/needs an API key: give it with --key, or set PACKSHOT_KEY/);
});

test("presets are put with a scene, listed, shown, used and deleted", async () => {
  expect((await cli("presets")).stdout).toBe("no presets\n");
  const given = ["--theme", "oak table", "--set", "scene.productHeight=0.6", "--set", "seed=7"];
  const put = await cli("presets", "put", "autumn", ...given, "--set", "variations=2");
  const parameters = { theme: "oak table", seed: 7, scene: { productHeight: 0.6 }, variations: 2 };
  expect(JSON.parse(put.stdout)).toMatchObject({ name: "autumn", tool: "ai-bg", parameters, live: false });
  expect((await cli("presets", "list")).stdout).toMatch(/^name +tool .*\nautumn +ai-bg .*"productHeight":0.6/);
  expect(JSON.parse((await cli("presets", "show", "autumn")).stdout)).toMatchObject({ parameters });
  const job = await packshot.jobs.wait((await packshot.submit("ai-bg", from("ok"), { preset: "autumn" })).id);
  expect(job).toMatchObject({
    status: "completed",
    parameters,
    results: [{ seed: 7 }, { name: "variation-2", seed: 8 }],
  });
  const { contentType, stream } = await packshot.jobs.download(job, "variation-2");
  const bytes = (await new Response(stream).arrayBuffer()).byteLength;
  expect([contentType, bytes]).toEqual(["image/jpeg", job.results![1]!.bytes]);
  await expect(packshot.jobs.download(job, "variation-3")).rejects.toMatchObject({ code: "not_found" });
  await packshot.jobs.delete(job.id);
  const { id } = await packshot.submit("ai-shadows", from("ok"), { parameters: { layers: true } });
  const layered = await packshot.jobs.wait(id);
  for (const [at, name] of ["shadow", "product"].entries()) {
    const layer = await packshot.jobs.download(layered, name);
    const { byteLength } = await new Response(layer.stream).arrayBuffer();
    expect([layer.contentType, byteLength]).toEqual(["image/png", layered.layers![at]!.bytes]);
  }
  await packshot.jobs.delete(id);
  expect((await cli("presets", "delete", "autumn")).stdout).toBe("autumn deleted\n");
  expect(await cli("presets", "put", "autumn", "--set", "size=3")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('mask has no parameter "size"'),
  });
  expect(await cli("presets", "put", "autumn", "--to", "shop")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("--to must be like"),
  });
});

test("jobs are listed, shown, cancelled and deleted", async () => {
  const metadata = { sku: "MUG-1" };
  const queued = await packshot.submit("mask", from("queued"), { metadata });
  const failed = await packshot.submit("ai-bg", from("failed/no_product_found"));
  await packshot.jobs.wait(failed.id);
  const table = (await cli("jobs", "list")).stdout;
  expect(table).toMatch(/^id +created +tool +status +credits +what became of it\n/);
  expect(table).toMatch(new RegExp(`${failed.id} .* ai-bg +failed .*no_product_found: `));
  expect(table).toMatch(new RegExp(`${queued.id} .* mask +queued .*sku=MUG-1`));
  const listed = JSON.parse((await cli("jobs", "--metadata", "sku=MUG-1", "--json")).stdout) as { id: string }[];
  expect(listed.map(({ id }) => id)).toEqual([queued.id]);
  const one = await cli("jobs", "list", "--limit", "1", "--json");
  expect([JSON.parse(one.stdout).length, one.stderr]).toEqual([
    1,
    "there are more than these 1: --all lists all of them\n",
  ]);
  for (const which of [["--limit", "2"], ["--all"]]) {
    const all = await cli("jobs", "list", ...which, "--json");
    expect([JSON.parse(all.stdout).length, all.stderr]).toEqual([2, ""]);
  }
  const both = await cli("jobs", "list", "--all", "--limit", "1");
  expect(both).toMatchObject({
    status: 1,
    stdout: "",
    stderr: "packshot: --all lists all of them: leave --limit out.\n",
  });
  expect(JSON.parse((await cli("jobs", "show", failed.id)).stdout)).toMatchObject({ id: failed.id, status: "failed" });
  expect((await cli("jobs", "cancel", queued.id)).stdout).toBe(`${queued.id} cancelled\n`);
  expect((await cli("jobs", "delete", queued.id, failed.id)).stdout).toContain(`${failed.id} deleted\n`);
  expect((await cli("jobs", "list")).stdout).toBe("no jobs\n");
  expect(await cli("jobs", "list", "--status", "lost")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("status"),
  });
  expect(await cli("jobs", "cancel")).toMatchObject({ status: 1, stderr: expect.stringContaining("needs a job's id") });
});

test("doubtful cut-outs are listed, approved, rejected, and mended with a file", async () => {
  const { apiUrl, apiKey } = stack.file;
  const live = { PACKSHOT_URL: apiUrl, PACKSHOT_KEY: apiKey };
  const review = (...args: string[]) => runCli(["review", ...args], { environment: live });
  const client = new Packshot({ baseUrl: apiUrl, apiKey });
  expect((await review()).stdout).toBe("nothing to review\n");
  const photo = await halfDark(await drawnMugs([{ x: 430, y: 480, height: 340, color: "#b03428" }], "room"));
  const edit = async () => (await client.edit("mask", new Blob([new Uint8Array(photo)], { type: "image/png" }))).job;
  const right = await edit();
  const wrong = await edit();
  const other = await edit();
  const one = await review("list", "--limit", "1");
  expect([one.stdout.split("\n").length, one.stderr]).toEqual([3, expect.stringContaining("--all lists all")]);
  const { stdout: table, stderr } = await review("list");
  expect([table.split("\n").length, stderr]).toEqual([5, ""]);
  expect(table).toMatch(/^job +tool +why\n/);
  expect(table).toMatch(new RegExp(`${wrong.id} +mask +the network was not sure of parts of the product`));
  expect((await review("approve", right.id)).stdout).toBe(`${right.id} approved\n`);
  expect((await review("reject", wrong.id)).stdout).toBe(`${wrong.id} rejected\n`);
  expect((await review("approve", wrong.id)).stderr).toContain("not_reviewable");

  const folder = await folderOfTest("mend");
  const mask = join(folder, "matte.png");
  await writeFile(
    mask,
    new Uint8Array(await new Response((await client.jobs.download(other, "matte")).stream).arrayBuffer()),
  );
  const mended = await review("mend", other.id, "--mask", mask, "--no-refine");
  expect(mended.stdout).toMatch(/^[\da-f-]{36} completed, free\n$/);
  expect(await client.jobs.get(mended.stdout.slice(0, 36))).toMatchObject({ repeatOf: other.id, creditsCharged: 0 });
  expect((await review("mend", other.id, "--mask", mask)).stdout).toContain("completed, 1 credit\n");
  expect(await review("mend", other.id)).toMatchObject({ status: 1, stderr: expect.stringContaining("--mask") });
  expect(await review("mend", other.id, "--mask", join(folder, "none.png"))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("cannot be read (ENOENT)"),
  });
  // The sessions of the masks are gone: the jobs have copies of their own.
  const listed = JSON.parse((await review("list", "--json", "--limit", "5")).stdout) as { id: string }[];
  expect(listed.map(({ id }) => id)).toContain(other.id);
});

test("webhooks add registers addresses, queues and topics by keys of the environment; list, test and delete know them", async () => {
  const keys = { ...environment, AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE", AWS_SECRET_ACCESS_KEY: "a-secret-key" };
  const add = (given: readonly string[], more = {}) =>
    runCli(["webhooks", "add", ...given], { environment: { ...environment, ...more } });
  const queueUrl = "https://sqs.eu-central-1.amazonaws.com/123456789012/photos";
  const added = await add(["--sqs", queueUrl, "--events", "job.failed", "--format", "cloudevents"], keys);
  expect(added).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`events go to ${queueUrl}\nSecret: whsec_`),
  });
  const topicArn = "arn:aws:sns:eu-central-1:123456789012:photos";
  expect((await add(["--sns", topicArn], keys)).status).toBe(0);
  const kafka = ["--kafka", "https://kafka.example/v3/clusters/c-1/topics/photos"];
  expect((await add(kafka, { KAFKA_REST_USERNAME: "shop", KAFKA_REST_PASSWORD: "p" })).status).toBe(0);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keyFile = join(await folderOfTest("cli"), "key.json");
  const client_email = "packshot@shop.iam.gserviceaccount.com";
  const private_key = privateKey.export({ format: "pem", type: "pkcs8" });
  await writeFile(keyFile, JSON.stringify({ client_email, private_key_id: "k", private_key }));
  const google = { GOOGLE_APPLICATION_CREDENTIALS: keyFile };
  expect((await add(["--pubsub", "projects/shop/topics/photos"], google)).status).toBe(0);

  const webhooks = await Array.fromAsync(packshot.webhooks.list());
  expect(webhooks).toMatchObject([
    { kind: "sqs", sqs: { queueUrl, accessKeyIdEnd: "MPLE" }, events: ["job.failed"], format: "cloudevents" },
    { kind: "sns", sns: { topicArn } },
    { kind: "kafka", kafka: { url: "https://kafka.example", topic: "photos", clusterId: "c-1", username: "shop" } },
    { kind: "pubsub", pubsub: { topic: "projects/shop/topics/photos", clientEmail: client_email } },
  ]);
  const ids = webhooks.map(({ id }) => id);
  expect((await cli("webhooks", "list")).stdout).toMatch(new RegExp(`${ids[0]} +sqs +${queueUrl} +enabled`));
  expect((await cli("webhooks", "test", ids[2]!)).stdout).toMatch(/^Event [0-9a-f-]{36} is on its way\.\n$/);
  expect((await cli("webhooks", "delete", ...ids)).stdout).toBe(ids.map((id) => `deleted ${id}\n`).join(""));
  expect((await cli("webhooks", "list")).stdout).toBe("no webhooks\n");
});

test.each([
  ["no target", [], "needs one target"],
  ["two targets", ["https://a.example", "--sqs", "https://b.example/q"], "needs one target"],
  ["a queue without keys", ["--sqs", "https://b.example/q"], "--sqs needs AWS_ACCESS_KEY_ID"],
  ["a topic without a file", ["--pubsub", "projects/p/topics/t"], "needs GOOGLE_APPLICATION_CREDENTIALS"],
  ["a proxy without a topic", ["--kafka", "https://kafka.example"], "--kafka must be like"],
  ["an address in the clear", ["http://shop.example/hook"], "must begin with https://"],
])("webhooks add of %s is refused, and says what is missing", async (_what, given, why) => {
  const { status, stderr } = await cli("webhooks", "add", ...given);
  expect([status, stderr]).toEqual([expect.any(Number), expect.stringContaining(why)]);
  expect(status).not.toBe(0);
});

test("webhooks listen prints events and forwards them with a valid signature, and its answer is the service's", async () => {
  let secret = "";
  let isRefusing = true;
  const verified: string[] = [];
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const event = await verifyWebhook(body, request.headers, secret);
    if (!isRefusing) verified.push(`${event.event} ${event.data.id}`);
    response.writeHead(isRefusing ? 503 : 204).end();
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const events = "job.completed,job.failed";
  const listening = startCli(["webhooks", "listen", "--forward", forward, "--events", events], { environment });
  secret = (await listening.until(/Secret: (whsec_\S+)/))[1]!;
  await listening.until(/Ctrl-C stops it/);
  const [webhook] = await Array.fromAsync(packshot.webhooks.list());
  expect(webhook).toMatchObject({ events: ["job.completed", "job.failed"] });

  const first = await packshot.submit("mask", from("failed/no_product_found"), { metadata: { sku: "MUG-7\u001b[2J" } });
  await listening.until(new RegExp(`job\\.failed ${first.id} mask no_product_found sku=MUG-7\\\\u001b\\[2J → 503`));
  const attempts = async () =>
    (await Array.fromAsync(packshot.webhooks.deliveries(webhook!.id)))[0]?.attempts[0]?.status;
  await expect.poll(attempts).toBe(503);
  isRefusing = false;
  const second = await packshot.submit("mask", from("failed/image_unreadable"));
  await listening.until(new RegExp(`${second.id} .*→ 204`));
  expect(verified).toContain(`job.failed ${second.id}`);
  const forged = await fetch(webhook!.url, { method: "POST", body: "{}" });
  expect(forged.status).toBe(400);

  listening.child.kill("SIGINT");
  expect(await listening.ended).toBe(0);
  expect(await Array.fromAsync(packshot.webhooks.list())).toEqual([]);
  receiver.close();
});

test("a webhook that a killed listener left is removed by the next one, whose --json is the event", async () => {
  const killed = startCli(["webhooks", "listen"], { environment });
  await killed.until(/Ctrl-C stops it/);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const [left] = await Array.fromAsync(packshot.webhooks.list());
  const listening = startCli(["webhooks", "listen", "--json"], { environment });
  await listening.until(/Ctrl-C stops it/);
  const [webhook, ...others] = await Array.fromAsync(packshot.webhooks.list());
  expect([others, webhook!.id === left!.id]).toEqual([[], false]);
  const { eventId } = await packshot.webhooks.test(webhook!.id);
  await listening.until(/\n/);
  await listening.until(/webhook\.test/);
  expect(JSON.parse(listening.stdout())).toMatchObject({ event: "webhook.test", eventId });
  listening.child.kill("SIGTERM");
  expect(await listening.ended).toBe(0);
});

test("pipelines lists what runs, an edit by it says so, and another version is refused", async () => {
  const { stdout } = await cli("pipelines", "list");
  expect(stdout).toBe(`${pipelineVersion}\n`);
  const pinned = await packshot.submit("mask", from("ok"), { parameters: { pipeline: pipelineVersion } });
  expect(await packshot.jobs.wait(pinned.id)).toMatchObject({ status: "completed", pipeline: pipelineVersion });
  const other = packshot.submit("mask", from("ok"), { parameters: { pipeline: "9.9.9+9.9.9" } });
  await expect(other).rejects.toMatchObject({
    code: "pipeline_not_available",
    message: expect.stringContaining(`running: ${pipelineVersion}`),
  });
});

test("compare edits by two versions and writes a page with both results", async () => {
  const out = join(await folderOfTest("compare"), "sheet");
  const run = await cli("compare", pipelineVersion, "9.9.9+9.9.9", from("ok"), "--out", out);
  expect(run.status).toBe(1);
  expect(run.stdout).toContain("1 of 1 results differ");
  const page = await readFile(join(out, "index.html"), "utf8");
  expect(page).toContain('<img src="1-a.png"');
  expect(page).toContain("No running worker has the pipeline");
  const same = await cli("compare", pipelineVersion, pipelineVersion, from("ok"), "--out", out);
  expect(same).toMatchObject({ status: 0, stdout: expect.stringContaining("0 of 1 results differ") });
});
