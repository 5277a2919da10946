/**
 * Schemathesis calls the API by its OpenAPI document, with all checks on. By default it draws the parameters of edits and presets at
 * random, and follows links a few times; SCHEMATHESIS_FULL=1, as `make test-contract` sets it, also tries the bounds of each of these
 * parameters and follows links six times as often: 15,000 requests.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { startApis } from "../../testing/api/api-processes.ts";
import { pythonEnvironment, pythonSetupTimeoutMs } from "../../testing/python-environment.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const release = "schemathesis==4.32.5";
const runTimeoutMs = 900_000;
/** Fixed, so that a failing run fails again. To try another, change it and run this file. */
const seed = "20261121";

const isFull = process.env.SCHEMATHESIS_FULL === "1";

/** The configuration, in full without what it sets "by default". */
function writeConfig(folder: string): string {
  const text = readFileSync(new URL("schemathesis.toml", import.meta.url), "utf8");
  const path = join(folder, "schemathesis.toml");
  writeFileSync(path, isFull ? text.replaceAll(/^.*# by default$/gm, "") : text);
  return path;
}

describe("schemathesis", { tags: ["python"] }, () => {
  // It sends requests with wrong keys, all from one address, and expects 401.
  const apis = suiteFixture(() => startApis({ environment: { PACKSHOT_AUTH_FAILURES_PER_MINUTE: "1000000" } }));
  let program: string;

  beforeAll(async () => {
    program = join(pythonEnvironment("schemathesis", [release]), "schemathesis");
  }, pythonSetupTimeoutMs + 60_000);

  test(
    "finds no 5xx, no undocumented status, no schema violation and nothing else in all its checks",
    async () => {
      const [api] = apis.all;
      const limits = { maxApiKeys: 1_000, maxWebhooks: 1_000, maxConnections: 1_000, rateLimitPerHour: 10_000_000 };
      const { key } = await openAccount(api!, { limits });
      const options = [
        "--checks",
        "all",
        // Two workers would share one interpreter, and Python 3.11 sometimes fails when two threads compile at once.
        "--workers",
        "1",
        "--no-color",
        "--seed",
        seed,
      ];
      const args = [
        "--config-file",
        writeConfig(apis.storageDir),
        "run",
        `${api!.url}/openapi.json`,
        "-H",
        `Authorization: Bearer ${key}`,
      ];
      const { code, output } = await runTool(program, [...args, ...options]);
      const summary = output.slice(output.indexOf("= SUMMARY ="));
      console.info(summary);
      expect(code, output.slice(-20_000)).toBe(0);
      expect(output).not.toContain("Authentication failed");
      expect(api!.logLines.filter((line) => line.includes("internal_error"))).toEqual([]);
    },
    runTimeoutMs,
  );
});

function runTool(program: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
