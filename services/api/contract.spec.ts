/** @module-tag long */
import { readFileSync } from "node:fs";
import { keyScopes } from "@packshot/domain/accounts/api-key.ts";
import { builtInPlans, type Plan } from "@packshot/domain/accounts/plan.ts";
import { toolIds, tools } from "@packshot/domain/edits/tools.ts";
import { errorCatalog } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { completeJob } from "@packshot/domain/jobs/job.ts";
import { timingsSchema } from "@packshot/domain/jobs/stages.ts";
import { batchEnvelope, jobEnvelope } from "@packshot/domain/webhooks/envelope.ts";
import { type BatchNewsEvent, jobEndedEvent, webhookEventKinds } from "@packshot/domain/webhooks/event.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { startApis } from "../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../testing/api/contract-client.ts";
import { processingJob } from "../../testing/log/job-records.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { editFormSchema, jobParametersSchema, toolSchemaNames } from "./catalog/edit-schemas.ts";
import { type Contract, documentHash, loadContract, resolveReference } from "./http/contract.ts";

const contract = loadContract(new URL("openapi.yaml", import.meta.url));
const { schemas } = contract.document.components;
const apis = suiteFixture(() => startApis({ environment: { PACKSHOT_STATUS_PAGE: "1" } }));

test("the document has the domain's parameters of each tool, and its stages", () => {
  for (const id of toolIds)
    expect(schemas[toolSchemaNames[id]]).toEqual(JSON.parse(JSON.stringify(tools[id].parameters)));
  expect(schemas.EditForm).toEqual(JSON.parse(JSON.stringify(editFormSchema())));
  expect(schemas.JobParameters).toEqual(JSON.parse(JSON.stringify(jobParametersSchema())));
  expect(schemas.Timings).toEqual(JSON.parse(JSON.stringify(timingsSchema())));
  expect((schemas.ToolId as { enum: string[] }).enum).toEqual([...toolIds]);
});

test("the document has the domain's events, limits and error codes", () => {
  expect((schemas.WebhookEventKind as { enum: string[] }).enum).toEqual([...webhookEventKinds]);
  const limits = (schemas.Limits as { required: string[] }).required;
  const [{ limits: ofPlan }] = builtInPlans as [Plan];
  expect([...limits].sort()).toEqual(Object.keys(ofPlan).sort());
  const responses = contract.document.components.responses as Record<string, { description: string }>;
  const codes = Object.values(responses).flatMap(({ description }) =>
    [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code),
  );
  const httpCodes = Object.entries(errorCatalog).filter(([, kind]) => kind.httpStatus !== null);
  expect(codes.sort()).toEqual(httpCodes.map(([code]) => code).sort());
  expect((schemas.KnownErrorCode as { enum: string[] }).enum).toEqual(Object.keys(errorCatalog));
});

test("the generated types are of this document: npm run contract writes them", () => {
  const file = new URL("../../packages/sdk/generated/openapi.ts", import.meta.url);
  const [head] = readFileSync(file, "utf8").split("\n");
  expect(head).toBe(`// ${documentHash(contract.document)}`);
});

test("the operator's page has the types of its document: npm run contract writes them", () => {
  const { document } = loadContract(new URL("admin-openapi.yaml", import.meta.url));
  const file = new URL("../../console/operator/generated/admin-openapi.ts", import.meta.url);
  expect(readFileSync(file, "utf8").split("\n")[0]).toBe(`// ${documentHash(document)}`);
});

test("every operation with a key names its scopes", () => {
  const keyed = contract.operations.filter(({ needsKey }) => needsKey);
  expect(keyed.filter(({ scopes }) => scopes.length === 0).map(({ id }) => id)).toEqual([]);
  for (const { id, scopes } of keyed)
    expect([id, scopes.filter((scope) => !keyScopes.includes(scope))]).toEqual([id, []]);
});

interface Example {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

function examples(): Example[] {
  return contract.operations.flatMap(({ method, path }) => {
    const operation = contract.document.paths[path]![method] as {
      requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
    };
    const given = operation.requestBody?.content["application/json"]?.examples ?? {};
    return Object.entries(given).map(([name, { value }]) => ({ method, path, name, value }));
  });
}

/** The path with the ids of resources that are created for this one request. */
async function resourcePath(client: ContractClient, path: string): Promise<string> {
  const made = async (at: string, json: unknown) => {
    const { body } = await client.call("POST", at, { json });
    return (body.id ?? body.uploadSessionId) as string;
  };
  const edit = { imageUrl: "https://shop.example/mug.jpg" };
  const batchOf = (imageUrl: string) => ({ tool: "mask", onExisting: "redo", items: [{ ref: "A", imageUrl }] });
  const ids: Readonly<Record<string, () => Promise<string>>> = {
    "/v1/account/keys/": () => made("/v1/account/keys", { name: "spare" }),
    "/v1/uploads/": () => made("/v1/uploads", { filename: "mug.jpg", contentType: "image/jpeg", sizeBytes: 3 }),
    // Only a batch that has failed rows is retried: this one's has no photo.
    "/v1/batches/": () => made("/v1/batches", batchOf(path.endsWith("/retry") ? "ftp://a" : edit.imageUrl)),
    "/v1/jobs/": () => made("/v1/tools/mask/edit", edit),
  };
  let address = path.replace("{tool_id}", "ai-bg");
  if (address.includes("{webhook_id}")) {
    address = address.replace("{webhook_id}", await made("/v1/webhooks", { url: "https://shop.example/h" }));
  }
  if (address.includes("{name}")) {
    address = address.replace("{name}", "shop");
    await client.call("PUT", address, { json: { tool: "mask" } });
  }
  const connect = (name: string) => {
    const bucket = { endpoint: "https://s3.shop.example", region: "auto", bucket: "photos" };
    const keys = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" };
    return made("/v1/connections", { name, ...bucket, ...keys });
  };
  if (address.includes("{connection_id}")) address = address.replace("{connection_id}", await connect("spare"));
  // What an example of a batch names.
  if (address === "/v1/batches") {
    await connect("shop");
    await client.call("PUT", "/v1/presets/shop", { json: { tool: "mask" } });
  }
  const owner = Object.keys(ids).find((start) => address.startsWith(start));
  if (!address.includes("{id}") || owner === undefined) return address;
  const id = await ids[owner]!();
  if (address.endsWith("/retry")) {
    const isEnded = async () => (await client.call("GET", `/v1/batches/${id}`)).body.finishedAt !== null;
    await expect.poll(isEnded, { timeout: 30_000 }).toBe(true);
  }
  // An event stream ends with its job.
  if (address.endsWith("/events")) await client.call("POST", `/v1/jobs/${id}/cancel`);
  return address.replace("{id}", id);
}

async function newClient(): Promise<ContractClient> {
  return apiClient(apis.all[0]!.url, (await openAccount(apis.all[0]!)).key);
}

test.each(examples())("the example $name of $method $path is accepted", async ({ method, path, value }) => {
  const client = await newClient();
  const { status } = await client.call(method.toUpperCase(), await resourcePath(client, path), { json: value });
  expect(status).toBeLessThan(300);
});

interface SchemaWithFields {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly object[];
}

/** Optional fields, at every depth, for which the document allows no null. */
function fieldsRefusingNull(of: Contract, schema: object, path = ""): string[] {
  const { properties = {}, required = [], anyOf = [] } = resolveReference(of.document, schema) as SchemaWithFields;
  const refusing = Object.entries(properties).flatMap(([name, field]) => [
    ...(required.includes(name) || of.compile(field)(null) ? [] : [path + name]),
    ...fieldsRefusingNull(of, field, `${path}${name}.`),
  ]);
  return [...refusing, ...anyOf.flatMap((branch) => fieldsRefusingNull(of, branch, path))];
}

test.each(["openapi.yaml", "admin-openapi.yaml"])("%s allows null for every optional field of a body", (file) => {
  const described = loadContract(new URL(file, import.meta.url));
  for (const { id, method, path } of described.operations) {
    const { requestBody } = described.document.paths[path]![method] as {
      requestBody?: { content: Record<string, { schema: object }> };
    };
    const json = requestBody?.content["application/json"];
    if (json !== undefined) expect([id, fieldsRefusingNull(described, json.schema)]).toEqual([id, []]);
  }
});

test("the document allows a null beside the one source of an edit, and no second source", () => {
  const isValid = contract.compile({ $ref: "#/components/schemas/EditRequest" });
  const imageUrl = "https://shop.example/a.jpg";
  expect(isValid({ imageUrl, uploadSessionId: null })).toBe(true);
  expect(isValid({ imageUrl: null, uploadSessionId: "x" })).toBe(true);
  expect(isValid({ imageUrl, uploadSessionId: "x" })).toBe(false);
  expect(isValid({ imageUrl: null, uploadSessionId: null })).toBe(false);
});

test("an edit is accepted as a form, with dots for nested fields", async () => {
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#aa5511" } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(photo)], { type: "image/jpeg" }), "mug.jpg");
  for (const [name, value] of [
    ["output.format", "webp"],
    ["output.width", "800"],
    ["metadata.sku", "MUG-1"],
    ["metadata", '{"shelf":"7"}'],
  ] as const) {
    form.set(name, value);
  }
  const client = await newClient();
  const { status, body } = await client.call("POST", "/v1/tools/ai-bg/edit", { form });
  expect(status).toBe(202);
  const { body: job } = await client.call("GET", `/v1/jobs/${body.id}`);
  expect(job).toMatchObject({
    parameters: { output: { format: "webp", width: 800 } },
    metadata: { sku: "MUG-1", shelf: "7" },
  });
  form.set("metadata", "[1]");
  const refused = await client.call("POST", "/v1/tools/ai-bg/edit", { form });
  expect([refused.status, refused.body.details]).toEqual([400, { field: "metadata" }]);
});

/** Only the webhook service makes deliveries, and only a completed job is delivered to a bucket; an account's deletion names the account. */
const testedElsewhere: Readonly<Record<string, string>> = {
  getDelivery: "services/api/features/webhooks/webhooks.spec.ts",
  redeliver: "test/failures/webhooks-log.spec.ts",
  approveJob: "services/api/features/reviews/reviews.spec.ts",
  rejectJob: "services/api/features/reviews/reviews.spec.ts",
  deliverJob: "services/api/features/jobs/deliver-job.spec.ts",
  deleteAccount: "services/api/features/accounts/account-data.spec.ts",
};
const withoutBody = contract.operations.filter(
  ({ id, method, path }) =>
    !(id in testedElsewhere) && !examples().some((example) => example.method === method && example.path === path),
);

test.each(withoutBody)("$method $path responds as documented", async ({ method, path }) => {
  const client = await newClient();
  expect((await client.call(method.toUpperCase(), await resourcePath(client, path))).status).toBeLessThan(300);
});

test.each(["openapi.yaml", "admin-openapi.yaml"])("every example of a response in %s matches its schema", (file) => {
  const { document, operations, compile } = loadContract(new URL(file, import.meta.url));
  for (const { method, path } of operations) {
    const { responses } = document.paths[path]![method] as { responses: Record<string, object> };
    for (const [status, response] of Object.entries(responses)) {
      const { content } = resolveReference(document, response) as {
        content?: Record<string, { schema: object; example?: unknown }>;
      };
      for (const { schema, example } of Object.values(content ?? {})) {
        if (example === undefined) continue;
        const validate = compile(schema);
        expect(validate(example), `${method} ${path} ${status}: ${JSON.stringify(validate.errors)}`).toBe(true);
      }
    }
  }
});

// The server compiles each when it is first used, and does not check them.
test.each(["openapi.yaml", "admin-openapi.yaml", "features/removebg/removebg-openapi.yaml"])(
  "every schema of %s compiles",
  (file) => {
    const { document, operations, compile } = loadContract(new URL(file, import.meta.url));
    const ajv = new Ajv2020({ strict: false });
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(ajv.validateSchema(schema), `${name}: ${JSON.stringify(ajv.errors)}`).toBe(true);
      expect(() => compile({ $ref: `#/components/schemas/${name}` })(null), name).not.toThrow();
    }
    for (const { id, validatePath, validateQuery, validateHeaders, parseBody } of operations) {
      expect(() => [validatePath, validateQuery, validateHeaders].map((validate) => validate({})), id).not.toThrow();
      try {
        parseBody?.({});
      } catch (error) {
        expect(error, id).toMatchObject({ code: "invalid_request" });
      }
    }
  },
);

test("the document has every field of the event of a completed job", () => {
  const file = { key: "k", contentType: "image/jpeg", bytes: 1 };
  const checks = [{ name: "sRGB JPEG", value: "jpeg, srgb", passed: true }];
  const report = { quality: "review", reasons: ["much of the edge is uncertain"], checks };
  const result = {
    result: file,
    thumbnail: file,
    shadow: file,
    model: null,
    report,
    timings: { decode: 12 },
    inferenceMs: 0,
  };
  const completed = completeJob(processingJob(), result, null, { nowMs: Date.now(), retentionMs: 3_600_000 });
  const shop = "https://shop.example";
  const links = { resultUrl: `${shop}/r`, thumbnailUrl: `${shop}/t`, shadowUrl: `${shop}/s` };
  const envelope = jobEnvelope(jobEndedEvent(completed, uuidv7()), links);
  const { properties } = schemas.WebhookEventData as { properties: Record<string, object> };
  expect(Object.keys(envelope.data).filter((field) => !(field in properties))).toEqual([]);
  expect(contract.compile({ $ref: "#/components/schemas/WebhookEvent" })(envelope)).toBe(true);
});

test("news of a batch have a status that the document knows, also before it has ended", () => {
  const createdAt = "2026-01-01T00:00:00.000Z";
  const isValid = contract.compile({ $ref: "#/components/schemas/WebhookEvent" });
  for (const status of ["validating", "running", "paused", "completed", "failed", "cancelled"] as const) {
    const event = {
      v: 1,
      kind: "batchprogress",
      eventId: uuidv7(),
      createdAt,
      accountId: uuidv7(),
      batch: {
        id: uuidv7(),
        live: true,
        status,
        rows: 2,
        counts: { completed: 1, failed: 0, skipped: 0, cancelled: 0, open: 1 },
        credits: 1,
        createdAt,
        finishedAt: null,
        expiresAt: null,
      },
    } as BatchNewsEvent;
    expect(isValid(batchEnvelope(event)), status).toBe(true);
  }
});
