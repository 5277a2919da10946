/** `make demo`: starts the whole stack on this machine and edits a photo as a client would. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError, readArguments, runAsProcess, stopSignal, untilAborted } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { printText } from "./command-line/print.ts";
import { runEdits } from "./demo/edits.ts";
import { modelFolderOf, prepareImageModel } from "./demo/image-model.ts";
import { readPhoto, startPhotoServer } from "./demo/photo.ts";
import { createPublicClient } from "./demo/public-client.ts";
import { startWebhookReceiver } from "./demo/webhook-receiver.ts";
import { startStack } from "./up/stack.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const samplePhoto = fileURLToPath(new URL("demo/sample/mug.jpg", import.meta.url));
const portWanted = 8080;

const help = `make demo: start everything and edit a photo with all three tools.

  PHOTO=path      your own photo (JPEG, PNG, WebP, AVIF, TIFF or GIF)
  THEME="words"   the scene of ai-bg (default: "oak table, morning light")
  ENGINE=generative  one more scene, by the image model that PACKSHOT_IMAGE_MODEL
                  names, or by a stand-in that paints no picture of its own
  DEMO_EXIT=1     stop after the edits; otherwise the stack stays up until Ctrl-C

Results are written to demo-output/; the data folder is .packshot/demo.`;

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, "127.0.0.1");
    await once(probe, "listening");
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

function checkWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new CommandError(`the folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Where there is a desktop. Whoever has none, or no such program, has the address. */
function openInBrowser(url: string): void {
  const opener = spawn(process.platform === "darwin" ? "open" : "xdg-open", [url], { stdio: "ignore", detached: true });
  opener.on("error", () => {});
  opener.unref();
}

interface Places {
  readonly dataDir: string;
  readonly outputDir: string;
  readonly logs: string;
  readonly apiUrl: string;
  readonly say: (line: string) => void;
}

function sayWhere({ dataDir, outputDir, logs, apiUrl, say }: Places): void {
  say(`\nResults        ${outputDir}`);
  say(
    "Weights        packshot-mask, bundled: our own, trained on renders and our cut-outs. For stronger ones, which edits",
  );
  say("               name by their parameter model, pull them and start the demo again:");
  say(
    `               npm run -s packshot -- models pull birefnet-general-lite --model-dir ${modelFolderOf(dataDir, environment)}`,
  );
  say(`Logs           ${logs}`);
  say(`API            ${apiUrl}/v1, documentation at ${apiUrl}/docs`);
}

const flags = {
  photo: { type: "string", default: samplePhoto },
  theme: { type: "string", default: "oak table, morning light" },
  engine: { type: "string", default: "renderer" },
  exit: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  output: { type: "string", default: join(root, "demo-output") },
  "data-dir": { type: "string", default: join(root, ".packshot", "demo") },
} as const;

async function demo(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, flags, 0);
  const say = (line: string) => printText(`${line}\n`);
  if (values.help) {
    say(help);
    return 0;
  }
  const imageModel = await prepareImageModel(values.engine, values["data-dir"], environment);
  const outputDir = resolve(values.output);
  checkWritable(outputDir);
  const photo = await readPhoto(values.photo);
  const signal = stopSignal();
  const photoServer = await startPhotoServer(photo);
  const receiver = await startWebhookReceiver();
  const port = (await isFree(portWanted)) ? portWanted : 0;
  if (port === 0) say(`port ${portWanted} is in use; the demo uses a free one instead.`);

  say("Starting the stack");
  const stack = await startStack({
    dataDir: values["data-dir"],
    port,
    workers: 1,
    allowSources: [photoServer.hostAndPort],
    environment: { ...environment, ...imageModel?.settings },
    say: (line) => say(`  ${line}`),
    signal,
  });
  const { apiUrl, apiKey, logs } = stack.file;
  try {
    say(`\nEditing ${photo.path} (${photo.header.width} × ${photo.header.height})`);
    const client = createPublicClient({ apiUrl, apiKey });
    const edits = runEdits({
      client,
      photo,
      photoServer,
      receiver,
      theme: values.theme,
      imageModel: imageModel?.about,
      outputDir,
      say,
    });
    const failed = await Promise.race([edits, untilAborted(signal)]);
    if (failed === undefined) return 130;
    sayWhere({ dataDir: values["data-dir"], outputDir, logs, apiUrl, say });
    if (!values.exit && !signal.aborted) {
      // The key stands apart: an address with a key in it would be kept by browsers and proxies.
      say(`\nConsole        ${apiUrl}   drop photos of your own there`);
      say(`API key        ${apiKey}`);
      say("\nThe stack stays up; Ctrl-C stops it.");
      if (environment.DISPLAY || environment.WAYLAND_DISPLAY || process.platform === "darwin") openInBrowser(apiUrl);
      await untilAborted(signal);
    }
    if (failed > 0) say(`\n${failed} of the edits failed; see above.`);
    return failed > 0 ? 1 : 0;
  } finally {
    say("stopping …");
    receiver.close();
    photoServer.close();
    await stack.stop();
  }
}

runAsProcess("demo", demo);
