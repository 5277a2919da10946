/**
 * CUDA without a GPU, as far as it goes: the provider of the CUDA image loads in onnxruntime-node, every symbol is found, and
 * a session fails for the missing device and for nothing before it. `make test-cuda-libraries` downloads 1.6 GB for it.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CudaFolders,
  hasWheels,
  missingFor,
  prepareCuda,
  type SessionOutcome,
} from "../../testing/cuda/cuda-libraries.ts";

const isAsked = process.env.TEST_CUDA_LIBRARIES === "1";
const isSkipped = !isAsked && !hasWheels();
const script = fileURLToPath(new URL("../../testing/cuda/load-provider-main.ts", import.meta.url));
const model = fileURLToPath(new URL("../../models/packshot-mask/1/model.onnx", import.meta.url));

const title = `CUDA's libraries${isSkipped ? " (make test-cuda-libraries)" : ""}`;

describe.skipIf(isSkipped)(title, () => {
  let cuda: CudaFolders;
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), "packshot-cuda-"));
    cuda = prepareCuda(isAsked);
  }, 1_800_000);
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  const createSession = (host: string, ...folders: readonly string[]): SessionOutcome => {
    const env = { ...process.env, LD_LIBRARY_PATH: folders.join(":") };
    const stdio = ["ignore", "pipe", "ignore"] as const;
    const printed = execFileSync(process.execPath, [script, host, model], { encoding: "utf8", env, stdio: [...stdio] });
    return JSON.parse(printed.trim().split("\n").at(-1)!) as SessionOutcome;
  };

  it("each find all others that they name, but for the driver", () => {
    const files = readdirSync(cuda.libraries).filter((name) => name.includes(".so"));
    // cuDNN loads most of its own while it runs.
    expect(files.filter((name) => name.startsWith("libcudnn")).length).toBeGreaterThanOrEqual(8);
    const missing = files.flatMap((name) => missingFor(join(cuda.libraries, name), cuda.libraries));
    expect(new Set(missing)).toEqual(new Set(missing.filter((name) => name === "libcuda.so.1")));
  });

  it("load in onnxruntime-node, whose session then fails for the missing device alone", () => {
    const { libraries, error, explained } = createSession(cuda.host, cuda.stub, cuda.libraries);
    expect(libraries).toEqual({ hasProvider: true, missing: [] });
    expect(error).toMatch(/cudaError/);
    expect(error).not.toMatch(/Failed to load/);
    expect(explained).toContain("the driver shows this process no device");
  });

  it("without a driver, that is said", () => {
    const { libraries, explained } = createSession(cuda.host, cuda.libraries);
    expect(libraries).toEqual({ hasProvider: true, missing: ["libcuda.so.1"] });
    expect(explained).toContain("there is no NVIDIA driver for CUDA 13");
  });

  it("without one of them, it is named", () => {
    const folder = join(scratch, "libraries");
    cpSync(cuda.stub, folder, { recursive: true });
    const names = readdirSync(cuda.libraries).filter((name) => !name.startsWith("libcudnn.so"));
    for (const name of names) symlinkSync(join(cuda.libraries, name), join(folder, name));
    const { libraries, explained } = createSession(cuda.host, folder);
    expect(libraries.missing).toEqual(["libcudnn.so.9"]);
    expect(explained).toContain("libraries are missing (libcudnn.so.9)");
  });

  it("without the provider, its place is named", () => {
    const host = join(scratch, "bare/index.js");
    cpSync(join(cuda.host, "../node_modules"), join(scratch, "bare/node_modules"), {
      recursive: true,
      filter: (file) => !file.includes("libonnxruntime_providers"),
    });
    const { libraries, explained } = createSession(host, cuda.stub, cuda.libraries);
    expect(libraries.hasProvider).toBe(false);
    expect(explained).toContain("onnxruntime-node's CUDA library is missing beside its binding");
  });
});
