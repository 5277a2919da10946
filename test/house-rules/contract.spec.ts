/**
 * The house rules on the OpenAPI documents: what generators of clients and their users rely on. A field says what it is, in
 * which unit and within which bounds, and an operation shows what it takes, gives and refuses.
 */
import { describe, expect, test } from "vitest";
import { type Contract, loadContract } from "../../services/api/http/contract.ts";
import type { OpenapiDocument } from "../../services/api/http/openapi-document.ts";
import { faultyFields, faultyOperations } from "./contract-rules.ts";

describe.each(["openapi.yaml", "admin-openapi.yaml"])("%s", (file) => {
  const contract = loadContract(new URL(`../../services/api/${file}`, import.meta.url));

  test("every operation has an operationId, a summary, a tag, errors and examples", () => {
    expect(faultyOperations(contract)).toEqual([]);
  });

  test("no two operations have the same operationId", () => {
    const ids = contract.operations.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("every parameter and property has a description, and every number a unit and a range", () => {
    expect(faultyFields(contract)).toEqual([]);
  });
});

test("a document without any of it fails by each rule", () => {
  const body = { "application/json": { schema: { type: "object", properties: { side: { type: "integer" } } } } };
  const document = {
    paths: {
      "/photos": {
        post: {
          parameters: [{ name: "name", in: "query", schema: { type: "string" } }],
          requestBody: { content: body },
          responses: { "200": { content: { "application/json": { schema: { type: "object" } } } } },
        },
      },
    },
    components: { schemas: {} },
  } as unknown as OpenapiDocument;
  const contract = { document } as Contract;
  expect(faultyOperations(contract).map((fault) => fault.split(": ")[1])).toEqual([
    "no operationId",
    "no summary",
    "no single tag",
    "no 4xx response",
    "no 5xx response",
    "no example of the response 200",
    "no example of the request body",
  ]);
  expect(faultyFields(contract)).toEqual([
    "POST /photos ?name: no description",
    "POST /photos ?name: no limit of its length, or format",
    "POST /photos body.side: no description",
    "POST /photos body.side: no unit in its description",
    "POST /photos body.side: no minimum",
    "POST /photos body.side: no maximum",
  ]);
});
