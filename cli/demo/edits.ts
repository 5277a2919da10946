/** The demo's edits, one after the other, each printed with its timing as a client sees it. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extensionOf } from "@packshot/domain/file-extension.ts";
import { CommandError } from "../command-line/command.ts";
import { rewriteLine } from "../command-line/print.ts";
import { untilGenerative } from "./image-model.ts";
import type { Photo, PhotoServer } from "./photo.ts";
import type { JobView, NewWebhook, PublicClient, SceneReport } from "./public-client.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";

const eventTimeoutMs = 300_000;
/** Marks the webhooks of earlier demos, which are removed. */
const webhookDescription = "make demo";

export interface DemoContext {
  readonly client: PublicClient;
  readonly photo: Photo;
  readonly photoServer: PhotoServer;
  readonly receiver: WebhookReceiver;
  readonly theme: string;
  /** About the image model that paints the scene once more; undefined: the renderer makes the only one. */
  readonly imageModel: string | undefined;
  readonly outputDir: string;
  readonly say: (line: string) => void;
}

/** Progress on one line of a terminal; a plain log gets the finished line only. */
function step(say: DemoContext["say"], title: string): (outcome: string) => void {
  const startedAtMs = performance.now();
  const isTerminal = process.stdout.isTTY;
  const seconds = () => ((performance.now() - startedAtMs) / 1000).toFixed(1);
  const show = () => rewriteLine(`  ${title} … ${seconds()} s`);
  const timer = isTerminal ? setInterval(show, 200) : undefined;
  return (outcome) => {
    clearInterval(timer);
    if (isTerminal) rewriteLine("");
    say(`  ${title.padEnd(38)} ${seconds().padStart(5)} s  ${outcome}`);
  };
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

async function save(context: DemoContext, name: string, url: string): Promise<string> {
  const { bytes, contentType } = await context.client.download(url);
  const path = join(context.outputDir, `${name}.${extensionOf(contentType)}`);
  writeFileSync(path, bytes);
  return `${path} (${size(bytes.length)})`;
}

interface DemoEdit {
  readonly title: string;
  /** Name of its files in the output folder, without the extension. */
  readonly name: string;
  submit(): Promise<{ id: string }>;
}

/** Submits, waits for the signed event that ends the job, and fetches result and thumbnail by their links. */
async function runEdit(context: DemoContext, { title, name, submit }: DemoEdit): Promise<boolean> {
  const done = step(context.say, title);
  const sentAtMs = performance.now();
  const { id } = await submit();
  const acceptedMs = Math.round(performance.now() - sentAtMs);
  const event = await context.receiver.eventOf(id, eventTimeoutMs).catch((error: Error) => {
    throw new CommandError(`${error.message}; see the logs.`);
  });
  const job = await context.client.get<JobView>(`/v1/jobs/${id}`);
  if (event.event !== "job.completed" || job.resultUrl === null || job.thumbnailUrl === null) {
    done(`${event.event}: ${job.error?.code ?? job.status}: ${job.error?.message ?? ""}`);
    return false;
  }
  const result = await save(context, name, job.resultUrl);
  await save(context, `${name}-thumbnail`, job.thumbnailUrl);
  const scene = job.report?.scene;
  const painted = scene?.imageModel ? `, ${paintedBy(scene)}` : "";
  done(`accepted in ${acceptedMs} ms, ${event.event} verified${painted} → ${result}`);
  return true;
}

function paintedBy({ engine, imageModel, steps, redraws }: SceneReport): string {
  if (engine === "renderer") return `by the renderer, for what ${imageModel} painted was rejected`;
  return `painted by ${imageModel} in ${steps} steps, ${redraws} redraws`;
}

async function registerWebhook({ client, receiver, say }: DemoContext): Promise<string> {
  const done = step(say, "register a webhook");
  const { data } = await client.get<{ data: { id: string; description: string }[] }>("/v1/webhooks");
  for (const old of data.filter(({ description }) => description === webhookDescription))
    await client.remove(`/v1/webhooks/${old.id}`);
  const { id, secret } = await client.post<NewWebhook>("/v1/webhooks", {
    url: receiver.url,
    description: webhookDescription,
  });
  receiver.useSecret(secret);
  done(`events go to ${receiver.url}, signed`);
  return id;
}

async function upload({ client, photo, say }: DemoContext): Promise<string> {
  const done = step(say, "upload session, then PUT of the photo");
  const session = await client.post<{ uploadUrl: string; uploadSessionId: string }>("/v1/uploads", {
    contentType: photo.contentType,
    filename: photo.name,
    sizeBytes: photo.bytes.length,
  });
  await client.put(session.uploadUrl, photo.contentType, photo.bytes);
  done(`${size(photo.bytes.length)}, kept for several edits`);
  return session.uploadSessionId;
}

function formOf(photo: Photo, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("image", new Blob([new Uint8Array(photo.bytes)], { type: photo.contentType }), photo.name);
  return form;
}

async function findImageModel({ client, say }: DemoContext, about: string): Promise<void> {
  const done = step(say, "find the image model");
  await untilGenerative(client);
  done(about);
}

function generativeScene({ client, photo, theme }: DemoContext): DemoEdit {
  const form = formOf(photo, { theme, seed: "7", engine: "generative" });
  return {
    title: "ai-bg, by the image model",
    name: "ai-bg-generative",
    submit: () => client.post("/v1/tools/ai-bg/edit", form),
  };
}

/** Runs all three tools, with every way to send a photo. Resolves with the number of edits that failed. */
export async function runEdits(context: DemoContext): Promise<number> {
  const { client, photo, photoServer, theme } = context;
  mkdirSync(context.outputDir, { recursive: true });
  const webhookId = await registerWebhook(context);
  const uploadSessionId = await upload(context);
  if (context.imageModel !== undefined) await findImageModel(context, context.imageModel);
  const edits: readonly DemoEdit[] = [
    {
      title: "mask, by upload session",
      name: "mask",
      submit: () => client.post("/v1/tools/mask/edit", { uploadSessionId }),
    },
    {
      title: "ai-shadows, by the same session",
      name: "ai-shadows",
      submit: () => client.post("/v1/tools/ai-shadows/edit", { uploadSessionId, parameters: { seed: 7 } }),
    },
    {
      title: "ai-bg, by multipart",
      name: "ai-bg",
      submit: () => client.post("/v1/tools/ai-bg/edit", formOf(photo, { theme, seed: "7" })),
    },
    ...(context.imageModel === undefined ? [] : [generativeScene(context)]),
    {
      title: "mask, by imageUrl",
      name: "mask-by-url",
      submit: () =>
        client.post("/v1/tools/mask/edit", { imageUrl: photoServer.url, parameters: { output: { format: "webp" } } }),
    },
  ];
  let failed = 0;
  for (const edit of edits) if (!(await runEdit(context, edit))) failed += 1;
  // The receiver ends with the demo; later deliveries to it would only fail.
  await client.remove(`/v1/webhooks/${webhookId}`);
  return failed;
}
