/**
 * The model server on a GPU, against raw onnxruntime-node on the same GPU with the same graph and batch:
 *
 *     sh bench/gpu/install-cuda-provider.sh        # once: onnxruntime-node's CUDA library
 *     node bench/gpu/run.ts [--side 1024] [--seconds 10] [--rounds 5] [--instances 2] [--model birefnet-general-lite]
 *
 * Without --model a network of random weights stands in (12 convolutions of 64 channels, half floats); with it, pulled
 * weights from PACKSHOT_MODEL_DIR. Ends with 1 where no GPU took the nodes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { doctor } from "@packshot/models/doctor.ts";
import { parseManifest } from "@packshot/models/manifest.ts";
import { encodeModel } from "@packshot/models/onnx-file.ts";
import { servedModel } from "@packshot/models/served-model.ts";
import { tinySegmenter } from "@packshot/models/tiny-segmenter.ts";
import { hardware } from "../inference/hardware.ts";
import { closedLoop, median } from "../inference/load.ts";
import { writeModel } from "../inference/models.ts";
import { serverTarget, startRaw, startServer } from "../inference/processes.ts";

const { values: flags } = parseArgs({
  options: {
    side: { type: "string", default: "1024" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" },
    instances: { type: "string", default: "2" },
    model: { type: "string" },
  },
});
const side = Number(flags.side);
const windowMs = Number(flags.seconds) * 1_000;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const bundledDir = fileURLToPath(new URL("../../models", import.meta.url));
const findings = await doctor({ bundledDir, executionProviders: ["cuda"] });
for (const { check, state, message } of findings) say(`${state.padEnd(8)}${check}: ${message}`);
if (findings.some(({ check, state }) => state === "fault" && /gpu|cuda/.test(check))) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), "packshot-gpu-"));
const core = flags.model
  ? readFileSync(join(process.env.PACKSHOT_MODEL_DIR ?? bundledDir, flags.model, "1", "model.onnx"))
  : encodeModel(tinySegmenter({ width: side, height: side, channels: 3, depth: 12, hidden: 64 }));
const model = writeModel(folder, "gpu", side, core);
const manifest = parseManifest(readFileSync(join(folder, "gpu", "packshot.json"), "utf8"), "gpu");
const half = join(folder, "gpu-half.bin");
writeFileSync(half, servedModel(readFileSync(model.file), manifest, { half: true }).bytes);

const settings = { PACKSHOT_EXECUTION_PROVIDERS: "cuda", PACKSHOT_REQUIRE_GPU: "1", PACKSHOT_LOG_LEVEL: "info" };
const server = await startServer(folder, 1, { ...settings, PACKSHOT_MODEL_INSTANCES: flags.instances });
try {
  const target = await serverTarget(server.address, model.name, side);
  say(hardware());
  for (const batch of [1, 4, 8, 16]) {
    const raw = await startRaw(half, side, batch, 1, "cuda");
    const pairs: { raw: number; served: number }[] = [];
    for (let round = 0; round < Number(flags.rounds); round += 1) {
      const { ms } = await raw.run({ windowMs });
      const rawRate = (1_000 * batch * ms.length) / ms.reduce((a, b) => a + b, 0);
      // Enough at once that a batch of this size waits while another runs.
      pairs.push({ raw: rawRate, served: (await closedLoop(target, 2 * batch, windowMs)).perSecond });
    }
    await raw.stop();
    const ratio = median(pairs.map(({ raw: rawRate, served }) => served / rawRate));
    say(
      `batch ${batch}: raw ${median(pairs.map((pair) => pair.raw)).toFixed(1)}/s, served ${median(pairs.map((pair) => pair.served)).toFixed(1)}/s, ratio ${ratio.toFixed(3)}`,
    );
  }
  target.close();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
