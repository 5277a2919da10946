/** A client's traffic of every kind against a live stack: what a run's metrics and logs are checked after. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sandboxSourceOrigin } from "@packshot/domain/jobs/sandbox-outcome.ts";
import { jpeg, onePixel } from "../images/odd-images.ts";
import { formWith, type LiveStack } from "../stack/live-stack.ts";
import { type Receiver, startReceiver } from "../webhooks/receiver.ts";

/** Secrets of clients that no log may show, each in a place where a careless line would show it. */
const sourceSignature = "X-Amz-Signature=5d41402abc4b2a76b9719d911017c592";
const hookToken = "hook-token-7e3f1b0c9a";
const wrongKey = `ps_live_${"a1B2".repeat(11)}`;

export interface ObservedLoad {
  readonly photo: Buffer;
  /** Keys, secrets and signed links that the load has used or was given. */
  readonly secrets: Set<string>;
  /** One round: every tool and way of sending, a failure of each kind, webhooks that are answered and that are not. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

export async function startObservedLoad(stack: LiveStack): Promise<ObservedLoad> {
  const photo = await jpeg();
  const speck = await onePixel();
  const secrets = new Set([sourceSignature, hookToken, wrongKey, stack.file.apiKey, stack.file.adminToken]);
  const source = createServer((request, response) => {
    if (request.url?.startsWith("/photo.jpg")) response.writeHead(200, { "Content-Type": "image/jpeg" }).end(photo);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(source, "listening");
  const sourceUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const answering = await startReceiver();
  const failing = await startReceiver((_request, response) => void response.writeHead(500).end());

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function ask(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<any> {
    const answer = await stack.call(method, path, {
      headers: { "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return text === "" ? undefined : JSON.parse(text);
  }

  async function addWebhook({ url }: Receiver): Promise<void> {
    const { secret } = await ask("POST", "/v1/webhooks", { url: `${url}?token=${hookToken}` });
    secrets.add(secret as string);
  }
  await addWebhook(answering);
  await addWebhook(failing);
  const { key: testKey } = await ask("POST", "/v1/account/keys", { name: "test", live: false });
  secrets.add(testKey as string);

  async function upload(): Promise<string> {
    const session = await ask("POST", "/v1/uploads", {
      contentType: "image/jpeg",
      filename: "mug.jpg",
      sizeBytes: photo.length,
    });
    secrets.add(session.uploadUrl as string);
    await fetch(session.uploadUrl, {
      method: "PUT",
      body: new Uint8Array(photo),
      headers: { "Content-Type": "image/jpeg" },
    });
    return session.uploadSessionId as string;
  }

  async function download({ body }: Awaited<ReturnType<LiveStack["edit"]>>): Promise<void> {
    for (const url of [body.resultUrl, body.thumbnailUrl]) {
      secrets.add(url as string).add(new URL(url).searchParams.get("signature")!);
      await (await stack.call("GET", url)).arrayBuffer();
      // A link that was tampered with.
      await (await stack.call("GET", `${url}x`)).arrayBuffer();
    }
  }

  async function testEdit(words: string): Promise<void> {
    const headers = { Authorization: `Bearer ${testKey as string}`, Prefer: "wait=30" };
    await ask("POST", "/v1/tools/mask/edit", { imageUrl: `${sandboxSourceOrigin}${words}` }, headers);
  }

  return {
    photo,
    secrets,
    async round() {
      await download(await stack.edit("mask", formWith(photo)));
      await download(await stack.edit("ai-shadows", { uploadSessionId: await upload() }));
      await download(await stack.edit("ai-bg", { imageUrl: `${sourceUrl}/photo.jpg?${sourceSignature}` }));
      await stack.edit("mask", { imageUrl: `${sourceUrl}/gone.jpg?${sourceSignature}` });
      await stack.edit("mask", formWith(speck, {}, "image/png"));
      await testEdit("shoe");
      await testEdit("failed/internal_error");
      await ask("GET", "/v1/account", undefined, { Authorization: `Bearer ${wrongKey}` });
    },
    async stop() {
      await Promise.all([answering.close(), failing.close()]);
      source.close();
    },
  };
}
