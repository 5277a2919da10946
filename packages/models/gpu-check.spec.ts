import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeImageModel } from "../../testing/generative/image-model-folder.ts";
import { doctor } from "./doctor.ts";
import { judgeGpus, judgeRoom, parseGpus } from "./gpu-check.ts";

const bundledDir = fileURLToPath(new URL("../../models", import.meta.url));
const ofH200 = "NVIDIA H200, 143771 MiB, 580.159.04";

describe("GPUs", () => {
  it("are read from nvidia-smi's table, with an unknown memory as none", () => {
    expect(parseGpus(`${ofH200}\nNVIDIA GB10, [N/A], 580.95.05\n`)).toEqual([
      { name: "NVIDIA H200", memoryBytes: 143_771 * 2 ** 20, driver: "580.159.04" },
      { name: "NVIDIA GB10", memoryBytes: 0, driver: "580.95.05" },
    ]);
  });

  it("have a driver for CUDA 13, or the sentence says which one that takes", () => {
    expect(judgeGpus(parseGpus(ofH200))).toEqual({
      state: "ok",
      message: "NVIDIA H200, 150.8 GB, driver 580.159.04",
    });
    expect(judgeGpus(parseGpus("NVIDIA L4, 23034 MiB, 570.86.15"))).toEqual({
      state: "fault",
      message: "NVIDIA L4, 24.2 GB, driver 570.86.15: CUDA 13 needs driver 580 or later",
    });
  });
});

describe("room for an image model", () => {
  const card = (memoryBytes: number) => ({ where: "the card", memoryBytes });
  it.each([
    [24e9, "ok", "8.6 GB of weights, about 12.9 GB with a picture; the card has 24.0 GB"],
    [
      12e9,
      "warning",
      "8.6 GB of weights, about 12.9 GB with a picture: large pictures may not fit, the card has 12.0 GB",
    ],
    [8e9, "fault", "8.6 GB of weights, about 12.9 GB with a picture: they do not fit, the card has 8.0 GB"],
    [0, "ok", "8.6 GB of weights, about 12.9 GB with a picture; the memory of the card is not known"],
  ])("of %d bytes: %s", (memoryBytes, state, message) => {
    expect(judgeRoom(8.6e9, card(memoryBytes))).toEqual({ state, message });
  });
});

describe("doctor", () => {
  let home: string;
  let modelDir: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "packshot-doctor-"));
    modelDir = join(home, "models");
    writeImageModel(modelDir, "painter", { shift: 0.002 });
    writeFileSync(join(modelDir, "painter", "1", "transformer.onnx.data"), "");
    truncateSync(join(modelDir, "painter", "1", "transformer.onnx.data"), 20e9);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });

  function withNvidiaSmi(prints: string): void {
    const bin = join(home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "nvidia-smi"), `#!/bin/sh\necho '${prints}'\n`);
    chmodSync(join(bin, "nvidia-smi"), 0o755);
    vi.stubEnv("PATH", `${bin}${delimiter}${process.env.PATH}`);
  }

  const find = async (check: string, executionProviders = ["cuda", "cpu"]) =>
    (await doctor({ bundledDir, modelDir, executionProviders })).find((each) => each.check === check);

  it("holds an image model's weights against the memory of the GPU that will have them", async () => {
    withNvidiaSmi("NVIDIA L4, 17179 MiB, 580.95.05");
    expect(await find("image model painter")).toEqual({
      check: "image model painter",
      state: "fault",
      message: "20.0 GB of weights, about 30.0 GB with a picture: they do not fit, NVIDIA L4 has 18.0 GB",
    });
  });

  it("says of an old driver what it takes, and nothing against a GPU that is not used", async () => {
    withNvidiaSmi("NVIDIA L4, 23034 MiB, 550.54.15");
    expect(await find("gpu")).toMatchObject({
      state: "fault",
      message: expect.stringContaining("driver 580 or later"),
    });
    expect(await find("gpu", ["cpu"])).toMatchObject({
      state: "ok",
      message: expect.stringContaining("set PACKSHOT_EXECUTION_PROVIDERS=cuda to use it"),
    });
    expect((await find("image model painter", ["cpu"]))!.message).toContain("this machine");
  });

  it("says which image model a model server would refuse", async () => {
    writeImageModel(modelDir, "painter", { shift: 0.002, file: { mean: [0] } });
    expect(await find("image model painter", ["cpu"])).toMatchObject({
      state: "fault",
      message: expect.stringContaining("pipeline.json: mean must be 48 numbers"),
    });
  });

  it("says which image model cannot be read", async () => {
    writeFileSync(join(modelDir, "painter", "1", "pipeline.json"), "{");
    expect(await find("image model painter", ["cpu"])).toMatchObject({
      state: "fault",
      message: expect.stringContaining("pipeline.json: not JSON"),
    });
  });
});
