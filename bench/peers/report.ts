/** peers.md. `npm run docs` makes docs/peers.svg from its first table. */
import { createTable, writeResults } from "../measuring/write-results.ts";
import { bundledWeights } from "./bundled-weights.ts";
import { type Measured, type Part, sumOf } from "./measure.ts";
import type { StageBound } from "./stage-bounds.ts";

export interface Cell {
  /** The photos'. */
  readonly title: string;
  readonly clients: number;
  readonly measured: ReadonlyMap<string, Measured>;
  readonly othersShare: number | undefined;
}

export interface Peers {
  readonly cells: readonly Cell[];
  readonly bounds: readonly StageBound[];
  /** What was sent, in words. */
  readonly photos: string;
  readonly rounds: number;
  /** Seconds. */
  readonly window: number;
}

const MiB = 2 ** 20;
const percent = (share: number | undefined) => (share === undefined ? "–" : `${Math.round(100 * share)} %`);

/** The most photos a second that each system did, whatever the number of clients. */
function saturation(cells: readonly Cell[], title: string): Map<string, number> {
  const best = new Map<string, number>();
  for (const cell of cells) {
    if (cell.title !== title) continue;
    for (const [name, { perSecond }] of cell.measured) best.set(name, Math.max(best.get(name) ?? 0, perSecond));
  }
  return best;
}

export function writePeersReport(peers: Peers): void {
  const { cells, photos, rounds, window } = peers;
  const titles = [...new Set(cells.map(({ title }) => title))];
  writeResults({
    name: "peers",
    title: "Cut-outs by Packshot and by its peers",
    setting: `${rounds} rounds of windows of ${window} s; ${photos}; all with u2netp (but for the bundled weights) and all cores`,
    sections: [
      `Bundled weights: ${bundledWeights()}.`,
      "From the request with the photo to the last byte of the downloaded PNG, on loopback. Systems take turns within each round; the others are suspended, but for Packshot, which idles. Medians of the rounds, p99 over all photos. Processor time and memory are those of all processes of a system, servers of logs and queues included. *Others*: the share of the machine that anything but this bench and the systems used.",
      [
        "- raw onnxruntime-node: one process with an HTTP server, sharp and the network; no queue",
        "- rembg s: its own HTTP server, one process",
        "- BullMQ pipeline: an API, a worker that prepares and composes with sharp, one that runs the network with onnxruntime-node, and Redis with an append-only file; a queue before each stage, and files between them",
        "- Packshot: the stack of `packshot up`, with one worker",
      ].join("\n"),
      "Packshot does more for a photo: it refines the edge at full resolution and removes the old background's color from it, where the others enlarge the network's matte. It also keeps the job in a log on disk (`sync_interval: always`) before it answers; BullMQ's Redis writes its file once a second, and the other two keep nothing. Packshot's two rows share a stack, whose memory holds both networks.",
      ...["## Saturation, and the bound", boundTable(peers, titles), boundNote],
      "## By clients at once",
      latencyTable(cells),
      "## Cost of a photo, one client",
      costTable(cells),
      "## Packshot's processes, the most clients",
      "The two rows of a size share the processes, so that each one's memory holds both networks. Goals of memory count worker and model server.",
      partsTable(cells),
    ],
  });
}

const boundNote =
  "The bound is the number of cores over the processor time of the stages of the edit, each measured alone in one process: nothing of HTTP, log, queue and storage is in it.";

function boundTable({ cells, bounds }: Peers, titles: readonly string[]): string {
  const table = createTable(["", "photos/s at saturation", "processor ms of the stages", "bound, photos/s", "share"]);
  for (const title of titles) {
    for (const [name, perSecond] of saturation(cells, title)) {
      const bound = bounds.find((each) => each.system === name && each.title === title);
      const ofBound = bound && [bound.cpuMs, bound.perSecond.toFixed(2), (perSecond / bound.perSecond).toFixed(2)];
      table.add(`${title}, ${name}`, perSecond.toFixed(2), ...(ofBound ?? ["", "", ""]));
    }
  }
  return table.toString();
}

function latencyTable(cells: readonly Cell[]): string {
  const table = createTable(["", "clients", "photos/s", "p50 ms", "p99 ms", "photos", "others"]);
  for (const { title, clients, measured, othersShare } of cells) {
    for (const [name, { perSecond, p50Ms, p99Ms, photos }] of measured) {
      const latencies = [p50Ms, p99Ms].map((ms) => ms.toFixed(0));
      table.add(`${title}, ${name}`, clients, perSecond.toFixed(2), ...latencies, photos, percent(othersShare));
    }
  }
  return table.toString();
}

function costTable(cells: readonly Cell[]): string {
  const table = createTable(["", "processor seconds", "peak memory, MiB"]);
  const fewest = Math.min(...cells.map(({ clients }) => clients));
  for (const { title, clients, measured } of cells) {
    if (clients !== fewest) continue;
    for (const [name, { cpuMsEach, peakBytes }] of measured)
      table.add(`${title}, ${name}`, (cpuMsEach / 1000).toFixed(2), (peakBytes / MiB).toFixed(0));
  }
  return table.toString();
}

function partsTable(cells: readonly Cell[]): string {
  const table = createTable(["", "clients", "process", "processor ms a photo", "peak memory, MiB"]);
  const groups = Map.groupBy(cells, ({ title }) => title);
  for (const [title, ofSize] of groups) {
    const { clients, measured } = ofSize.toSorted((a, b) => b.clients - a.clients)[0]!;
    for (const [name, { parts }] of measured) {
      const add = (part: string, { cpuMsEach, peakBytes }: Part) =>
        table.add(`${title}, ${name}`, clients, part, cpuMsEach.toFixed(0), (peakBytes / MiB).toFixed(0));
      for (const [part, used] of parts) add(part, used);
      const worker = parts.get("worker");
      const modelServer = parts.get("model server");
      if (worker !== undefined && modelServer !== undefined)
        add("worker and model server", sumOf([worker, modelServer]));
    }
  }
  return table.toString();
}
