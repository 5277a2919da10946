/**
 * Whether the playground stays smooth while hundreds of photos are dropped on it at once: a real Chromium on a stack of its own
 * notes every task that kept the page's thread for more than 50 ms, while somebody scrolls through the list and looks at one
 * photo after another, until all edits have ended. Browser and stack share the machine, so a task's time by the clock is also
 * that of whoever had the processor meanwhile: a trace has its processor time.
 *
 * node bench/console/drop.ts [--photos N] [--megapixels M]
 */
import { linkSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { startConsoleStack } from "../../testing/console/console-stack.ts";
import { dropFiles } from "../../testing/console/drop-files.ts";
import { formatTable, writeResults } from "../measuring/write-results.ts";

const samples = fileURLToPath(new URL("../../cli/demo/sample", import.meta.url));
const { values } = parseArgs({
  options: { photos: { type: "string", default: "200" }, megapixels: { type: "string", default: "3" } },
});
const [photos, megapixels] = [Number(values.photos), Number(values.megapixels)] as const;
const folder = mkdtempSync(join(tmpdir(), "packshot-bench-"));
const endTimeoutMs = 15 * 60_000;

/** What a page notes of its own thread: ran before its first script. */
const observeTasks = `
  globalThis.tasks = [];
  globalThis.longestFrameMs = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) tasks.push({ startMs: startTime, durationMs: duration });
  }).observe({ type: "longtask", buffered: true });
  let lastMs = performance.now();
  requestAnimationFrame(function frame(nowMs) {
    longestFrameMs = Math.max(longestFrameMs, nowMs - lastMs);
    lastMs = nowMs;
    requestAnimationFrame(frame);
  });
`;

interface Task {
  readonly startMs: number;
  readonly durationMs: number;
}

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args: { readonly name?: string };
  /** Microseconds of processor time. */
  readonly tdur?: number;
}

/** Milliseconds of processor time of each task of the page's thread: the thread of the one page that there is. */
function tasksOfPage(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const mains = traceEvents.filter(
    ({ ph, name, args }) => ph === "M" && name === "thread_name" && args.name === "CrRendererMain",
  );
  const tasks = mains.map(({ pid, tid }) =>
    traceEvents.filter(
      (event) =>
        event.ph === "X" && event.pid === pid && event.tid === tid && event.name === "ThreadControllerImpl::RunTask",
    ),
  );
  const ofPage = tasks.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return ofPage.map(({ tdur = 0 }) => tdur / 1000).sort((a, b) => b - a);
}

/** The sample photos in turns, under many names: each is read, sent and decoded by itself. */
async function makePhotos(): Promise<string[]> {
  const names = readdirSync(samples).filter((name) => name.endsWith(".jpg"));
  const width = Math.round(Math.sqrt((megapixels * 1e6 * 4) / 3));
  const size = { width, height: Math.round((width * 3) / 4) };
  for (const name of names) {
    const bytes = await sharp(join(samples, name))
      .resize({ ...size, fit: "cover" })
      .jpeg({ quality: 90 })
      .toBuffer();
    writeFileSync(join(folder, name), bytes);
  }
  return Array.from({ length: photos }, (_, index) => {
    const path = join(folder, `photo-${String(index + 1).padStart(3, "0")}.jpg`);
    linkSync(join(folder, names[index % names.length]!), path);
    return path;
  });
}

/**
 * As a person does who waits: through the list, and now and then into a photo. By the shortest scripts there are, because a search
 * of the page for what is in it would be a long task of its own.
 */
async function lookAround(page: Page, stop: AbortSignal): Promise<void> {
  for (let step = 0; !stop.aborted; step += 1) {
    await page.evaluate(`document.querySelector(".photos ul").scrollTop += ${step % 40 < 20 ? 600 : -600}`);
    if (step % 5 === 0) await page.evaluate(`document.querySelectorAll(".photo-select")[${step % photos}].click()`);
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 250))");
  }
}

const fixture = await startConsoleStack();
try {
  const paths = await makePhotos();
  const { page, problems } = await fixture.open({ beforeLoad: observeTasks });
  await page.getByRole("radio", { name: /Mask/ }).waitFor();
  await fixture.browser.startTracing(page, { categories: ["toplevel"] });
  await page.evaluate("tasks.length = 0; longestFrameMs = 0");
  const droppedMs = await page.evaluate<number>("performance.now()");
  await dropFiles(page, paths);
  await page.getByText(`${photos} photos`).waitFor();
  const listedMs = await page.evaluate<number>("performance.now()");
  await page.evaluate(`document.querySelector(".photos").scrollIntoView({ block: "center" })`);
  const stop = new AbortController();
  const looking = lookAround(page, stop.signal);
  await page.locator("[data-done=true]").waitFor({ timeout: endTimeoutMs });
  stop.abort();
  await looking;
  const endedMs = await page.evaluate<number>("performance.now()");
  const said = await page
    .getByText(/edits ended/)
    .first()
    .textContent();
  const tasks = await page.evaluate<Task[]>("tasks");
  const longestFrameMs = await page.evaluate<number>("longestFrameMs");
  const processorMs = tasksOfPage(await fixture.browser.stopTracing());
  const seconds = (ms: number) => ((ms - droppedMs) / 1000).toFixed(1);
  const over = (ms: number) => tasks.filter(({ durationMs }) => durationMs > ms).length;
  const longest = tasks.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 5);
  writeResults({
    name: "console",
    title: `${photos} photos dropped at once on the playground`,
    setting: `one worker, photos of ${megapixels} megapixels, ${fixture.browser.version()} headless`,
    sections: [
      formatTable(
        ["", "value"],
        [
          ["from the drop to the whole list, s", seconds(listedMs)],
          ["from the drop to the last edit's end, s", seconds(endedMs)],
          ["longest task of the page's thread, ms", Math.round(longest[0]?.durationMs ?? 0)],
          ["tasks of more than 50 ms", over(50)],
          ["tasks of more than 100 ms", over(100)],
          ["tasks of more than 200 ms", over(200)],
          ["longest time between two frames, ms", Math.round(longestFrameMs)],
          ["longest task by its processor time, ms", processorMs[0]!.toFixed(1)],
          [
            "all tasks together by their processor time, s",
            (processorMs.reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(1),
          ],
        ],
      ),
      `At the end the page says: "${said}". The longest tasks, with when they began after the drop: ${longest
        .map(({ startMs, durationMs }) => `${Math.round(durationMs)} ms at ${seconds(startMs)} s`)
        .join(", ")}.`,
    ],
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
} finally {
  await fixture.stop();
  rmSync(folder, { recursive: true, force: true });
}
