/**
 * The thread that owns an instance's onnxruntime sessions. `run()` blocks its thread, so each instance has a thread of its
 * own and the main thread keeps answering. Tensors over the shared memory are made once per bucket; a run allocates nothing.
 */
import { readFileSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { servedModel } from "@packshot/models/served-model.ts";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { type BucketSessions, createBucketSessions, furtherSessions } from "./bucket-sessions.ts";
import type {
  GraphTensor,
  InferTensor,
  LoadInstance,
  MessageFromInstance,
  MessageToInstance,
  NodePlacement,
  PrepareInstance,
  RunDynamic,
  RunRows,
  SharedRowTensor,
} from "./instance-protocol.ts";
import { sessionOptions } from "./session-options.ts";
import { datatypeFromOrt, toOrtType, typedView } from "./tensor-types.ts";

type Feeds = Record<string, Tensor>;

let session: InferenceSession | null = null;
let sessions: BucketSessions<Feeds> | null = null;
/** Holds the model's bytes, so it goes when the model is prepared. null: there are no further sessions. */
let createAnother: (() => Promise<InferenceSession>) | null = null;

function post(message: MessageFromInstance): void {
  parentPort!.postMessage(message);
}

async function load(message: LoadInstance): Promise<void> {
  const options = sessionOptions(message);
  // Wrapping a model with a gigabyte of weights takes seconds. It is done in this thread, so that the main thread goes
  // on answering.
  const served = message.manifest ? servedModel(readFileSync(message.file), message.manifest, message) : null;
  const model = served?.changed ? served.bytes : message.file;
  const placements = message.reportPlacements ? await readPlacements(model, options) : [];
  session = await createSession(model, options);
  createAnother = furtherSessions(message.providers, () => createSession(model, options));
  sessions = createBucketSessions({ providers: message.providers, first: session });
  const describe = (metadata: readonly InferenceSession.ValueMetadata[]): GraphTensor[] =>
    metadata.map((value) => ({
      name: value.name,
      datatype: value.isTensor ? datatypeFromOrt(value.type) : null,
      shape: value.isTensor ? value.shape.map((size) => (typeof size === "number" ? size : -1)) : [],
    }));
  post({
    kind: "loaded",
    inputs: describe(session.inputMetadata),
    outputs: describe(session.outputMetadata),
    placements,
  });
}

function createSession(
  model: string | Uint8Array,
  options: InferenceSession.SessionOptions,
): Promise<InferenceSession> {
  return typeof model === "string" ? InferenceSession.create(model, options) : InferenceSession.create(model, options);
}

/** Runs the model once with onnxruntime's profiler, whose events name the execution provider of each node that ran. */
async function readPlacements(
  model: string | Uint8Array,
  options: InferenceSession.SessionOptions,
): Promise<NodePlacement[]> {
  const prefix = join(tmpdir(), `packshot-placement-${process.pid}-${Date.now()}`);
  const profiled = await createSession(model, { ...options, enableProfiling: true, profileFilePrefix: prefix });
  const feeds: Feeds = {};
  for (const value of profiled.inputMetadata) {
    if (!value.isTensor || value.type === "string") return [];
    const shape = value.shape.map((size) => (typeof size === "number" ? size : 1));
    const count = shape.reduce((product, size) => product * size, 1);
    const bytes = new Uint8Array(count * 8);
    const data = typedView(datatypeFromOrt(value.type)!, bytes).subarray(0, count);
    feeds[value.name] = new Tensor(value.type as "float32", data as Float32Array, shape);
  }
  await profiled.run(feeds);
  profiled.endProfiling();
  await profiled.release();
  const events = readProfile(prefix);
  const byProvider = new Map<string, { nodes: number; operators: Set<string> }>();
  for (const event of events) {
    const provider = event.args?.provider;
    if (event.cat !== "Node" || !provider) continue;
    const entry = byProvider.get(provider) ?? { nodes: 0, operators: new Set() };
    entry.nodes += 1;
    if (event.args?.op_name) entry.operators.add(event.args.op_name);
    byProvider.set(provider, entry);
  }
  return [...byProvider].map(([provider, { nodes, operators }]) => ({
    provider,
    nodes,
    operators: [...operators].sort(),
  }));
}

interface ProfileEvent {
  readonly cat?: string;
  readonly args?: { readonly provider?: string; readonly op_name?: string };
}

function readProfile(prefix: string): ProfileEvent[] {
  const { globSync } = process.getBuiltinModule("node:fs");
  const events: ProfileEvent[] = [];
  for (const file of globSync(`${prefix}*.json`)) {
    events.push(...(JSON.parse(readFileSync(file, "utf8")) as ProfileEvent[]));
    unlinkSync(file);
  }
  return events;
}

function tensorOver(rows: SharedRowTensor, buffer: number, bucket: number, hasBatch: boolean): Tensor {
  const bytes = new Uint8Array(rows.memory[buffer]!, 0, rows.rowBytes * bucket);
  const shape = hasBatch ? [bucket, ...rows.dims] : [...rows.dims];
  // The type demands an ArrayBuffer, but onnxruntime reads shared memory as well, which saves two copies.
  return new Tensor(
    toOrtType(rows.datatype) as "uint8",
    typedView(rows.datatype, bytes) as Uint8Array<ArrayBuffer>,
    shape,
  );
}

async function prepare(message: PrepareInstance): Promise<void> {
  const tensorsOver = (tensors: readonly SharedRowTensor[], buffer: number, bucket: number): Feeds =>
    Object.fromEntries(tensors.map((rows) => [rows.name, tensorOver(rows, buffer, bucket, message.hasBatch)]));
  const planned = message.buckets.map((bucket) => ({
    bucket,
    feeds: tensorsOver(message.inputs, 0, bucket),
    fetches: [tensorsOver(message.outputs, 0, bucket), tensorsOver(message.outputs, 1, bucket)] as const,
  }));
  const { warmed, dropped } = await sessions!.warm(planned, message.warmupRounds, createAnother);
  createAnother = null;
  post({ kind: "prepared", warmed, dropped });
}

async function runRows({ run, bucket, outputBuffer }: RunRows): Promise<void> {
  post({ kind: "ran", run, ms: await sessions!.run(bucket, outputBuffer) });
}

async function runDynamic({ run, inputs }: RunDynamic): Promise<void> {
  createAnother = null;
  const feeds: Feeds = {};
  for (const { name, datatype, shape, data } of inputs) {
    const values = data instanceof Uint8Array ? typedView(datatype, data) : [...data];
    feeds[name] = new Tensor(toOrtType(datatype) as "uint8", values as Uint8Array, [...shape]);
  }
  const startedAt = performance.now();
  const results = await session!.run(feeds);
  const ms = performance.now() - startedAt;
  const outputs: InferTensor[] = Object.entries(results).map(([name, result]) => {
    const datatype = datatypeFromOrt(result.type)!;
    const { data } = result;
    const elements = Array.isArray(data) ? (data as string[]) : bytesOf(data as Uint8Array);
    return { name, datatype, shape: [...result.dims], data: elements };
  });
  post({ kind: "ran", run, ms, outputs });
}

function bytesOf(data: ArrayBufferView): Uint8Array {
  return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
}

async function handle(message: MessageToInstance): Promise<void> {
  switch (message.kind) {
    case "load":
      return await load(message);
    case "prepare":
      return await prepare(message);
    case "keep":
      await sessions!.keep(message.buckets);
      post({ kind: "kept" });
      return;
    case "run":
      return await runRows(message);
    case "run-dynamic":
      return await runDynamic(message);
    case "stop":
      await sessions?.release();
      sessions = null;
      session = null;
      post({ kind: "stopped" });
      parentPort!.close();
  }
}

parentPort!.on("message", (message: MessageToInstance) => {
  handle(message).catch((error: unknown) => {
    const run = message.kind === "run" || message.kind === "run-dynamic" ? message.run : null;
    post({ kind: "failed", run, message: error instanceof Error ? error.message : String(error) });
  });
});
