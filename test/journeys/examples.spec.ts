/** The programs of docs/examples, as their readers run them, against one live stack. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { formWith } from "../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const example = (name: string) => join(root, "docs/examples", name);
const sample = (name: string) => join(root, "cli/demo/sample", name);

/** A shop's web server, which has the photo of a mug and no other, and a folder of the reader's own. */
const shop = suiteFixture(async () => {
  const photo = await readFile(sample("mug.jpg"));
  const server = createServer(({ url }, response) => {
    if (url === "/mug.jpg") response.writeHead(200, { "Content-Type": "image/jpeg" }).end(photo);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = await mkdtemp(join(tmpdir(), "packshot-examples-"));
  return {
    folder,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
const stack = jointStack();

interface Ended {
  readonly code: number;
  readonly stdout: string;
}

/** Runs a program in the reader's folder, with `packshot` and the pinned Node on PATH. */
async function runExample(program: string, ...args: readonly string[]): Promise<Ended> {
  return await runThrough(stack.file.apiUrl, program, ...args);
}

async function runThrough(url: string, program: string, ...args: readonly string[]): Promise<Ended> {
  const env = {
    ...process.env,
    PATH: [join(root, "bin"), dirname(process.execPath), process.env.PATH].join(":"),
    PACKSHOT_URL: url,
    PACKSHOT_KEY: stack.file.apiKey,
  };
  return await run(program, args, { cwd: shop.folder, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: Ended & { readonly stderr: string }) => ({ code: error.code, stdout: error.stdout + error.stderr }),
  );
}

/** The programs in Go, built as setup builds nats-server, so that what both need is compiled once. */
async function buildGo(): Promise<string> {
  const program = join(shop.folder, "packshot-go");
  await run("go", ["build", "-trimpath", "-o", program, example("packshot.go")]);
  return program;
}

async function expectReceiver(program: string, ...args: readonly string[]): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  // The secret comes with the webhook, and its address is known when the receiver listens.
  const created = await stack.call("POST", "/v1/webhooks", {
    body: JSON.stringify({ url: "http://127.0.0.1:8099/hooks/packshot", events: ["job.completed"] }),
    headers,
  });
  expect(created.status).toBe(201);
  const { id, secret } = (await created.json()) as { readonly id: string; readonly secret: string };
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, PACKSHOT_WEBHOOK_SECRET: secret, PORT: "0" },
    stdio: "pipe",
  });
  const ended = once(child, "close");
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) createInterface(stream).on("line", (line) => lines.push(line));
  try {
    await expect.poll(() => lines).toContainEqual(expect.stringMatching(/^listening /));
    const { port } = JSON.parse(lines[0]!.slice("listening ".length)) as { readonly port: number };
    const url = `http://127.0.0.1:${port}/hooks/packshot`;
    await stack.call("PATCH", `/v1/webhooks/${id}`, { body: JSON.stringify({ url }), headers });

    const body = JSON.stringify({ event: "job.completed" });
    const signed = { "webhook-id": "1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)) };
    const forged = { ...headers, ...signed, "webhook-signature": `v1,${"A".repeat(43)}=` };
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400);
    expect((await fetch(url, { method: "POST", headers: forged, body })).status).toBe(400);
    const { body: job } = await stack.edit("mask", formWith(await readFile(sample("mug.jpg"))));
    await expect.poll(() => lines).toContainEqual(expect.stringMatching(new RegExp(`^job\\.completed ${job.id} http`)));
    await expect.poll(async () => await deliveriesOf(id)).toHaveLength(1);
    const [delivery] = await deliveriesOf(id);
    await stack.call("POST", `/v1/webhooks/${id}/deliveries/${delivery!.id}/redeliver`);
    await expect
      .poll(async () => (await deliveriesOf(id))[0]!.attempts.map(({ status }) => status))
      .toEqual([204, 204]);
    expect(lines.filter((line) => !line.startsWith("listening"))).toEqual([
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^job\.completed /),
    ]);
  } finally {
    child.kill();
    await ended;
    await stack.call("DELETE", `/v1/webhooks/${id}`);
  }
}

interface SentEvent {
  readonly id: string;
  readonly attempts: readonly { readonly status: number | null }[];
}

async function deliveriesOf(webhookId: string): Promise<readonly SentEvent[]> {
  const answer = await stack.call("GET", `/v1/webhooks/${webhookId}/deliveries?status=succeeded`);
  return ((await answer.json()) as { readonly data: readonly SentEvent[] }).data;
}

test("webhook-receiver.ts takes an event that is signed, once, and refuses one that is not", async () => {
  await expectReceiver(process.execPath, example("webhook-receiver.ts"));
});

test("webhook_receiver.py takes an event that is signed, once, and refuses one that is not", {
  tags: ["python"],
}, async () => {
  await expectReceiver("python3", example("webhook_receiver.py"));
});

test("packshot.go takes an event that is signed, once, and refuses one that is not", { tags: ["go"] }, async () => {
  await expectReceiver(await buildGo(), "receive");
});

test("catalog-folder.sh edits a folder, names what failed, and skips what is done", async () => {
  const photos = join(shop.folder, "photos");
  await mkdir(photos);
  await copyFile(sample("mug.jpg"), join(photos, "mug.jpg"));
  await writeFile(join(photos, "broken.jpg"), "not a photo");
  const first = await runExample("sh", example("catalog-folder.sh"), "photos", "web");
  expect(first.stdout).toMatch(/^failed: .*broken\.jpg \(unsupported_media_type\)$/m);
  expect(first.stdout).toMatch(/^1 edited, 0 skipped, 1 failed$/m);
  expect(first.code).toBe(3);
  const [result] = (await readdir(join(shop.folder, "web"))).filter((name) => name.startsWith("mug"));
  const { data } = await sharp(join(shop.folder, "web", result!))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);

  await rm(join(photos, "broken.jpg"));
  const second = await runExample("sh", example("catalog-folder.sh"), "photos", "web");
  expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 edited, 1 skipped, 0 failed$/m) });
});

/** In front of the API: the response to the first edit is lost, and the next is refused, as where a service starts again. */
async function startUnreliableFront() {
  let edits = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
    const isEdit = request.method === "POST";
    if (isEdit) edits += 1;
    if (isEdit && edits === 2) {
      response.writeHead(503, { "Content-Type": "application/json", "Retry-After": "0" });
      response.end(JSON.stringify({ code: "unavailable", message: "It starts again." }));
      return;
    }
    const passed = ["content-type", "idempotency-key", "prefer"].filter((name) => request.headers[name] !== undefined);
    const headers = Object.fromEntries(passed.map((name) => [name, String(request.headers[name])]));
    const answer = await stack.call(request.method!, request.url!, { headers, ...(isEdit && { body }) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (isEdit && edits === 1) request.socket.destroy();
    else response.writeHead(answer.status, { "Content-Type": "application/json" }).end(bytes);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, edits: () => edits };
}

/** `name` tells the photos of two programs apart, so that they have keys and jobs of their own. */
async function expectSafeEdits(name: string, program: string, ...args: readonly string[]): Promise<void> {
  const photo = `${name}.jpg`;
  const result = `${name}.png`;
  await sharp(sample("mug.jpg"))
    .withExif({ IFD0: { ImageDescription: name } })
    .toFile(join(shop.folder, photo));
  const front = await startUnreliableFront();
  const first = await runThrough(front.url, program, ...args, photo, result);
  expect(first).toEqual({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^[\\da-f-]{36} (ok|review) ${result}\\n$`)),
  });
  expect(front.edits()).toBe(3);
  const { width } = await sharp(sample("mug.jpg")).metadata();
  expect(await sharp(join(shop.folder, result)).metadata()).toMatchObject({ format: "png", hasAlpha: true, width });
  expect(await runExample(program, ...args, photo, result)).toEqual(first);
  const jobs = await (await stack.call("GET", `/v1/jobs?metadata.photo=${photo}`)).json();
  const id = first.stdout.split(" ")[0];
  expect((jobs as { readonly data: readonly { readonly id: string }[] }).data.map((job) => job.id)).toEqual([id]);

  await stack.call("DELETE", `/v1/jobs/${id}`);
  const anew = await runExample(program, ...args, photo, result);
  expect(anew.code).toBe(0);
  expect(anew.stdout).not.toContain(id);

  await writeFile(join(shop.folder, "broken.jpg"), "not a photo");
  const refused = await runExample(program, ...args, "broken.jpg", "broken.png");
  expect(refused).toEqual({ code: 1, stdout: expect.stringMatching(/^unsupported_media_type: /) });
}

test("edit_photo.py edits once where a response is lost, and anew where the job is gone", {
  tags: ["python"],
}, async () => {
  await expectSafeEdits("by-python", "python3", example("edit_photo.py"));
});

test("packshot.go edits once where a response is lost, and anew where the job is gone", { tags: ["go"] }, async () => {
  await expectSafeEdits("by-go", await buildGo(), "edit");
});

test("batch-from-csv.sh edits the rows of a file, and reports each", async () => {
  const rows = ["ref,imageUrl", `MUG-1,${shop.url}/mug.jpg`, `GONE-1,${shop.url}/gone.jpg`];
  await writeFile(join(shop.folder, "rows.csv"), `${rows.join("\n")}\n`);
  const { code, stdout } = await runExample("sh", example("batch-from-csv.sh"), "rows.csv", "results");
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^batch [\da-f-]{36}\ncompleted\n$/) });
  const report = await readFile(join(shop.folder, "results/report.csv"), "utf8");
  expect(report).toMatch(/^ref,line,status,/);
  expect(report).toMatch(/^MUG-1,2,completed,/m);
  expect(report).toMatch(/^GONE-1,3,failed,source_unreachable,/m);
  const archive = await readFile(join(shop.folder, "results/results.zip"));
  expect(archive.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
  expect(archive.includes("MUG-1.png")).toBe(true);
});
