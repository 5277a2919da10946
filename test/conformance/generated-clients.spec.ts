/** Clients that others' generators make of the document drive a running stack: openapi-fetch's types, and Python. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import createClient from "openapi-fetch";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { components, paths } from "../../packages/sdk/generated/openapi.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { pythonEnvironment, pythonSetupTimeoutMs } from "../../testing/python-environment.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";

const root = new URL("../../", import.meta.url);
const pythonGenerator = "openapi-python-client==0.29.1";
const stack = jointStack();
const folder = mkdtempSync(join(tmpdir(), "packshot-generated-"));
const photoPath = join(folder, "mug.jpg");
let servedDocument: string;

beforeAll(async () => {
  // Before Python is set up, which takes this process so long that the API closes its connections.
  servedDocument = await (await stack.call("GET", "/v1/openapi.json")).text();
  const mug = Buffer.from(
    '<svg width="240" height="240"><rect width="100%" height="100%" rx="30" fill="#204060"/></svg>',
  );
  const ground = { create: { width: 640, height: 480, channels: 3 as const, background: "#f4f2ee" } };
  await sharp(ground)
    .composite([{ input: mug }])
    .jpeg()
    .toFile(photoPath);
  return () => rmSync(folder, { recursive: true });
});

describe("openapi-typescript and openapi-fetch", () => {
  test("the served document generates the types against which this file compiles", async () => {
    const file = join(folder, "openapi.json");
    writeFileSync(file, servedDocument);
    const generator = fileURLToPath(new URL("services/api/node_modules/openapi-typescript/bin/cli.js", root));
    const types = execFileSync(process.execPath, [generator, file], { encoding: "utf8", stdio: "pipe" });
    const [, ...committed] = readFileSync(new URL("packages/sdk/generated/openapi.ts", root), "utf8").split("\n");
    expect(types).toBe(committed.join("\n"));
  });

  test("its client edits, waits, downloads, lists, registers a webhook and has typed errors", async () => {
    const { apiUrl, apiKey } = stack.file;
    const client = createClient<paths>({ baseUrl: apiUrl, headers: { Authorization: `Bearer ${apiKey}` } });
    const receiver = await startReceiver();
    const { data: hook } = await client.POST("/v1/webhooks", {
      body: { url: receiver.url, events: ["job.completed"] },
    });

    const form: components["schemas"]["EditForm"] = {
      image: new Blob([readFileSync(photoPath)]) as unknown as string,
      seed: 7,
      "output.width": 160,
      "output.format": "webp",
      metadata: { sku: "MUG-1" },
    };
    const created = await client.POST("/v1/tools/{tool_id}/edit", {
      params: { path: { tool_id: "mask" }, header: { Prefer: "wait=55", "Idempotency-Key": "typescript-1" } },
      body: form as never,
      bodySerializer: () => formData(form),
    });
    let job = created.data as components["schemas"]["Job"];
    while (job.status === "queued" || job.status === "processing") {
      const params = { path: { id: job.id }, header: { Prefer: "wait=30" } };
      job = (await client.GET("/v1/jobs/{id}", { params })).data!;
    }
    expect(job).toMatchObject({ status: "completed", parameters: { seed: 7 }, metadata: { sku: "MUG-1" } });
    expect(job.report?.quality).toMatch(/^(ok|review)$/);
    const result = await fetch(job.resultUrl!);
    expect(await sharp(await result.arrayBuffer()).metadata()).toMatchObject({ format: "webp", width: 160 });

    await receiver.until((received) => received.length > 0);
    const event = JSON.parse(receiver.received[0]!.body) as components["schemas"]["WebhookEvent"];
    expect([event.event, event.data.id, hook?.secret.slice(0, 6)]).toEqual(["job.completed", job.id, "whsec_"]);
    await receiver.close();

    const listed = await client.GET("/v1/jobs", { params: { query: { limit: 1, tool: "mask" } } });
    expect(listed.data?.data.map(({ id }) => id)).toEqual([job.id]);
    const refused = await client.POST("/v1/tools/{tool_id}/edit", { params: { path: { tool_id: "mask" } }, body: {} });
    expect([refused.response.status, refused.error?.code]).toEqual([400, "invalid_request"]);
    expect(
      (await client.DELETE("/v1/webhooks/{webhook_id}", { params: { path: { webhook_id: hook!.id } } })).response
        .status,
    ).toBe(204);
  });
});

/** As openapi-fetch's documentation has it. */
function formData(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.set(name, value, "mug.jpg");
    else form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return form;
}

/** Responses that are read as they come; the generator knows them as bytes. */
const streamed = Object.fromEntries(
  ["application/x-ndjson", "text/csv", "application/zip"].map((type) => [type, "application/octet-stream"]),
);

describe("openapi-python-client", { tags: ["python"] }, () => {
  let bin: string;
  beforeAll(() => {
    bin = pythonEnvironment("openapi-python-client", [pythonGenerator]);
  }, pythonSetupTimeoutMs + 60_000);

  test("its client is generated, compiles and does the same", async () => {
    const document = join(folder, "python.json");
    writeFileSync(document, servedDocument);
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, PYTHONPATH: folder };
    const config = join(folder, "python-config.json");
    writeFileSync(config, JSON.stringify({ content_type_overrides: streamed }));
    const output = ["--config", config, "--output-path", join(folder, "packshot_api"), "--meta", "none"];
    const generated = await run(join(bin, "openapi-python-client"), ["generate", "--path", document, ...output], env);
    const warnings = generated.output.split("WARNING parsing ").slice(1);
    // What it cannot read but as bytes it says, and leaves that response's type out.
    expect(warnings.filter((warning) => !warning.includes("Unsupported content_type"))).toEqual([]);
    expect(generated.code, generated.output).toBe(0);
    await run(join(bin, "python"), ["-m", "compileall", "-q", join(folder, "packshot_api")], env).then(
      ({ code, output: said }) => expect(code, said).toBe(0),
    );
    const receiver = await startReceiver();
    const script = fileURLToPath(new URL("generated-client.py", import.meta.url));
    const { apiUrl, apiKey } = stack.file;
    const driven = await run(join(bin, "python"), [script, apiUrl, apiKey, photoPath, receiver.url], env);
    expect(driven.code, driven.output).toBe(0);
    const got = JSON.parse(driven.output.trim().split("\n").at(-1)!);
    expect(got).toMatchObject({
      tools: ["mask", "ai-shadows", "ai-bg"],
      job: ["completed", 7, { sku: "MUG-1" }, expect.stringMatching(/^(ok|review)$/)],
      result: [200, "image/webp", expect.any(Number)],
      refused: expect.stringContaining("imageUrl or uploadSessionId is required"),
      gone: "not_found",
      deliveries: "DeliveryList",
      secret: "whsec_",
    });
    expect(got.listed).toEqual(got.jobs);
    expect(got.coverage).toBeGreaterThan(0.1);
    await receiver.until((received) => received.length >= 3);
    const kinds = receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
    expect(kinds.sort()).toEqual(["job.completed", "job.completed", "webhook.test"]);
    await receiver.close();
  });
});

function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
