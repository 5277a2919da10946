/** The model server with the protocol's reference clients: every call of tritonclient, and perf_analyzer under load. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer, type ModelServer } from "@packshot/inference/model-server/model-server.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import protobuf from "protobufjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeConformanceModels } from "../../testing/models/conformance-models.ts";
import { pythonTools, type PythonTools, runTool } from "./open-inference-python.ts";

const protoFile = fileURLToPath(new URL("../../proto/open_inference.proto", import.meta.url));

describe("Open Inference Protocol, from outside", () => {
  let folder: string;
  let server: ModelServer;
  let tools: PythonTools;

  beforeAll(async () => {
    tools = pythonTools();
    folder = mkdtempSync(join(tmpdir(), "packshot-conformance-"));
    writeConformanceModels(join(folder, "models"));
    writeFileSync(join(folder, "fields.json"), JSON.stringify(fieldNumbers()));
    const logger = createLogger({ name: "test", level: "fatal" });
    const modelDirs = [join(folder, "models")];
    server = await startModelServer({
      ...{ host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs, threads: 1, logger },
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
    ["unary", "simple", "1:16:5", []],
    ["streaming", "simple", "1:16:5", ["--streaming"]],
    ["unary, images in batches of 4", "segmenter", "1:16:15", ["-b", "4"]],
    ["streaming, images", "segmenter", "1:16:15", ["--streaming"]],
  ])("perf_analyzer: %s at concurrency 1–16 ends without an error", async (_, model, range, extra) => {
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
    const load = ["--concurrency-range", range, ...(extra.includes("--streaming") ? ["--async"] : [])];
    const args = ["-m", model, "-u", `127.0.0.1:${server.grpcPort}`, "-i", "grpc", ...windows, ...load, ...extra];
    const { code, output } = await runTool(tools.perfAnalyzer, args, tools.env);
    expect(output).not.toMatch(/error|fail/i);
    const measured = [...output.matchAll(/^Concurrency: (\d+), throughput: ([\d.]+) infer\/sec/gm)];
    expect(measured.map(([, concurrency]) => concurrency)).toEqual(
      range === "1:16:5" ? ["1", "6", "11", "16"] : ["1", "16"],
    );
    expect(measured.every(([, , rate]) => Number(rate) > 0)).toBe(true);
    expect(code).toBe(0);
  });
});

/** Our proto's fields as {message: {field: number}}, to be compared with the descriptors of tritonclient. */
function fieldNumbers(): Record<string, Record<string, number>> {
  const root = new protobuf.Root().loadSync(protoFile, { keepCase: true });
  const found: Record<string, Record<string, number>> = {};
  const visit = (namespace: protobuf.NamespaceBase): void => {
    for (const each of namespace.nestedArray) {
      if (each instanceof protobuf.Type) {
        const name = each.fullName.replace(/^\./, "");
        found[name] = Object.fromEntries(each.fieldsArray.map((field) => [field.name, field.id]));
      }
      if (each instanceof protobuf.Enum) found[each.fullName.replace(/^\./, "")] = { ...each.values };
      if (each instanceof protobuf.Namespace) visit(each);
    }
  };
  visit(root);
  return found;
}
