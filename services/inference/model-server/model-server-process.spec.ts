/** The process as an operator sees it, when memory runs out in the middle of a run: that one is real. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { node, value } from "@packshot/models/graph-builders.ts";
import { elementTypes, encodeModel } from "@packshot/models/onnx-file.ts";
import { expect, it, vi } from "vitest";
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
