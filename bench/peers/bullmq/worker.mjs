/**
 * Works off some of the stages; arguments: their names. sharp and onnxruntime use threads of their own, so a stage with
 * images takes as many jobs at once as there are cores, and the network one at a time with all cores.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Queue, Worker } from "bullmq";
import { compose, openNetwork, prepare } from "../cut-out.ts";
import { connection, fileOf, jobOptions, ready, stages } from "./queues.mjs";

const wanted = process.argv.slice(2);
const network = wanted.includes("infer") ? await openNetwork(process.env.WEIGHTS) : undefined;

const work = {
  prepare: async (id) => writeFile(fileOf(id, "pixels"), await prepare(await readFile(fileOf(id, "photo")))),
  infer: async (id) => writeFile(fileOf(id, "matte"), await network.run(await readFile(fileOf(id, "pixels")))),
  async compose(id) {
    const [photo, matte] = await Promise.all([readFile(fileOf(id, "photo")), readFile(fileOf(id, "matte"))]);
    await writeFile(fileOf(id, "png"), await compose(photo, matte));
    await Promise.all(["photo", "pixels", "matte"].map((kind) => rm(fileOf(id, kind))));
  },
};

for (const stage of wanted) {
  const next = stages[stages.indexOf(stage) + 1];
  const queue = next && new Queue(next, { connection: connection() });
  const worker = new Worker(
    stage,
    async ({ data: { id } }) => {
      await work[stage](id);
      // A job that is tried again finds that the next one is there: its id is the same.
      await queue?.add(next, { id }, { ...jobOptions, jobId: id });
    },
    { connection: connection(), concurrency: stage === "infer" ? 1 : availableParallelism() },
  );
  await worker.waitUntilReady();
}
ready();
