/**
 * The CUDA image, built and run without a GPU, as far as it goes: its libraries find each other, a session fails for the missing
 * device alone, and on the CPU a photo is edited in it. `make test-cuda-image` downloads 1.6 GB for it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildImage } from "../../testing/containers/build-image.ts";
import { describeInContainers } from "../../testing/containers/describe-in-containers.ts";
import { imageConfig, imageSize } from "../../testing/containers/image-facts.ts";
import { type Pod, startPod } from "../../testing/containers/service-pod.ts";
import { buildStubDriver, type SessionOutcome } from "../../testing/cuda/cuda-libraries.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const script = "testing/cuda/load-provider-main.ts";
const librariesFolder = "/usr/local/cuda/lib64";
const timeoutMs = 7_200_000;
const bytesAboveImageMax = 3e9;

describeInContainers(
  "the CUDA image, in containers",
  (engine) => {
    let cuda: string;
    let plain: string;
    let folder: string;
    let driver: string;
    let pod: Pod | undefined;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "packshot-driver-"));
      // Only its owner may look into the other; in the container it is another user who does.
      driver = join(folder, "driver");
      buildStubDriver(driver);
      plain = (await buildImage(engine)).tag;
      cuda = (await buildImage(engine, { target: "packshot-cuda" })).tag;
    }, timeoutMs);
    afterAll(async () => {
      await pod?.stop();
      rmSync(folder, { recursive: true, force: true });
    }, timeoutMs);

    const hardened = ["run", "--rm", "--network", "none", "--read-only", "--cap-drop", "all", "--tmpfs", "/tmp"];
    const run = (flags: readonly string[], args: readonly string[]) =>
      engine.podman([...hardened, ...flags, cuda, ...args]);

    /** What becomes of a session in it, with these flags of the engine. */
    async function createSession(flags: readonly string[]): Promise<SessionOutcome> {
      const mounted = ["--volume", `${join(root, script)}:/packshot/${script}:ro`];
      const model = "/packshot/models/packshot-mask/1/model.onnx";
      const printed = await run([...mounted, ...flags], [script, "/packshot/index.js", model]);
      return JSON.parse(printed.split("\n").at(-1)!) as SessionOutcome;
    }

    test("is the other image and CUDA's libraries, starts the model server, and says where its libraries are", async () => {
      expect(await imageConfig(engine, cuda)).toMatchObject({
        User: "10001:10001",
        Entrypoint: ["node"],
        Cmd: ["services/inference/model-server-main.ts"],
        Env: expect.arrayContaining([`LD_LIBRARY_PATH=${librariesFolder}`, "NVIDIA_VISIBLE_DEVICES=all"]),
      });
      const list = `console.log(require("fs").readdirSync("${librariesFolder}").join(" "))`;
      const names = (await run([], ["--eval", list])).split(" ");
      for (const library of ["cudart", "cublas", "cufft", "curand", "cudnn", "nvrtc"])
        expect(names.join(" ")).toContain(`lib${library}.so`);
      expect(names.filter((name) => name.endsWith(".whl"))).toEqual([]);
      const bytesAbove = (await imageSize(engine, cuda)) - (await imageSize(engine, plain));
      console.info(`${Math.round(bytesAbove / 1e6)} MB above the other image`);
      expect(bytesAbove).toBeLessThan(bytesAboveImageMax);
    });

    test("with a driver that has no device, a session fails for the device alone", async () => {
      const path = ["--volume", `${driver}:/driver:ro`, "--env", `LD_LIBRARY_PATH=/driver:${librariesFolder}`];
      const { libraries, error, explained } = await createSession(path);
      expect(libraries).toEqual({ hasProvider: true, missing: [] });
      expect(error).toMatch(/cudaError/);
      expect(error).not.toMatch(/Failed to load/);
      expect(explained).toContain("the driver shows this process no device");
    });

    test("without a driver, that is said", async () => {
      const { libraries, explained } = await createSession([]);
      expect(libraries).toEqual({ hasProvider: true, missing: ["libcuda.so.1"] });
      expect(explained).toContain("there is no NVIDIA driver for CUDA 13");
    });

    test("on the CPU its services run, and a photo is edited", { timeout: timeoutMs }, async () => {
      pod = await startPod(engine, cuda);
      expect(await pod.tryEdit()).toMatch(/^edited .* a PNG of \d+ KB$/);
    });
  },
  "test-cuda-image",
);
