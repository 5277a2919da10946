import { spawn } from "node:child_process";
import { once } from "node:events";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { curlCommand } from "../../console/components/curl-command.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";

const secret = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
const body = JSON.stringify({
  event: "job.completed",
  data: { id: "1", metadata: { name: "it's $HOME, `x` and “é”" } },
});
const headers = { "content-type": "application/json", "webhook-id": "01a1fb66-9561-7210-98b9-3c550ba14973" };

test("a shell sends the same bytes, with a signature that the receiver accepts", async () => {
  const receiver = await startReceiver();
  const command = curlCommand(`${receiver.url}?a=1&b='2'`, { method: "POST", headers, body });
  expect(command).not.toContain(secret.slice(6));
  const shell = spawn("sh", ["-euc", command], { env: { ...process.env, PACKSHOT_WEBHOOK_SECRET: secret } });
  const [code] = (await once(shell, "close")) as [number];
  expect(code).toBe(0);
  const [received] = receiver.received;
  expect(received!.body).toBe(body);
  expect(received!.headers["content-type"]).toBe("application/json");
  const verified = new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>);
  expect(verified).toEqual(JSON.parse(body));
  await receiver.close();
});
