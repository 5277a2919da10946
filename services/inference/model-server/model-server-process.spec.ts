/** The process as an operator sees it, when memory runs out in the middle of a run: that one is real. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { node, value } from "@packshot/models/graph-builders.ts";
import { elementTypes, encodeModel } from "@packshot/models/onnx-file.ts";
import { expect, it, vi } from "vitest";
import { writeImageModel } from "../../../testing/generative/image-model-folder.ts";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { startModelServerProcess } from "../../../testing/models/model-server-process.ts";
import { writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { callUnary, openChannel } from "../model-client/grpc-channel.ts";

/** Returns the requested number of zeros. */
const zeros = encodeModel({
  irVersion: 8,
  producerName: "packshot",
  opsetImport: [{ domain: "", version: 17 }],
  metadataProps: [],
  graph: {
    name: "zeros",
    node: [node("ConstantOfShape", ["SIZE"], "ZEROS")],
    initializer: [],
    input: [value("SIZE", elementTypes.int64, [1])],
    output: [value("ZEROS", elementTypes.float32, ["size"])],
    valueInfo: [],
  },
});

it("exits with 70 when a run is out of memory, after it answered the requests that fitted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-oom-"));
  mkdirSync(join(folder, "zeros", "1"), { recursive: true });
  writeFileSync(join(folder, "zeros", "1", "model.onnx"), zeros);
  const { address, ended } = await startModelServerProcess(folder, { PACKSHOT_LOG_LEVEL: "error" });
  const { inference, health } = openChannel(address);
  const ask = (size: bigint) => {
    const data = Buffer.alloc(8);
    data.writeBigInt64LE(size);
    const inputs = [{ name: "SIZE", datatype: "INT64", shape: [1] }];
    const message = { model_name: "zeros", inputs, raw_input_contents: [data] };
    return callUnary<{ raw_output_contents: Buffer[] }>(inference, "ModelInfer", message, {
      deadlineAtMs: Date.now() + 30_000,
    });
  };
  expect((await ask(3n)).raw_output_contents[0]).toEqual(Buffer.alloc(12));
  // Forty terabytes. UNAVAILABLE, whether the answer comes through or the connection ends first: others take the work.
  await expect(ask(10n ** 13n)).rejects.toMatchObject({ code: 14 });
  expect(await ended).toBe("ended with status 70");
  health.close();
  inference.close();
  rmSync(folder, { recursive: true });
});

it("gives up a picture whose graph never ends, and ends itself when the graph goes on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-hung-"));
  writeImageModel(folder, "hung", { shift: 0.001, hangs: true });
  const said: string[] = [];
  const environment = { PACKSHOT_LOG_LEVEL: "error", PACKSHOT_IMAGE_MODEL_TIMEOUT_MS: "1000" };
  const { address, ended } = await startModelServerProcess(folder, environment, (line) => said.push(line));
  const client = await connectModelClient(address);
  const size = { width: 8, height: 8 };
  const picture = { reference: new Uint8Array(192), fill: new Uint8Array(64).fill(255) };
  const asked = { prompt: "oak", seed: 1, strength: 1, ...size, ...picture, tenant: "acct", onStep() {} };
  const { signal } = new AbortController();
  const paint = (forMs: number) => client.painter("hung").paint({ ...asked, signal, deadlineAtMs: Date.now() + forMs });
  await expect(paint(500)).rejects.toMatchObject({ code: "deadline_exceeded" });
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  // On a busy machine the time may be over before the graph runs: then it is asked again, for longer.
  let forMs = 500;
  const endsAskedForLonger = async () => {
    forMs *= 2;
    if (!hasEnded) await paint(forMs).catch(() => {});
    return hasEnded;
  };
  await expect.poll(endsAskedForLonger).toBe(true);
  expect(await ended).toBe("was ended by SIGKILL");
  expect(said.join()).toContain("a graph still runs 1000 ms after its picture was given up");
  client.close();
  rmSync(folder, { recursive: true });
});

it("ends as the first process of a container, too, which its own SIGKILL does not end", () => {
  const file = new URL("pipeline-instance.ts", import.meta.url).href;
  const script = `console.log(process.pid); setTimeout(() => console.log("lives"), 10_000);
    (await import(${JSON.stringify(file)})).endHungProcess();`;
  const asRoot = process.getuid!() === 0 ? [] : ["--user", "--map-root-user"];
  const command = [...asRoot, "--pid", "--fork", process.execPath, "--input-type=module", "-e", script];
  const { stdout, stderr, status, signal } = spawnSync("unshare", command, { encoding: "utf8" });
  expect(stdout, stderr).toBe("1\n");
  // Releases of unshare pass the signal on, or tell it by their status.
  expect(signal !== null || status! > 128, `${signal} ${status}`).toBe(true);
});

it("discards a response that is read after the deadline, even when a busy event loop reads it before its timer fires", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-late-"));
  const input = { shape: [1, 32, 32, 3], data: new Uint8Array(32 * 32 * 3) };
  writeTinyModel(folder, "tiny", 1);
  const { address, kill } = await startModelServerProcess(folder, { PACKSHOT_LOG_LEVEL: "error" });
  const client = await connectModelClient(address);
  const { signal } = new AbortController();
  const ask = (deadlineAtMs: number) => client.predict({ model: "tiny", input, tenant: "acct", deadlineAtMs, signal });
  const deadlineAtMs = Date.now() + 60_000;
  expect((await ask(deadlineAtMs)).modelName).toBe("tiny");
  const late = ask(deadlineAtMs);
  const clock = vi.spyOn(Date, "now").mockReturnValue(deadlineAtMs + 1);
  await expect(late).rejects.toMatchObject({ code: "deadline_exceeded" });
  clock.mockRestore();
  client.close();
  await kill();
  rmSync(folder, { recursive: true });
});
