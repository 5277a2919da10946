/**
 * Processor time of the whole stack for a photo, by process and thread, and of the stack while nobody sends anything. Writes
 * bench/results/<date>/by-process.md:
 *
 *     node bench/edits/by-process.ts [--clients 1,4] [--photos 24] [--idle 20] [--profiles FOLDER]
 *
 * With `--profiles` each process writes what its threads did to that folder when the stack stops, for flame-graph.ts. That costs
 * some percent, and nothing else is written.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startLiveStack } from "../../testing/stack/live-stack.ts";
import { threadTimes } from "../inference/thread-times.ts";
import { descendants, stackProcessNames, stackProcessOf } from "../measuring/processor-time.ts";
import { formatTable, writeResults } from "../measuring/write-results.ts";
import { call, formOf } from "../peers/http-call.ts";
import { makePhotoSets, plainPhoto } from "../peers/photo-sets.ts";

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "1,4" },
    photos: { type: "string", default: "24" },
    idle: { type: "string", default: "20" },
    profiles: { type: "string" },
  },
});
/** After about twelve edits a worker's code is compiled. */
const warmUps = 20;
const noticeableMs = 0.5;

/** Milliseconds by process and thread since the call. A process that has ended meanwhile counts nothing. */
function watchThreads(): () => Map<string, number> {
  const watched = descendants().map((pid) => ({ pid, name: stackProcessOf(pid), since: threadTimes(pid) }));
  return () => {
    const ms = new Map<string, number>();
    const add = (key: string, more: number) => ms.set(key, (ms.get(key) ?? 0) + more);
    const running = new Set(descendants());
    for (const { name, since } of watched.filter(({ pid }) => running.has(pid))) {
      for (const { thread, cpuMs } of since()) {
        add(`${name}, ${thread}`, cpuMs);
        add(name, cpuMs);
        add("all", cpuMs);
      }
    }
    return ms;
  };
}

const { profiles } = values;
const stack = await startLiveStack({
  // The same photos are sent again and again.
  PACKSHOT_KEPT_MATTE_SECONDS: "0",
  ...(profiles === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }),
});
const columns: { readonly title: string; readonly ms: ReadonlyMap<string, number> }[] = [];
try {
  const { file } = stack;
  const authorization = { Authorization: `Bearer ${file.apiKey}`, Prefer: "wait=60" };
  const cutOut = async ({ headers, body }: Awaited<ReturnType<typeof formOf>>) => {
    const submit = { method: "POST", headers: { ...headers, ...authorization }, body };
    const job = JSON.parse((await call(`${file.apiUrl}/v1/tools/mask/edit`, submit)).toString());
    if (job.status !== "completed") throw new Error(`an edit ended as ${job.status}: ${job.error?.message}`);
    await call(job.resultUrl);
  };
  const clientCounts = values.clients.split(",").map(Number);
  const photosEach = Number(values.photos);
  for (const { title, photos } of await makePhotoSets({ photo: plainPhoto, megapixels: [1], clients: clientCounts })) {
    const forms = await Promise.all(photos.map((photo) => formOf(photo, "image")));
    const formOfTurn = (turn: number) => forms[turn % forms.length]!;
    for (let turn = 0; turn < warmUps; turn++) await cutOut(formOfTurn(turn));
    for (const clients of clientCounts) {
      const since = watchThreads();
      let sent = 0;
      const client = async () => {
        while (sent < photosEach) await cutOut(formOfTurn(sent++));
      };
      await Promise.all(Array.from({ length: clients }, client));
      const ms = since();
      columns.push({ title: `${title}, c = ${clients}`, ms: new Map([...ms].map(([key, all]) => [key, all / sent])) });
    }
  }
  const since = watchThreads();
  const idleSeconds = Number(values.idle);
  // Nothing happens that could be awaited: what the stack does by itself in that time is measured.
  await delay(idleSeconds * 1000);
  const ms = since();
  columns.push({ title: "idle, a second", ms: new Map([...ms].map(([key, all]) => [key, all / idleSeconds])) });
} finally {
  await stack.stop();
}

const names = ["all", ...stackProcessNames];
const placeOf = (key: string) => names.indexOf(key.split(", ")[0]!);
const msOf = (key: string) => columns.map(({ ms }) => ms.get(key) ?? 0);
const keys = [...new Set(columns.flatMap(({ ms }) => [...ms.keys()]))]
  .filter((key) => msOf(key).some((each) => each >= noticeableMs))
  .toSorted((a, b) => placeOf(a) - placeOf(b) || Math.max(...msOf(b)) - Math.max(...msOf(a)));
const table = formatTable(
  ["processor ms", ...columns.map(({ title }) => title)],
  keys.map((key) => [key, ...msOf(key).map((each) => each.toFixed(1))]),
);
if (profiles === undefined) {
  writeResults({
    name: "by-process",
    title: "Processor time of the whole stack, by process and thread",
    setting: `the stack of \`packshot up\`, one worker; ${values.photos} photos each after ${warmUps} that warm up`,
    sections: [
      "Milliseconds a photo, from its upload to the downloaded PNG, and of a second in which nothing is sent.",
      table,
    ],
  });
} else process.stdout.write(`${table}\n`);
