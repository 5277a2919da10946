/** The three queues, and the files that pass from stage to stage. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";

const { REDIS_URL, FOLDER } = process.env;
mkdirSync(FOLDER, { recursive: true });

export const stages = ["prepare", "infer", "compose"];
/** BullMQ wants a connection that retries forever. */
export const connection = () => new Redis(REDIS_URL, { maxRetriesPerRequest: null });
export const jobOptions = { removeOnComplete: true, removeOnFail: 1_000, attempts: 3 };
export const fileOf = (id, kind) => join(FOLDER, `${id}.${kind}`);

/** Ends with the process that started it, and says that it is ready. */
export function ready(fields = {}) {
  process.stdin.resume().on("end", () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ msg: "ready", ...fields })}\n`);
}
