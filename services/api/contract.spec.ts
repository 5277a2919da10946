import { readFileSync } from "node:fs";
import { errorKinds } from "@packshot/domain/errors.ts";
import { builtInPlans } from "@packshot/domain/plan.ts";
import { toolIds, tools } from "@packshot/domain/tools.ts";
import { webhookEventKinds } from "@packshot/domain/event.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiProcesses, apiClient, openAccount, startApis } from "../../test/support/api-processes.ts";
import { startNats, type TestNats } from "../../test/support/nats.ts";
import { documentHash, loadContract } from "./http/contract.ts";
import { toolSchemaNames } from "./tool-schema-names.ts";

const contract = loadContract(new URL("openapi.yaml", import.meta.url));
const { schemas } = contract.document.components;
let nats: TestNats;
let apis: ApiProcesses;

beforeAll(async () => {
  nats = await startNats();
  apis = await startApis(nats.url);
});

afterAll(async () => {
  await apis?.stop();
  await nats?.stop();
});

test("the document's parameters of each tool are those of the domain", () => {
  for (const id of toolIds)
    expect(schemas[toolSchemaNames[id]]).toEqual(JSON.parse(JSON.stringify(tools[id].parameters)));
  expect((schemas.ToolId as { enum: string[] }).enum).toEqual([...toolIds]);
});

test("the document's events, limits and statuses are those of the domain", () => {
  expect((schemas.WebhookEventKind as { enum: string[] }).enum).toEqual([...webhookEventKinds]);
  const limits = (schemas.Limits as { required: string[] }).required;
  expect([...limits].sort()).toEqual(Object.keys(builtInPlans[0]!.limits).sort());
  const responses = contract.document.components.responses as Record<string, { description: string }>;
  const codes = Object.values(responses).flatMap(({ description }) =>
    [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code),
  );
  const httpCodes = Object.entries(errorKinds).filter(([, kind]) => kind.httpStatus !== null);
  expect(codes.sort()).toEqual(httpCodes.map(([code]) => code).sort());
});

test("the generated types are of this document: scripts/write-contract.ts writes them", () => {
  const [head] = readFileSync(new URL("generated/openapi.ts", import.meta.url), "utf8").split("\n");
  expect(head).toBe(`// ${documentHash(contract.document)}`);
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

test.each(examples())("the example $name of $method $path is accepted", async ({ method, path, value }) => {
  const client = apiClient(apis.all[0]!.url, (await openAccount(apis.all[0]!)).key);
  const webhook = path.includes("{webhook_id}")
    ? (await client.call("POST", "/v1/webhooks", { json: { url: "https://shop.example/h" } })).body.id
    : "";
  const address = path.replace("{webhook_id}", webhook).replace("{tool_id}", "ai-bg");
  const { status } = await client.call(method.toUpperCase(), address, { json: value });
  expect(status).toBeLessThan(300);
});

test("every example of an answer is one", () => {
  for (const { method, path } of contract.operations) {
    const operation = contract.document.paths[path]![method] as {
      responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>;
    };
    for (const [status, { content }] of Object.entries(operation.responses)) {
      for (const { schema, example } of Object.values(content ?? {})) {
        if (example === undefined) continue;
        const validate = contract.compile(schema);
        expect(validate(example), `${method} ${path} ${status}: ${JSON.stringify(validate.errors)}`).toBe(true);
      }
    }
  }
});
