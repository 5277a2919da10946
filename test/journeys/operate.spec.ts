/** The operator's commands against a running stack: accounts, keys and credits, and what a client then sees. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";

const run = promisify(execFile);
const cli = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));
const timeoutMs = 300_000;
let stack: LiveStack;

beforeAll(async () => {
  stack = await startLiveStack();
}, timeoutMs);

afterAll(() => stack.stop());

async function packshot(...args: readonly string[]): Promise<string> {
  return (await run(process.execPath, [cli, ...args, "--data-dir", stack.dataDir])).stdout;
}

function accountSeenBy(key: string): Promise<Response> {
  return fetch(`${stack.file.apiUrl}/v1/account`, { headers: { Authorization: `Bearer ${key}` } });
}

async function makeKey(key: string): Promise<{ id: string; key: string }> {
  const response = await fetch(`${stack.file.apiUrl}/v1/account/keys`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "second" }),
  });
  return (await response.json()) as { id: string; key: string };
}

test(
  "an operator makes an account and a key, grants credits, suspends, resumes and revokes",
  async () => {
    const { accountId } = JSON.parse(await packshot("accounts", "create", "--name", "Shop", "--plan", "starter"));
    const { id, key } = JSON.parse(await packshot("keys", "create", accountId, "--name", "website"));
    expect(await packshot("accounts", "list")).toMatch(new RegExp(`${accountId} +Shop +starter +active +1000 `));
    expect(await packshot("keys", "list", accountId)).toContain(id);

    for (const sort of ["created", "waiting", "inferenceSeconds"])
      expect(await packshot("accounts", "list", "--sort", sort)).toMatch(/^id +name .* waiting +inference s/);
    await packshot("accounts", "grant", accountId, "500", "--note", "goodwill");
    await packshot("accounts", "grant", accountId, "-200");
    expect(await (await accountSeenBy(key)).json()).toMatchObject({
      accountId,
      plan: "starter",
      credits: { remaining: 1300 },
    });
    const taken = await run(process.execPath, [
      cli,
      "accounts",
      "grant",
      accountId,
      "-5000",
      "--data-dir",
      stack.dataDir,
    ]);
    expect(taken.stderr).toBe(
      "1300 credits were taken, not 5000: there were no more. A grant of 1300 gives them back.\n",
    );
    await packshot("accounts", "grant", accountId, "1300");

    await packshot("accounts", "suspend", accountId);
    expect(await packshot("accounts", "list")).toMatch(new RegExp(`${accountId} .* suspended `));
    expect(JSON.parse(await packshot("accounts", "show", accountId))).toMatchObject({ apiEnabled: false });
    await packshot("accounts", "resume", accountId);
    expect((await accountSeenBy(key)).status).toBe(200);

    const second = await makeKey(key);
    expect(await packshot("keys", "list", accountId)).toMatch(new RegExp(`${second.id} +second .* ${id} `));
    await packshot("keys", "revoke", accountId, id, "--with-descendants");
    // The process that revoked them learns of it from the log, like all others.
    for (const revoked of [key, second.key]) {
      await expect.poll(async () => (await accountSeenBy(revoked)).status).toBe(401);
    }
  },
  timeoutMs,
);

test("an operator's mistake is answered in one sentence", async () => {
  const errorOf = (...args: readonly string[]) =>
    packshot(...args).then(String, ({ stderr }: { stderr: string }) => stderr.trim());
  expect(await errorOf("accounts", "show")).toBe(
    'packshot: accounts show needs an account\'s id; "packshot accounts list" shows them.',
  );
  expect(await errorOf("accounts", "show", "nobody")).toMatch(
    /^packshot: GET \/admin\/v1\/accounts\/nobody: 404 not_found: .+$/,
  );
  expect(await errorOf("accounts", "list", "--sort", "name")).toBe(
    'packshot: --sort must be one of created, waiting, inferenceSeconds, not "name".',
  );
  const { stderr } = await run(process.execPath, [cli, "observe", "--data-dir", "no-such-folder"]).catch(
    (error: { stderr: string }) => error,
  );
  expect(stderr).toMatch(/^packshot: no-such-folder\/stack\.json cannot be read: start the stack first, .+$/m);
  expect(await errorOf("accounts", "show", "id", "surplus")).toBe(
    'packshot: unknown argument "surplus"; --help lists what there is.',
  );
  expect(await errorOf("accounts", "grant", "id", "0")).toBe(
    'packshot: accounts grant needs a whole number of credits other than 0, not "0".',
  );
  expect(await errorOf("keys", "paint")).toBe(
    'packshot: unknown subcommand of keys: "paint"; use list, create or revoke.',
  );
});

test(
  "an operator tries a stack: an account is made, a photo edited, and the account suspended",
  async () => {
    const said = await packshot("try", "--api-url", stack.file.apiUrl);
    expect(said).toMatch(/^edited .*mug\.jpg in [\d.]+ s: a PNG of \d+ KB\n$/);
    expect(await packshot("accounts", "list")).toMatch(/packshot try +dev +suspended /);
  },
  timeoutMs,
);
