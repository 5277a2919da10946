/** What a run prints for people, outcome by outcome. */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { PackshotError } from "@packshot/sdk/packshot.ts";
import { expect, test } from "vitest";
import { type Photo, photoAddress } from "./photo.ts";
import { createTerminalReport, type RunReport } from "./report-run.ts";
import type { EditTally } from "./run-edits.ts";

const photoOf = (name: string): Photo => photoAddress(`https://shop.example/${name}`);
const nothing: EditTally = {
  edited: 0,
  skipped: 0,
  failed: 0,
  filesFailed: 0,
  credits: 0,
  failures: [],
  reviews: [],
  occupied: [],
};
const about = { seconds: 2, out: "edited", isStopped: false };

async function printedBy(act: (report: RunReport) => void): Promise<{ stdout: string; stderr: string }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  act(createTerminalReport(stdout, stderr, () => 0));
  stdout.end();
  stderr.end();
  return { stdout: await text(stdout), stderr: await text(stderr) };
}

test("photos that failed for the same reason stand together, and no folder of results is named where there are none", async () => {
  const code = "source_unreachable";
  const message = "The server did not answer.";
  const failures = ["a", "b", "c", "d", "e"].map((photo) => ({ photo, code, message }));
  const other = { photo: "wall", code: "no_product_found", message: "No product stands out in the photo." };
  const tally = { ...nothing, failed: 6, failures: [...failures.slice(0, 2), other, ...failures.slice(2)] };
  const { stdout } = await printedBy((report) => report.end(tally, about));
  expect(stdout).toBe(`0 edited, 6 failed in 2 s, 0 credits

Failed
  a, b, c and 2 more: The server did not answer (source_unreachable)
  wall: No product stands out in the photo (no_product_found)
To try the failed ones again, run the same command again.
`);
});

test("a service that is away is said to be so once, until something comes again", async () => {
  const { stderr } = await printedBy((report) => {
    report.begin({ total: 2, parallel: 2 });
    const away = new PackshotError("connection_failed", "GET /v1/jobs/1: refused");
    report.retry(photoOf("a.jpg"), away, 1_000);
    report.retry(photoOf("b.jpg"), away, 1_000);
    report.outcome(photoOf("a.jpg"), { kind: "edited", file: "a.png", job: {} as never }, { ...nothing, edited: 1 });
    report.retry(photoOf("b.jpg"), away, 2_000);
    report.retry(photoOf("b.jpg"), new PackshotError("queue_full", "Too much waits."), 4_000);
  });
  const said = "The service does not answer (GET /v1/jobs/1: refused): trying again …\n";
  const busy = "https://shop.example/b.jpg: Too much waits (queue_full); again in 4 s\n";
  expect(stderr).toBe(`Editing 2 photos, 2 at a time\n${said}${said}${busy}`);
});

test("what a file, a bucket or the service has named does not steer the terminal", async () => {
  const rude = "\u001b]52;c;cm0=\u0007\u009b2J";
  const photo = { ...photoOf("a.jpg"), name: `${rude}a.jpg` };
  const failure = { code: "source_unreachable", message: `${rude}gone` };
  const { stdout, stderr } = await printedBy((report) => {
    report.begin({ total: 2, parallel: 1 });
    report.say(`${rude}said`);
    report.outcome(photo, { kind: "failed", ...failure }, { ...nothing, failed: 1 });
    report.retry(photo, new PackshotError("queue_full", `${rude}full`), 1_000);
    report.end(
      {
        ...nothing,
        failed: 1,
        failures: [{ photo: photo.name, ...failure }],
        reviews: [{ photo: photo.name, file: `${rude}.png`, reasons: [rude] }],
        occupied: [{ photo: photo.name, file: `${rude}.png` }],
      },
      { ...about, out: `${rude}out` },
    );
  });
  for (const printed of [stdout, stderr]) {
    expect(printed).toContain("\\u001b]52;c;cm0=\\u0007\\u009b2J");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  }
});

test("one photo is not said to be edited some at a time", async () => {
  const { stderr } = await printedBy((report) => report.begin({ total: 1, parallel: 4 }));
  expect(stderr).toBe("Editing 1 photo\n");
});
