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
import { expect, test } from "vitest";
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
  const env = {
    ...process.env,
    PATH: [join(root, "bin"), dirname(process.execPath), process.env.PATH].join(":"),
    PACKSHOT_URL: stack.file.apiUrl,
    PACKSHOT_KEY: stack.file.apiKey,
  };
  return await run(program, args, { cwd: shop.folder, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: Ended & { readonly stderr: string }) => ({ code: error.code, stdout: error.stdout + error.stderr }),
  );
}

test("webhook-receiver.ts takes an event that is signed, and refuses one that is not", async () => {
  const headers = { "Content-Type": "application/json" };
  // The secret comes with the webhook, and its address is known when the receiver listens.
  const created = await stack.call("POST", "/v1/webhooks", {
    body: JSON.stringify({ url: "http://127.0.0.1:8099/hooks/packshot", events: ["job.completed"] }),
    headers,
  });
  expect(created.status).toBe(201);
  const { id, secret } = (await created.json()) as { readonly id: string; readonly secret: string };
  const child: ChildProcess = spawn(process.execPath, [example("webhook-receiver.ts")], {
    env: { PATH: process.env.PATH, PACKSHOT_WEBHOOK_SECRET: secret, PORT: "0" },
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

    const forged = await fetch(url, { method: "POST", headers, body: JSON.stringify({ event: "job.completed" }) });
    expect(forged.status).toBe(400);
    const { body: job } = await stack.edit("mask", formWith(await readFile(sample("mug.jpg"))));
    await expect.poll(() => lines).toContainEqual(expect.stringMatching(new RegExp(`^job\\.completed ${job.id} http`)));
    expect(lines.filter((line) => !line.startsWith("listening"))).toEqual([
      expect.stringMatching(/^refused: /),
      expect.stringMatching(/^job\.completed /),
    ]);
  } finally {
    child.kill();
    await ended;
  }
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

test("edit_photo.py edits a photo, and finds its job when it runs again", { tags: ["python"] }, async () => {
  const first = await runExample("python3", example("edit_photo.py"), sample("mug.jpg"), "mug.png");
  expect(first).toEqual({ code: 0, stdout: expect.stringMatching(/^[\da-f-]{36} (ok|review) mug\.png\n$/) });
  const { width } = await sharp(sample("mug.jpg")).metadata();
  expect(await sharp(join(shop.folder, "mug.png")).metadata()).toMatchObject({ format: "png", hasAlpha: true, width });
  expect(await runExample("python3", example("edit_photo.py"), sample("mug.jpg"), "mug.png")).toEqual(first);

  await writeFile(join(shop.folder, "broken.jpg"), "not a photo");
  const refused = await runExample("python3", example("edit_photo.py"), "broken.jpg", "broken.png");
  expect(refused).toEqual({ code: 1, stdout: expect.stringMatching(/^unsupported_media_type: /) });
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
