/**
 * The model server with the protocol's reference clients: every call of tritonclient, and perf_analyzer under load.
 * @module-tag python
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ModelServer, startModelServer } from "@packshot/inference/model-server/model-server.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { protocolFieldNumbers, writeConformanceModels } from "../../testing/models/conformance-models.ts";
import { type PythonTools, pythonTools, runTool } from "./open-inference-python.ts";

describe("Open Inference Protocol, from outside", () => {
  let folder: string;
  let server: ModelServer;
  let tools: PythonTools;

  beforeAll(async () => {
    tools = pythonTools();
    folder = mkdtempSync(join(tmpdir(), "packshot-conformance-"));
    writeConformanceModels(join(folder, "models"));
    writeFileSync(join(folder, "fields.json"), JSON.stringify(protocolFieldNumbers()));
    const logger = createLogger({ name: "test", level: "fatal" });
    const modelDirs = [join(folder, "models")];
    server = await startModelServer({
      host: "127.0.0.1",
      grpcPort: 0,
      httpPort: 0,
      modelDirs,
      threads: 1,
      logger,
      allowsControl: true,
    });
  }, 300_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it("tritonclient: every call, every datatype, every mistake", async () => {
    const script = fileURLToPath(new URL("./open-inference.py", import.meta.url));
    const args = [script, `127.0.0.1:${server.grpcPort}`, join(folder, "models"), join(folder, "fields.json")];
    const { code, output } = await runTool(tools.python, args, tools.env);
    expect(output).toMatch(/\d+ checks passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it.each([
    ["unary", "simple", []],
    ["streaming", "simple", ["--streaming"]],
    ["unary, images in batches of 4", "segmenter", ["-b", "4"]],
    ["streaming, images", "segmenter", ["--streaming"]],
  ])("perf_analyzer: %s at concurrency 1 and 16 ends without an error", async (_, model, extra) => {
    const windows = [
      "--measurement-mode",
      "count_windows",
      "--measurement-request-count",
      "50",
      "--max-trials",
      "10",
      "-s",
      "10000",
    ];
    const load = ["--concurrency-range", "1:16:15", ...(extra.includes("--streaming") ? ["--async"] : [])];
    const args = ["-m", model, "-u", `127.0.0.1:${server.grpcPort}`, "-i", "grpc", ...windows, ...load, ...extra];
    const { code, output } = await runTool(tools.perfAnalyzer, args, tools.env);
    expect(output).not.toMatch(/error|fail/i);
    const measured = [...output.matchAll(/^Concurrency: (\d+), throughput: ([\d.]+) infer\/sec/gm)];
    expect(measured.map(([, concurrency]) => concurrency)).toEqual(["1", "16"]);
    expect(measured.every(([, , rate]) => Number(rate) > 0)).toBe(true);
    expect(code).toBe(0);
  });
});

// In this file, because the tools are set up once: two files at once would meet.
describe("the model repository, as Triton reads its configurations", () => {
  const repository = fileURLToPath(new URL("../../models", import.meta.url));
  const script = fileURLToPath(new URL("./triton-repository.py", import.meta.url));

  it("is taken by Triton's own message, and keeps its rules", async () => {
    const { python, env } = pythonTools();
    const { code, output } = await runTool(python, [script, repository], env);
    expect(output).toBe(`${readdirSync(repository).length} models, 0 faults\n`);
    expect(code).toBe(0);
  });

  it("is refused where a configuration breaks one of these rules", async () => {
    const { python, env } = pythonTools();
    const folder = mkdtempSync(join(tmpdir(), "packshot-triton-"));
    const text = readFileSync(join(repository, "u2netp", "config.pbtxt"), "utf8");
    const broken = { "too-large": text.replace("16 ]", "32 ]"), "other-name": text };
    for (const [name, config] of Object.entries(broken)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "config.pbtxt"), config);
    }
    const { code, output } = await runTool(python, [script, folder], env);
    expect(output).toContain("u2netp: its name is not its folder's");
    expect(output).toContain("u2netp: preferred_batch_size");
    expect(code).toBe(1);
    rmSync(folder, { recursive: true });
  });
});
