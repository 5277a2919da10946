import { toolIds } from "@packshot/domain/edits/tools.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);

test("each tool shows the JSON Schema of its parameters, and the account's limits", async () => {
  const { key } = await openAccount(apis.all[0]!, { limits: { maxFileSizeBytes: 12_345 } });
  const client = apiClient(apis.all[0]!.url, key);
  const { body } = await client.call("GET", "/v1/tools");
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([...toolIds]);
  for (const tool of body.data) {
    expect((await client.call("GET", `/v1/tools/${tool.id}`)).body).toEqual(tool);
    expect(tool.maxFileSizeBytes).toBe(12_345);
    const isValid = new Ajv2020({ strict: false }).compile(tool.parameters);
    expect([isValid({ seed: 7 }), isValid({ seed: -1 }), isValid({ color: "red" })]).toEqual([true, false, false]);
  }
  for (const [method, path] of [
    ["GET", "/v1/tools/ai_bg"],
    ["POST", "/v1/tools/ai_bg/edit"],
  ] as const) {
    const { status, body } = await client.call(method, path, method === "POST" ? { json: {} } : {});
    const message = 'Resource not found: "tool_id" must be one of "mask", "ai-shadows", "ai-bg".';
    expect([status, body]).toEqual([404, expect.objectContaining({ code: "not_found", message })]);
  }
});
