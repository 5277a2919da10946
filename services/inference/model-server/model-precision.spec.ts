import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { tinyModelSide as side, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { choosePrecision, hasFastInt8, type Int8Use } from "./model-precision.ts";
import { startModelServer } from "./model-server.ts";

const core = (line: string) => `processor\t: 0\n${line}\nbogomips\t: 5800.00\n\n`;
const here = { onGpu: false, halfOnGpu: true, hasInt8File: true, int8: "on" } as const;

describe("hasFastInt8", () => {
  it.each([
    ["Ice Lake", core("flags\t\t: fpu sse avx avx2 avx512f avx512_vnni").repeat(2), true],
    ["Haswell", core("flags\t\t: fpu sse avx avx2"), true],
    ["Graviton 2", core("Features\t: fp asimd asimdrdm asimddp"), true],
    ["Sandy Bridge", core("flags\t\t: fpu sse avx"), false],
    ["Cortex-A72", core("Features\t: fp asimd crc32"), false],
    ["one core of two", core("flags\t\t: avx avx2") + core("flags\t\t: avx"), false],
    ["an unknown system", "", false],
  ])("%s", (_name, cpuInfo, expected) => {
    expect(hasFastInt8(cpuInfo)).toBe(expected);
  });
});

describe("choosePrecision", () => {
  it("keeps int8 weights for CPUs, and half precision for GPUs that config.pbtxt names", () => {
    expect(choosePrecision(here)).toBe("int8");
    expect(choosePrecision({ ...here, onGpu: true })).toBe("fp16");
    expect(choosePrecision({ ...here, onGpu: true, halfOnGpu: false })).toBe("original");
  });

  it("runs the original weights where there are no others, or the operator wants them", () => {
    expect(choosePrecision({ ...here, hasInt8File: false })).toBe("original");
    expect(choosePrecision({ ...here, int8: "off" })).toBe("original");
  });
});

describe("a model server whose model has two files of weights", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "packshot-models-"));
    // Other weights, so that the matte tells which of the files ran.
    writeTinyModel(folder, "tiny", 2);
    const version = join(folder, "tiny", "1");
    renameSync(join(version, "model.onnx"), join(version, "model.int8.onnx"));
    writeTinyModel(folder, "tiny", 1);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function serve(int8: Int8Use | undefined) {
    const options = { host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [folder], threads: 1 };
    const logger = createLogger({ name: "test", level: "fatal" });
    const server = await startModelServer({ ...options, logger, ...(int8 === undefined ? {} : { int8 }) });
    const client = await connectModelClient(`127.0.0.1:${server.grpcPort}`);
    try {
      const { output } = await client.predict({
        model: "tiny",
        input: { shape: [1, side, side, 3], data: new Uint8Array(side * side * 3).fill(200) },
        tenant: "acct",
        deadlineAtMs: Date.now() + 30_000,
        signal: new AbortController().signal,
      });
      const metrics = await (await fetch(`http://127.0.0.1:${server.httpPort}/metrics`)).text();
      return {
        matte: Buffer.from(output.data).toString("base64"),
        configured: server.registry.find("tiny", "").config.parameters["packshot.precision"],
        measured: /^packshot_model_precision\{model="tiny",version="1",precision="(\w+)"\} 1$/m.exec(metrics)?.[1],
      };
    } finally {
      client.close();
      await server.stop();
    }
  }

  it("runs the one that the operator or the processor chooses, and says which", async () => {
    const original = await serve("off");
    const int8 = await serve("on");
    const auto = await serve(undefined);
    expect(original).toMatchObject({ configured: "original", measured: "original" });
    expect(int8).toMatchObject({ configured: "int8", measured: "int8" });
    expect(int8.matte).not.toBe(original.matte);
    expect([original, int8]).toContainEqual(auto);
  });
});
