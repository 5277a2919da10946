/**
 * The process of a decoder as a photo may leave it that has taken it over: the photo's bytes are what it tries, and its refusal
 * of the photo says what came of it, `done` or an error's code.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { connect, createServer } from "node:net";
import { createInterface } from "node:readline";

const held: Buffer[] = [];
const shared = 3;

function took(error: Error | undefined): string {
  if (error === undefined) return "done";
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

const ofThread = { stdio: "ignore" } as const;

const tries: Readonly<Record<string, (argument: string) => unknown>> = {
  read: (path) => readFileSync(path),
  "parent's environment": () => readFileSync(`/proc/${process.ppid}/environ`),
  write: (path) => writeFileSync(path, "x"),
  connect: async (port) => await once(connect(Number(port), "127.0.0.1"), "connect"),
  listen: async () => await once(createServer().listen(0, "127.0.0.1"), "listening"),
  fork: () => {
    const { error } = spawnSync("/bin/true", ofThread);
    if (error !== undefined) throw error;
  },
  // Where it succeeds, the shell answers in the place of this process.
  execute: () => {
    const answer = '{"kind":"refused","code":"unsupported_media_type","message":"done"}';
    process.execve!("/bin/sh", ["sh", "-c", `echo '${answer}'; read _`], {});
  },
  signal: () => process.kill(process.ppid, 0),
  environment: () => {
    throw new Error(Object.keys(process.env).sort().join());
  },
  "compiled modules": () => {
    throw new Error(getCompileCacheDir() ?? "none");
  },
  crash: () => process.abort(),
  // As the kernel does it when memory is short. In the cage it is refused.
  "be killed": () => process.kill(process.pid, "SIGKILL"),
  hang: () => new Promise(() => {}),
  "take memory": () => {
    try {
      for (;;) held.push(Buffer.alloc(1 << 24, 1));
    } catch {
      process.stdout.write('{"kind":"out-of-memory"}\n');
    }
  },
  say: (line) => process.stdout.write(`${line}\n`),
};

async function attempt(what: string): Promise<string> {
  const [name, argument = ""] = what.split(": ");
  try {
    await tries[name!]!(argument);
    return "done";
  } catch (error) {
    return took(error as Error);
  }
}

async function answer(line: string): Promise<void> {
  const { bytes } = JSON.parse(line) as { bytes: number };
  const file = Buffer.alloc(bytes);
  readSync(shared, file, 0, bytes, 0);
  const what = file.toString();
  const message = await attempt(what);
  if (!what.startsWith("say: ") && what !== "take memory")
    process.stdout.write(`${JSON.stringify({ kind: "refused", code: "unsupported_media_type", message })}\n`);
}

createInterface({ input: process.stdin }).on("line", (line) => void answer(line));
process.stdin.on("close", () => process.exit());
process.stdout.write("ready\n");
