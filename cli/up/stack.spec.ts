/** @module-tag long */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { checkTarget, parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeMains } from "../../testing/stack/fake-stack.ts";
import type { StackFile } from "../operator/stack-file.ts";
import { findNatsServer } from "./nats-server.ts";
import { type Stack, type StackOptions, startStack } from "./stack.ts";

let dataDir: string;
let stacks: Stack[] = [];
let said: string[] = [];
let onSaid: (line: string) => void = () => {};

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "packshot-up-"));
  said = [];
});

afterEach(async () => {
  await Promise.all(stacks.map((stack) => stack.stop()));
  stacks = [];
  rmSync(dataDir, { recursive: true, force: true });
});

function until(pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    onSaid = (line) => pattern.test(line) && resolve(line);
    const earlier = said.find((line) => pattern.test(line));
    if (earlier !== undefined) resolve(earlier);
  });
}

async function start(
  fates: Record<string, string> = {},
  port = 0,
  set: Record<string, string> = {},
  options: Partial<StackOptions> = {},
): Promise<Stack> {
  const stack = await startStack({
    dataDir,
    port,
    workers: 2,
    allowSources: [],
    environment: { ...process.env, PACKSHOT_NATS_SERVER: findNatsServer(process.env), ...set },
    say: (line) => {
      said.push(line);
      onSaid(line);
    },
    signal: new AbortController().signal,
    mains: fakeMains(fates),
    ...options,
  });
  stacks.push(stack);
  return stack;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("a stack", () => {
  test("writes its addresses to a stack.json that only the owner may read, and removes it when it stops", async () => {
    const stack = await start();
    const path = join(dataDir, "stack.json");
    const file = JSON.parse(readFileSync(path, "utf8"));
    expect(file).toEqual(stack.file);
    expect(file.apiUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(file.modelServer).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(Object.keys(file.metrics).sort()).toEqual(["api", "modelServer", "webhooks", "worker", "worker-2"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
    await stack.stop();
    expect(() => statSync(path)).toThrow("ENOENT");
  });

  test("stops its workers together: each may have to finish an edit", async () => {
    const stack = await start({ worker: "stops-with-another" });
    await stack.stop();
    const stops = readdirSync(join(dataDir, "storage", "stops"));
    expect(stops.filter((name) => name.endsWith(".drained"))).toHaveLength(2);
  });

  test("gives each service the secrets that it needs, and none to those that open images", async () => {
    const { file } = await start();
    const secretsOf = async (process: string) => {
      const answer = await fetch(new URL("/secrets", file.metrics[process]));
      return ((await answer.json()) as string[]).sort();
    };
    expect(await secretsOf("api")).toEqual(["PACKSHOT_ADMIN_TOKEN", "PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY"]);
    expect(await secretsOf("webhooks")).toEqual(["PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY"]);
    for (const process of ["worker", "worker-2", "modelServer"]) expect(await secretsOf(process)).toEqual([]);
  });

  test("webhooks reach receivers of this machine, but not its services, and none once others reach the API", async () => {
    const refusal = (list: string, name: string, port: number) => {
      try {
        checkTarget(`http://${name}:${port}/`, { allow: parseAllowList(list), purpose: "webhook" });
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    const both = "127.0.0.1:*,localhost:*";
    const cases = [
      { set: {} as Record<string, string>, open: [3_000, 41_234], closed: [22, 80] },
      { set: { PACKSHOT_API_HOST: "0.0.0.0" }, open: [], closed: [22, 3_000] },
      { set: { PACKSHOT_API_HOST: "0.0.0.0", PACKSHOT_ALLOW_WEBHOOKS: both }, open: [22, 3_000], closed: [] },
    ];
    for (const { set, open, closed } of cases) {
      const stack = await start({}, 0, set);
      for (const service of [stack.file.apiUrl, stack.file.metrics.webhooks!]) {
        const list = (await (await fetch(new URL("/allowed-webhooks", service))).json()) as string;
        for (const name of ["127.0.0.1", "localhost"]) {
          for (const port of open) expect(refusal(list, name, port), `${list} ${name} ${port}`).toBeUndefined();
          for (const port of [...closed, Number(new URL(stack.file.natsUrl).port)])
            expect(refusal(list, name, port), `${list} ${name} ${port}`).toBeDefined();
        }
      }
      await stack.stop();
    }
  });

  test("starts again with the same key and secrets", async () => {
    const first = await start();
    const secrets = readFileSync(join(dataDir, "secrets.json"), "utf8");
    await first.stop();
    const second = await start();
    expect(second.file.apiKey).toBe(first.file.apiKey);
    expect(readFileSync(join(dataDir, "secrets.json"), "utf8")).toBe(secrets);
  });

  test("starts on a log whose keys are lost only when it is told to make others", async () => {
    await (await start()).stop();
    rmSync(join(dataDir, "secrets.json"));
    await expect(start()).rejects.toThrow("secrets.json is missing");
    expect(existsSync(join(dataDir, "secrets.json"))).toBe(false);
    await start({}, 0, {}, { newKeys: true });
    expect(existsSync(join(dataDir, "secrets.json"))).toBe(true);
  });

  test("starts a crashed service again on its old address", async () => {
    const stack = await start();
    const pidOf = () => fetch(`${stack.file.apiUrl}/pid`).then((answer) => answer.json());
    const before = await pidOf();
    await fetch(`${stack.file.apiUrl}/crash`).catch(() => {});
    expect(await until(/^api ended/)).toContain("starting it again in 1 s");
    await until(/^api is back/);
    expect(await pidOf()).not.toEqual(before);
  });

  test("fails with one sentence, and leaves nothing running, when a service cannot start", async () => {
    await expect(start({ webhooks: "fail" })).rejects.toThrow("webhooks could not start: the disk is full.");
    const left = execFileSync("ps", ["-A", "-o", "command="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(dataDir));
    expect(left).toEqual([]);
  });

  // Runs where the system has a device that is always full.
  test.runIf(existsSync("/dev/full"))("keeps every service up when its logs cannot be written any more", async () => {
    mkdirSync(join(dataDir, "logs"));
    for (const name of ["nats-server", "api", "webhooks", "worker", "worker-2", "model-server"]) {
      symlinkSync("/dev/full", join(dataDir, "logs", `${name}.log`));
    }
    const stack = await start();
    await fetch(`${stack.file.apiUrl}/crash`).catch(() => {});
    await until(/^api is back/);
    expect((await fetch(`${stack.file.apiUrl}/pid`)).status).toBe(200);
  });

  test.runIf(existsSync("/proc/self"))("says at once that a data folder cannot be created", async () => {
    const launcher = spawn(process.execPath, ["cli/packshot.ts", "up", "--data-dir", "/proc/packshot", "--port", "0"]);
    let told = "";
    launcher.stderr.on("data", (text) => {
      told += text;
    });
    const [status] = await once(launcher, "close");
    expect([status, told]).toEqual([1, expect.stringMatching(/data folder \/proc\/packshot cannot be written: .+/)]);
  });

  test("says what to do about a storage that cannot be written, and starts nothing", async () => {
    const file = join(dataDir, "file");
    writeFileSync(file, "");
    const dir = join(file, "storage");
    await expect(start({}, 0, { PACKSHOT_STORAGE_DIR: dir })).rejects.toThrow(
      `the folder of the storage, ${dir}, cannot be written: a part of its path is a file. Set PACKSHOT_STORAGE_DIR to another.`,
    );
    expect([existsSync(join(dataDir, "nats")), said]).toEqual([false, []]);
  });

  test("says how to get a default model that is not installed, and starts nothing", async () => {
    const refused = start({}, 0, { PACKSHOT_DEFAULT_MODEL: "u2net", PACKSHOT_MODEL_DIR: "" });
    await expect(refused).rejects.toThrow(
      /PACKSHOT_DEFAULT_MODEL names u2net, which has no weights here: packshot models pull u2net, or .*packshot-mask/,
    );
    expect(said).toEqual([]);
    // As `models pull` leaves it.
    mkdirSync(join(dataDir, "models", "u2net", "1"), { recursive: true });
    writeFileSync(join(dataDir, "models", "u2net", "1", "model.onnx"), "");
    await start({}, 0, { PACKSHOT_DEFAULT_MODEL: "u2net", PACKSHOT_MODEL_DIR: "" });
  });

  test("says which port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    await expect(start({}, port)).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use: stop what uses it, or choose another with --port.`,
    );
    other.close();
  });

  test("refuses a data folder that another stack uses, and takes over one whose stack has died", async () => {
    const other = spawn("sleep", ["600"]);
    const command = execFileSync("ps", ["-p", String(other.pid), "-o", "command="], { encoding: "utf8" }).trim();
    writeFileSync(join(dataDir, "up.pid"), JSON.stringify({ pid: other.pid, command }));
    await expect(start()).rejects.toThrow(`is in use by the stack of process ${other.pid}`);
    other.kill("SIGKILL");
    await once(other, "exit");
    await start();
  });

  test("ends every process when the launcher is killed, and starts again on the same data", async () => {
    const launcher = spawn(process.execPath, ["testing/stack/launch-fake-stack.ts", dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface(launcher.stdout), "line")) as [string];
    const { file, natsPid } = JSON.parse(line) as { file: StackFile; natsPid: number };
    launcher.kill("SIGKILL");
    const answers = () =>
      Promise.all(
        [file.apiUrl, ...Object.values(file.metrics)].map((url) =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        ),
      );
    await expect.poll(async () => (await answers()).some(Boolean) || isAlive(natsPid)).toBe(false);
    const again = await start();
    expect(again.file.apiKey).toBe(file.apiKey);
  });
});
