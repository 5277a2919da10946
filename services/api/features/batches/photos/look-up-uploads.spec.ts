/** What a dry run says of rows whose photo or picture is in an upload session. */
import { uuidv7 } from "@packshot/domain/ids.ts";
import { expect, test } from "vitest";
import { openAccount } from "../../../../../testing/api/accounts.ts";
import { startApis } from "../../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import type { Realm } from "../../../access/caller.ts";
import { createLookUpUploads, type StoredUploadDeps } from "./look-up-uploads.ts";

const apis = suiteFixture(startApis);

const newClient = async () => apiClient(apis.all[0]!.url, (await openAccount(apis.all[0]!)).key);

/** The id of a new session; without `bytes` nothing is sent to it. */
async function openSession(client: ContractClient, contentType: string, bytes?: string): Promise<string> {
  const json = { contentType, filename: "file", sizeBytes: bytes?.length ?? 1 };
  const { body } = await client.call("POST", "/v1/uploads", { json });
  if (bytes !== undefined) await fetch(body.uploadUrl, { method: "PUT", headers: body.headers, body: bytes });
  return body.uploadSessionId;
}

const row = (ref: string, uploadSessionId: string, more: object = {}) => ({ ref, uploadSessionId, ...more });

async function rowsOfSessions(client: ContractClient) {
  const stored = await openSession(client, "image/png", "photo");
  const empty = await openSession(client, "image/png");
  const foreign = await openSession(await newClient(), "image/png", "photo");
  const behind = { background: { kind: "image", uploadSessionId: empty } };
  return [
    row("stored", stored),
    row("empty", empty),
    row("unknown", uuidv7()),
    row("foreign", foreign),
    row("no-id", "mug"),
    row("picture", stored, { parameters: behind }),
    row("again", stored),
  ];
}

const expected = {
  rows: 7,
  faulty: 5,
  credits: 2,
  tools: { mask: 2 },
  uploads: { named: 5, lookedUp: 5 },
  faults: [
    { ref: "empty", code: "upload_incomplete" },
    { ref: "unknown", code: "not_found" },
    { ref: "foreign", code: "not_found" },
    { ref: "no-id", code: "not_found" },
    { ref: "picture", code: "upload_incomplete" },
  ],
};

test("a row whose session is of no use is faulty, wherever the sample is, and counts no credits", async () => {
  const client = await newClient();
  const items = await rowsOfSessions(client);
  const json = { dryRun: true, tool: "mask", look: { photos: 1 } };
  const inline = await client.call("POST", "/v1/batches", { json: { ...json, items } });
  expect(inline.body).toMatchObject(expected);
  expect(inline.body.photos.rows).toMatchObject([{ ref: expect.stringMatching(/^(stored|again)$/) }]);
  const lines = items.map((item) => JSON.stringify(item)).join("\n");
  const uploadSessionId = await openSession(client, "application/x-ndjson", lines);
  const file = await client.call("POST", "/v1/batches", { json: { ...json, uploadSessionId } });
  expect(file.body).toMatchObject(expected);
  expect(file.body.faults.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 5, 6]);
});

test("sessions for which there is no time are not looked up", async () => {
  const lookUp = createLookUpUploads({} as StoredUploadDeps, 0);
  const realm = { accountId: uuidv7(), live: true };
  const found = await lookUp(realm as Realm, [uuidv7(), uuidv7()], new AbortController().signal);
  expect(found).toEqual({ faults: {}, lookedUp: 0 });
});
