import { describe, expect, it } from "vitest";
import {
  type BatchSession,
  type CudaLibraries,
  explainCudaError,
  explainCudaFault,
  explainNvidiaSmi,
  findCudaLibraries,
  judgeTurns,
  timeTurns,
} from "./cuda-check.ts";

/** A device on which a run takes 1 ms for each row, and `planMs` more where `plans` says that it needs a plan first. */
function createDevice(plans: (rows: number, session: readonly number[], device: readonly number[]) => boolean) {
  let nowMs = 0;
  const device: number[] = [];
  const create = (): Promise<BatchSession> => {
    const session: number[] = [];
    return Promise.resolve({
      async run(rows) {
        nowMs += rows + (plans(rows, session, device) ? 300 : 0);
        session.push(rows);
        device.push(rows);
      },
      release: () => Promise.resolve(),
    });
  };
  return timeTurns(create, () => nowMs);
}

describe("doctor's runs in turns on a GPU", () => {
  it("are as fast as runs in a row where each batch has a session, and show what one session for both costs", async () => {
    const times = await createDevice((rows, session) => session.at(-1) !== rows);
    expect(times).toEqual({ firstMs: 301, aloneMs: [1, 4], inTurnsMs: [1, 4], sharedMs: [301, 304] });
    expect(judgeTurns(times)).toEqual({
      state: "ok",
      message:
        "a small network ran in 301.0 ms, batches of 1 and 4 in turns in 1.0 and 4.0 ms, in one session for both in 301.0 and 304.0 ms",
    });
  });

  it("warn where batches disturb each other although each has a session", async () => {
    const judged = judgeTurns(await createDevice((rows, _session, device) => device.at(-1) !== rows));
    expect(judged.state).toBe("warning");
    expect(judged.message).toContain("a batch alone takes 1.0 and 4.0 ms, so serving will be slow");
  });
});

describe("why CUDA cannot be used", () => {
  const complete: CudaLibraries = { hasProvider: true, missing: [] };
  const notLoaded = "OrtSessionOptionsAppendExecutionProvider_Cuda: Failed to load shared library";
  it.each([
    ["no provider", notLoaded, { hasProvider: false, missing: [] }, "CUDA library is missing beside its binding"],
    ["no cuDNN", notLoaded, { hasProvider: true, missing: ["libcudnn.so.9"] }, "libraries are missing (libcudnn.so.9)"],
    ["a library that another one needs", notLoaded, complete, "stderr names it"],
    ["no driver", notLoaded, { hasProvider: true, missing: ["libcuda.so.1"] }, "no NVIDIA driver for CUDA 13"],
    ["an old driver", "CUDA failure 35: CUDA driver version is insufficient", complete, "no NVIDIA driver for CUDA 13"],
    [
      "no device",
      "CUDA failure 100: no CUDA-capable device is detected ; GPU=0",
      complete,
      "shows this process no device",
    ],
    ["no memory", "CUDA failure 2: out of memory ; GPU=0", complete, "name fewer buckets"],
    ["no memory for a run", "BFCArena: Failed to allocate memory for requested buffer", complete, "name fewer buckets"],
  ])("%s", (_what, error, libraries, sentence) => {
    expect(explainCudaFault(error, libraries)).toContain(sentence);
  });

  it("is not said of an error that the GPU has no part in", () => {
    const cause = new Error("Load model failed: Protobuf parsing failed.");
    expect(explainCudaError(cause, complete)).toBe(cause);
    const explained = explainCudaError(new Error("CUDA failure 2: out of memory"), complete).message;
    expect(explained).toMatch(/^the GPU cannot be used \(CUDA failure 2: out of memory\): .*name fewer buckets/);
  });

  it("is that there is no CUDA library where onnxruntime-node itself is not found", () => {
    const libraries = findCudaLibraries(() => {
      throw new Error("Cannot find module");
    });
    expect(libraries).toEqual({ hasProvider: false, missing: [] });
  });

  it("nvidia-smi tells a machine without a driver from one without a GPU", () => {
    expect(explainNvidiaSmi({ code: "ENOENT" })).toContain("no NVIDIA driver is installed");
    expect(explainNvidiaSmi({ stdout: "No devices were found\n" })).toBe("the NVIDIA driver shows no GPU");
    expect(explainNvidiaSmi({ stdout: "NVIDIA-SMI has failed" })).toContain("does not run");
  });
});
