/**
 * The review of doubtful cut-outs: by keyboard, with the brush, and of hundreds, in a real browser against the whole stack.
 * @module-tag chromium
 */
import type { Batch, CreatedUpload, Job } from "@packshot/sdk";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { pressWithKeyboard, tabTo } from "../../testing/console/keyboard.ts";
import { accessibilityFindings, faultsOfPages, sidewaysPixels } from "../../testing/console/page-checks.ts";
import { drawnMugs, halfDark, type Mug, mugsSize } from "../../testing/images/drawn-mugs.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";
import { formWith } from "../../testing/stack/live-stack.ts";

const fixture = jointConsole();
const mug: Mug = { x: 430, y: 480, height: 340, color: "#b03428" };
/** Beside the mug: what the network has not kept. */
const lost = { x: 150, y: 200 };
const beside = { x: 800, y: 100 };
let photo: Buffer;

beforeAll(async () => {
  photo = await halfDark(await drawnMugs([mug], "room"));
});

async function doubtful(sku: string): Promise<string> {
  const { body } = await fixture.stack.edit("mask", formWith(photo, { "metadata.sku": sku }));
  expect(body.report.quality).toBe("review");
  return body.id;
}

async function readJob(id: string): Promise<Job> {
  return (await (await fixture.stack.call("GET", `/v1/jobs/${id}`)).json()) as Job;
}

async function alphaAt({ resultUrl }: Job, { x, y }: { x: number; y: number }): Promise<number> {
  const bytes = Buffer.from(await (await fetch(resultUrl!)).arrayBuffer());
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return data[(y * info.width + x) * 4 + 3]!;
}

interface ViewedElement {
  readonly scrollLeft: number;
  readonly scrollTop: number;
  readonly scrollWidth: number;
  readonly scrollHeight: number;
  readonly clientWidth: number;
  readonly clientHeight: number;
  computedStyleMap(): { get(name: string): object };
}

const cutOut = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Where a pixel of the photo is on the page. */
async function placeOf(surface: Locator, { x, y }: { x: number; y: number }) {
  await surface.scrollIntoViewIfNeeded();
  const area = (await surface.boundingBox())!;
  return { x: area.x + (x / mugsSize.width) * area.width, y: area.y + (y / mugsSize.height) * area.height };
}

test("the keyboard alone goes through the queue, enlarges, approves and rejects", async () => {
  const first = await doubtful("K-1");
  const second = await doubtful("K-2");
  const third = await doubtful("K-3");
  const { page, problems, go, close } = await fixture.open();
  await go("/review");
  // Newest first.
  await cutOut(page, "K-3").waitFor();
  await page.getByText("the network was not sure of parts of the product").first().waitFor();
  await page.keyboard.press("j");
  await cutOut(page, "K-2").waitFor();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.getByText("200 %").waitFor();
  await page.keyboard.press("-");
  await page.getByText("150 %").waitFor();
  await page.keyboard.press("k");
  await cutOut(page, "K-3").waitFor();
  await page.keyboard.press("a");
  await cutOut(page, "K-2").waitFor();
  await page.keyboard.press("r");
  await cutOut(page, "K-1").waitFor();
  await page.getByText("1 to decide").waitFor();
  expect((await readJob(third)).review?.verdict).toBe("approved");
  const rejected = await readJob(second);
  expect([rejected.review?.verdict, rejected.resultUrl]).toEqual(["rejected", null]);
  expect((await readJob(first)).review).toBeNull();

  // Whoever writes with single keys for something else switches them off.
  const keys = page.getByLabel(/^Keys:/);
  await tabTo(keys);
  await page.keyboard.press("Space");
  await page.keyboard.press("a");
  await pressWithKeyboard(button(page, "Previous"));
  await cutOut(page, "K-2").waitFor();
  expect((await readJob(first)).review).toBeNull();
  await go("/jobs");
  await go("/review");
  await cutOut(page, "K-1").waitFor();
  await page.getByText("1 of 1").waitFor();
  await pressWithKeyboard(button(page, "Approve"));
  await expect.poll(async () => (await readJob(first)).review?.verdict).toBe("approved");
  expect(problems).toEqual([]);
  await close();
});

test("a cut-out is seen whole, on a ground of choice, and enlarged about its middle", async () => {
  await doubtful("Z-1");
  await doubtful("Z-2");
  const { page, problems, go, close } = await fixture.open();
  // No other page was opened before: all that it needs comes with it.
  await go("/review");
  await cutOut(page, "Z-2").waitFor();
  const stage = page.getByRole("region", { name: /^The cut-out/ });
  const background = () =>
    stage.evaluate((element: unknown) => String((element as ViewedElement).computedStyleMap().get("background")));
  const scrolled = () =>
    stage.evaluate((element: unknown) => {
      const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = element as ViewedElement;
      return [(scrollLeft + clientWidth / 2) / scrollWidth, (scrollTop + clientHeight / 2) / scrollHeight];
    });
  expect(await background()).toContain("conic-gradient");
  const frame = (await stage.boundingBox())!;
  const picture = (await stage.getByRole("img").boundingBox())!;
  expect(picture.width).toBeLessThanOrEqual(frame.width);
  expect(picture.height).toBeLessThanOrEqual(frame.height);
  await page.keyboard.press("g");
  await expect.poll(background).toContain("rgb(255, 255, 255)");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.getByText("200 %").waitFor();
  for (const share of await scrolled()) expect(share).toBeCloseTo(0.5, 2);
  const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + 100, middle.y, { steps: 4 });
  await page.mouse.up();
  expect((await scrolled())[0]).toBeLessThan(0.48);
  await button(page, "Photo").waitFor();
  await page.keyboard.press("p");
  await stage.getByRole("img", { name: "Z-2, the photo" }).waitFor();
  // The ground is the reviewer's, the zoom the cut-out's.
  await page.keyboard.press("j");
  await stage.getByRole("img", { name: "Z-1, cut out" }).waitFor();
  await page.getByText("100 %").waitFor();
  expect(await background()).toContain("rgb(255, 255, 255)");
  expect(problems).toEqual([]);
  await close();
});

test("the brush keeps and removes by pointer, takes strokes back, and its matte is the free repeat's", async () => {
  const id = await doubtful("M-1");
  expect(await alphaAt(await readJob(id), lost)).toBe(0);
  const { page, problems, go, close } = await fixture.open();
  await go("/review");
  await cutOut(page, "M-1").waitFor();
  await button(page, "Mend").click();
  const surface = page.getByRole("application");
  await surface.locator("canvas").waitFor();
  expect(await button(page, "Save").isDisabled()).toBe(true);
  const stroke = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    const begin = await placeOf(surface, from);
    const end = await placeOf(surface, to);
    await page.mouse.move(begin.x, begin.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 8 });
    await page.mouse.up();
  };
  await stroke({ x: lost.x, y: lost.y - 60 }, { x: lost.x, y: lost.y + 60 });
  // A stroke too many, which is taken back.
  await stroke(beside, { x: beside.x + 30, y: beside.y });
  await button(page, "Undo").click();
  await button(page, "Remove").click();
  await page.getByLabel("Size").fill("0");
  await stroke({ x: 330, y: 300 }, { x: 340, y: 300 });
  await page.getByLabel(/^Snap to the edge/).uncheck();
  await button(page, "Save").click();
  await page.getByText("Status: mended").waitFor();
  const link = page.getByRole("link", { name: "Open job" });
  const linkedId = async () => (await link.getAttribute("href"))!.split("/").at(-1)!;
  await expect.poll(linkedId).not.toBe(id);
  const mendedId = await linkedId();
  const mended = await readJob(mendedId);
  expect(mended).toMatchObject({
    repeatOf: id,
    creditsCharged: 0,
    metadata: { sku: "M-1" },
    parameters: { refine: false },
  });
  const alphas = [lost, beside, { x: 335, y: 300 }, { x: 335, y: 340 }].map((spot) => alphaAt(mended, spot));
  expect(await Promise.all(alphas)).toEqual([255, 0, 0, 255]);
  await button(page, "Approve").click();
  await expect.poll(async () => (await readJob(mendedId)).review?.verdict).toBe("approved");
  expect(problems).toEqual([]);
  await close();
});

test("the brush works by keyboard, snaps to the edge by the refinement, and passes axe", async () => {
  const id = await doubtful("M-2");
  const { page, problems, go, close } = await fixture.open();
  await go("/review");
  await cutOut(page, "M-2").waitFor();
  await expect.poll(() => button(page, "Mend").isEnabled()).toBe(true);
  await page.keyboard.press("m");
  const surface = page.getByRole("application");
  await surface.locator("canvas").waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFindings(page), colorScheme).toEqual([]);
  }
  await page.keyboard.press("]");
  expect(await page.getByLabel("Size").inputValue()).toBe("3");
  const whole = (await surface.boundingBox())!;
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.getByText("200 %").waitFor();
  expect((await surface.boundingBox())!.width).toBeCloseTo(2 * whole.width, 0);
  await tabTo(surface);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await page.keyboard.press("x");
  await page.keyboard.press("Space");
  await page.keyboard.press("z");
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await pressWithKeyboard(button(page, "Save"));
  await page.getByText("Status: mended").waitFor();
  const { data } = (await (await fixture.stack.call("GET", "/v1/jobs?metadata.sku=M-2")).json()) as { data: Job[] };
  expect(data[0]).toMatchObject({ repeatOf: id, creditsCharged: 0, parameters: { refine: true } });
  // What a dab had removed and Z has given back.
  expect(await alphaAt(data[0]!, { x: 480, y: 320 })).toBeGreaterThan(128);
  expect(problems).toEqual([]);
  await close();
});

test("five hundred scroll with a few entries on the page, and are read as they come into sight", async () => {
  const id = await doubtful("L-0");
  const job = await readJob(id);
  const { page, go, close } = await fixture.open();
  const total = 500;
  let pages = 0;
  await page.route("**/v1/jobs?*", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    if (query.get("quality") !== "review") return await route.continue();
    pages += 1;
    const from = Number(query.get("cursor") ?? 0);
    const limit = Number(query.get("limit"));
    const data = Array.from({ length: Math.min(limit, total - from) }, (_, i) => ({
      ...job,
      // The first is the real one.
      id: from + i === 0 ? id : id.slice(0, -6) + String(from + i).padStart(6, "0"),
      metadata: { sku: `L-${from + i}` },
    }));
    const nextCursor = from + limit < total ? { nextCursor: String(from + limit) } : {};
    await route.fulfill({ json: { data, ...nextCursor } });
  });
  await go("/review");
  const list = page.getByRole("region", { name: "Doubtful cut-outs" });
  await list.getByText("L-0", { exact: true }).waitFor();
  const entries = () => list.getByRole("listitem").count();
  expect(await entries()).toBeLessThan(40);
  expect(pages).toBe(1);
  await list.hover();
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 4_000);
        expect(await entries()).toBeLessThan(40);
        return await list.getByText(`L-${total - 1}`, { exact: true }).count();
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBe(1);
  expect(pages).toBe(5);
  await page.getByText(`1 of ${total}`).waitFor();
  await list.getByText(`L-${total - 1}`, { exact: true }).click();
  await page.keyboard.press("k");
  await cutOut(page, `L-${total - 2}`).waitFor();
  await close();
});

test("a batch's doubtful rows are reviewed from its page, also by pointer", async () => {
  const upload = async () => {
    const json = { contentType: "image/png", filename: "mug.png", sizeBytes: photo.length };
    const headers = { "Content-Type": "application/json" };
    const response = await fixture.stack.call("POST", "/v1/uploads", { body: JSON.stringify(json), headers });
    const session = (await response.json()) as CreatedUpload;
    await fetch(session.uploadUrl, { method: "PUT", body: new Uint8Array(photo), headers: session.headers });
    return session.uploadSessionId;
  };
  const items = [{ ref: "ROW-1", uploadSessionId: await upload() }];
  const made = await fixture.stack.call("POST", "/v1/batches", {
    body: JSON.stringify({ tool: "mask", items, onExisting: "redo" }),
    headers: { "Content-Type": "application/json" },
  });
  const { id } = (await made.json()) as Batch;
  const { page, problems, go, close } = await fixture.open();
  await go(`/batches/${id}`);
  await page.getByText("completed").first().waitFor();
  await page.getByRole("link", { name: "Review doubtful rows" }).click();
  await cutOut(page, "ROW-1").waitFor();
  await button(page, "Reject").click();
  await page.getByText("ROW-1 was rejected").waitFor();
  const review = await fixture.stack.call("GET", `/v1/batches/${id}/review?reviewed=true`);
  expect(((await review.json()) as { data: unknown[] }).data[0]).toMatchObject({
    batch: { ref: "ROW-1" },
    review: { verdict: "rejected" },
    resultUrl: null,
  });
  expect(problems).toEqual([]);
  await close();
});

test("its pages pass axe in light, in dark and on a phone, and nothing is wider than that", async () => {
  await doubtful("A-1");
  const tab = await fixture.open();
  expect(await faultsOfPages(tab, ["/review"])).toEqual([]);
  await tab.page.setViewportSize({ width: 360, height: 740 });
  await button(tab.page, "Mend").click();
  await tab.page.getByRole("application").locator("canvas").waitFor();
  expect(await sidewaysPixels(tab.page)).toBe(0);
  expect(tab.problems).toEqual([]);
  await tab.close();
});
