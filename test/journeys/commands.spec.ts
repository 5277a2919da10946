/**
 * Runs the commands of README.md and docs/ as they are there, against one stack: what a reader pastes must work. A block of code
 * whose fence says `run` is run, those of a document in their order and in one shell; what it says is `drill` is run by
 * disaster-drill.spec.ts; any other is named below, with the reason.
 */

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { trackedFiles } from "../house-rules/source-tree.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const exec = promisify(execFile);
const isProgram = /^(sh|bash|console|js|ts|python)\b/;

/** By document and first line. */
const notRun: Readonly<Record<string, string>> = {
  "README.md: make demo": "demo.spec.ts runs what it starts",
  "README.md: bin/packshot edit": "the photos are the reader's; the edits of docs/cli.md are the same",
  "README.md: make demo PHOTO=my.jpg": "demo.spec.ts runs what it starts",
  "README.md: npm run -s packshot -- up": "demo.spec.ts runs it",
  "README.md: const packshot = new Packshot(": "packages/sdk/examples.spec.ts runs the SDK's examples",
  "docs/deploy.md: npm run -s packshot -- accounts create": "operate.spec.ts runs them",
  "docs/quickstart.md: make up": "demo.spec.ts runs what it starts",
  "docs/cli.md: packshot batches create rows.csv":
    "the rows are the reader's; docs/guides/batches.md makes a file and runs it",
  "docs/cli.md: packshot webhooks listen": "runs until it is stopped; the spec of that command runs it",
  "docs/operations.md: make up": "observe.spec.ts runs them",
  "docs/operations.md: npm run -s packshot -- nats keys": "secured-cluster.spec.ts runs them",
  "docs/removebg.md: import removebg.removebg as client": "removebg.spec.ts runs it with that package",
  "docs/webhooks.md: import { Webhook }": "demo.spec.ts verifies events by that package",
  "docs/webhooks.md: export AWS_ACCESS_KEY_ID": "the queue is the reader's; webhooks-queues.spec.ts sends to one",
  "docs/guides/connectors.md: export AWS_ACCESS_KEY_ID": "the bucket is the reader's; cli/sync.spec.ts syncs one",
  "docs/guides/connectors.md: export SHOPIFY_ACCESS_TOKEN":
    "the shop is the reader's; cli/sync/shops.spec.ts syncs one",
  "docs/guides/connectors.md: export WORDPRESS_USERNAME": "the shop is the reader's; cli/sync/shops.spec.ts syncs one",
  'docs/guides/scenes.md: curl -sS "$PACKSHOT_URL/v1/tools/ai-bg/edit"':
    "needs an image model; generative.spec.ts paints by a stand-in for one",
  "docs/guides/review.md: packshot review mend": "the matte is the reader's; the spec of that command mends one",
  "docs/guides/models.md: npm run -s packshot -- models pull birefnet": "downloads weights from outside",
  "docs/guides/models.md: npm run -s packshot -- models pull --manifest":
    "the manifest is the reader's; image-models.spec.ts pulls by one",
};

interface Block {
  readonly document: string;
  readonly language: string;
  readonly isRun: boolean;
  readonly isDrill: boolean;
  readonly text: string;
}

const documents = trackedFiles().filter((path) => /^(README\.md|docs\/(?!adr\/).*\.md)$/.test(path));
const blocks: readonly Block[] = documents.flatMap((document) => {
  const fences = readFileSync(join(root, document), "utf8").matchAll(/^```(\w*)([^\n]*)\n(.*?)^```$/gms);
  return [...fences].map(([, language, words, text]) => {
    const isDrill = document === "docs/operations.md" && /\bdrill\b/.test(words!);
    return { document, language: language!, isRun: /\brun\b/.test(words!), isDrill, text: text! };
  });
});

/** What a clone whose stack runs has at its root. */
const given = new Set([...trackedFiles().map((path) => path.split("/")[0]!), "node_modules", ".tools", "data"]);
let stack: LiveStack;
let folder: string;

const samples = "cli/demo/sample";
/** Half of the samples' width: sixty edits take half the time, and only the sizes in pixels depend on it. */
const sampleWidth = 500;

/** Links to all that `path` of the repository holds, but a folder of its own where a sample photo lies below. */
async function linkBelow(path: string): Promise<void> {
  mkdirSync(join(folder, path), { recursive: true });
  for (const entry of readdirSync(join(root, path))) {
    const inside = join(path, entry);
    if (path === samples) await sharp(join(root, inside)).resize(sampleWidth).toFile(join(folder, inside));
    else if (samples.startsWith(inside)) await linkBelow(inside);
    else symlinkSync(join(root, inside), join(folder, inside));
  }
}

beforeAll(async () => {
  stack = await startLiveStack();
  // The folder looks like the repository's root with a stack in data/.
  folder = mkdtempSync(join(tmpdir(), "packshot-commands-"));
  for (const entry of given)
    if (entry !== "cli" && entry !== "data") symlinkSync(join(root, entry), join(folder, entry));
  await linkBelow("cli");
  symlinkSync(stack.dataDir, join(folder, "data"));
});

afterAll(async () => {
  await stack?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Resolves with what the blocks of a document print. */
async function runBlocks(document: string): Promise<string> {
  const script = blocks.filter((block) => block.document === document && block.isRun).map(({ text }) => text);
  const { stdout } = await exec("bash", ["-euo", "pipefail", "-c", script.join("\n")], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      PACKSHOT_URL: stack.file.apiUrl,
      PACKSHOT_KEY: stack.file.apiKey,
    },
  });
  return stdout;
}

test("every block of a program is run, or is named here with the reason why not", () => {
  const left = blocks.filter(({ language, isRun, isDrill }) => isProgram.test(language) && !isRun && !isDrill);
  const keys = Object.keys(notRun).sort((a, b) => b.length - a.length);
  const keyOf = ({ document, text }: Block) => keys.find((key) => `${document}: ${text}`.startsWith(key));
  expect(
    left.filter((block) => keyOf(block) === undefined).map(({ document, text }) => `${document}: ${text}`),
  ).toEqual([]);
  const used = new Set(left.map(keyOf));
  expect(keys.filter((key) => !used.has(key))).toEqual([]);
});

const runTimeoutMs = 300_000;

test(
  "README.md: the walkthrough of the API does what it says",
  async () => {
    const said = await runBlocks("README.md");
    expect(said).toContain(stack.file.accountId);
    expect(said).toContain('"code":"invalid_request"');
    const { width, height } = await sharp(join(folder, samples, "mug.jpg")).metadata();
    const cutOut = await sharp(join(folder, "cut-out.png")).metadata();
    expect(cutOut).toMatchObject({ format: "png", hasAlpha: true, width });
    expect(await sharp(join(folder, "scene.jpg")).metadata()).toMatchObject({ format: "jpeg", width, height });
  },
  runTimeoutMs,
);

const others = [...new Set(blocks.filter(({ isRun }) => isRun).map(({ document }) => document))];

test.each(others.filter((document) => document !== "README.md"))(
  "%s: its commands run",
  async (document) => {
    await expect(runBlocks(document)).resolves.toBeTypeOf("string");
  },
  runTimeoutMs,
);

test("git ignores what the commands have written: a reader runs them in a clone", async () => {
  const written = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !given.has(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  // It fails where it ignores none, and prints none.
  const ignoring = exec("git", ["check-ignore", ...written], { cwd: root });
  const { stdout } = await ignoring.catch((error: { stdout: string }) => error);
  const ignored = stdout.split("\n");
  expect(written.filter((path) => !ignored.includes(path))).toEqual([]);
});
