import { expect, test } from "vitest";
import { openAccount } from "../../../testing/api/accounts.ts";
import { linkKeyHex, startApis } from "../../../testing/api/api-processes.ts";
import { apiClient } from "../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const newKeyHex = "7".repeat(64);
const bytes = Buffer.from("a file");

const apis = suiteFixture(startApis);

/** PUTs to a link of one process at another process. */
async function upload(signer: { readonly url: string }, receiver: { readonly url: string }): Promise<number> {
  const { key } = await openAccount(apis.all[0]!);
  const { body } = await apiClient(signer.url, key).call("POST", "/v1/uploads", {
    json: { contentType: "image/png", filename: "shoe.png", sizeBytes: bytes.length },
  });
  const { pathname, search } = new URL(body.uploadUrl);
  const { status } = await fetch(`${receiver.url}${pathname}${search}`, {
    method: "PUT",
    headers: body.headers,
    body: bytes,
  });
  return status;
}

test("a repeated request for an upload session has a link of the key that signs now", async () => {
  const before = apis.all[0]!;
  const after = await apis.start({ PACKSHOT_LINK_KEY: newKeyHex });
  const { key } = await openAccount(before);
  const open = async ({ url }: { readonly url: string }) =>
    await apiClient(url, key).call("POST", "/v1/uploads", {
      json: { contentType: "image/png", filename: "shoe.png", sizeBytes: bytes.length },
      headers: { "Idempotency-Key": "shoe" },
    });
  const { body: first } = await open(before);
  const { body: again, headers } = await open(after);
  const { uploadUrl, ...session } = again;
  expect([headers.get("idempotency-replayed"), first]).toEqual(["true", expect.objectContaining(session)]);
  const put = async (link: string) => {
    const { pathname, search } = new URL(link);
    const sent = await fetch(`${after.url}${pathname}${search}`, {
      method: "PUT",
      headers: again.headers,
      body: bytes,
    });
    return sent.status;
  };
  expect([await put(first.uploadUrl), await put(uploadUrl)]).toEqual([404, 200]);
});

test("while the link key is rotated, each process accepts the links of those one step before and after it", async () => {
  const before = apis.all[0]!;
  const accepting = await apis.start({ PACKSHOT_LINK_KEY: `${linkKeyHex},${newKeyHex}` });
  const signing = await apis.start({ PACKSHOT_LINK_KEY: `${newKeyHex},${linkKeyHex}` });
  const after = await apis.start({ PACKSHOT_LINK_KEY: newKeyHex });
  const steps = [before, accepting, signing, after];
  for (const [step, signer] of steps.entries()) {
    for (const neighbor of steps.slice(Math.max(0, step - 1), step + 2)) {
      expect(await upload(signer, neighbor)).toBe(200);
    }
  }
  expect([await upload(before, after), await upload(after, before)]).toEqual([404, 404]);
});
