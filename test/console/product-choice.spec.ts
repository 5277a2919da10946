/**
 * The playground's picker: which of several things is the product, shown on the photo itself, in a real browser.
 * @module-tag chromium
 */
import type { Job } from "@packshot/sdk";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { mugPhoto, type PhotoFile } from "../../testing/console/console-stack.ts";
import { pressWithKeyboard } from "../../testing/console/keyboard.ts";
import { accessibilityFindings, sidewaysPixels } from "../../testing/console/page-checks.ts";
import { drawnMugs, type Mug, mugsSize } from "../../testing/images/drawn-mugs.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";

const fixture = jointConsole();
const mainMug: Mug = { x: 430, y: 480, height: 340, color: "#b03428" };
const lesserMug: Mug = { x: 760, y: 440, height: 190, color: "#2a4f8f" };

/** Shares of the photo, of the middle of a mug's body. */
const middleOf = ({ x, y, height }: Mug) => ({ x: x / mugsSize.width, y: (y - height / 2) / mugsSize.height });

async function choose(page: Page, photo: PhotoFile): Promise<void> {
  await page.getByLabel("Photos", { exact: true }).setInputFiles([photo]);
}

/** Two mugs of which an edit keeps one, and the photo as it is opened for choosing. */
async function openPicker() {
  const opened = await fixture.open();
  const { page } = opened;
  const buffer = await drawnMugs([mainMug, lesserMug], "room");
  await choose(page, { name: "mugs.png", mimeType: "image/png", buffer });
  await page.getByText(/^Of 2 things .* it keeps 1/).waitFor();
  const toggle = page.getByRole("button", { name: "Choose on the photo" });
  await toggle.click();
  expect(await toggle.getAttribute("aria-pressed")).toBe("true");
  // It is there when the photo is, and the photo has its size.
  await page.getByRole("button", { name: "Thing 1, chosen" }).waitFor();
  return { ...opened, words: page.getByText(/^(Chosen:|Nothing is chosen)/), photo: page.locator(".picker") };
}

/** The fields of the form, shown. */
async function openFields(page: Page) {
  const form = page.getByRole("form", { name: "Settings" });
  await form.getByText("All parameters", { exact: true }).click();
  const openGroup = async (name: string) => {
    const summary = form.getByText(name, { exact: true });
    await summary.click();
    return form.getByRole("group").filter({ has: page.locator("> summary").getByText(name, { exact: true }) });
  };
  const point = await openGroup("Point");
  const region = await openGroup("Region");
  return { x: point.getByLabel("X"), left: region.getByLabel("Left") };
}

test("a click on the photo and a box drawn on it fill the fields of the form, and the fields move them", async () => {
  const { page, problems, close, words, photo } = await openPicker();
  const field = await openFields(page);
  await words.getByText("Nothing is chosen yet.").waitFor();
  await photo.scrollIntoViewIfNeeded();
  const area = (await photo.boundingBox())!;
  const middle = middleOf(lesserMug);
  await photo.click({ position: { x: middle.x * area.width, y: middle.y * area.height } });
  await words.getByText(/^Chosen: the point 8\d/).waitFor();
  const x = Number((await field.x.inputValue()).replace("%", ""));
  expect(Math.abs(x - 100 * middle.x)).toBeLessThan(1);

  await field.x.fill("85%");
  await words.getByText(/^Chosen: the point 85 %/).waitFor();
  expect(await page.locator(".picker-point").getAttribute("style")).toContain("left: 85%");

  // The field may have scrolled it away.
  await photo.scrollIntoViewIfNeeded();
  const seen = (await photo.boundingBox())!;
  await page.mouse.move(seen.x + 0.7 * seen.width, seen.y + 0.3 * seen.height);
  await page.mouse.down();
  // To beyond the photo's right side.
  await page.mouse.move(seen.x + 1.02 * seen.width, seen.y + 0.9 * seen.height, { steps: 4 });
  await page.mouse.up();
  await words.getByText(/^Chosen: the point 85 %, .* in the box from (69|70).* to 100 %/).waitFor();
  expect(await field.left.inputValue()).toMatch(/^(69|70)(\.\d)?%$/);

  await page.getByRole("button", { name: "Clear the choice" }).click();
  await words.getByText("Nothing is chosen yet.").waitFor();
  expect([await field.x.inputValue(), await field.left.inputValue()]).toEqual(["", ""]);
  expect(problems).toEqual([]);
  await close();
});

/** How opaque a result is in the middle of each mug. */
async function alphasOf({ resultUrl }: Job): Promise<number[]> {
  const bytes = Buffer.from(await (await fetch(resultUrl!)).arrayBuffer());
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return [mainMug, lesserMug].map((mug) => {
    const { x, y } = middleOf(mug);
    return data[(Math.round(y * info.height) * info.width + Math.round(x * info.width)) * 4 + 3]!;
  });
}

test("of two things the lesser one is chosen by keyboard, and only the next edit of this photo keeps it", async () => {
  const { page, problems, close, words } = await openPicker();
  await pressWithKeyboard(page.getByRole("button", { name: "Thing 2, not chosen" }));
  await words.getByText(/^Chosen: the point 8\d/).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFindings(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await sidewaysPixels(page)).toBe(0);
  await pressWithKeyboard(page.getByRole("button", { name: "Edit again with the settings" }));
  await page.getByText(/^2 of 2 edits ended/).waitFor();
  await page.getByRole("slider").waitFor();

  // Another photo is edited without the choice.
  await choose(page, await mugPhoto());
  await page.getByText(/^3 of 3 edits ended/).waitFor();
  const { data } = (await (await fixture.stack.call("GET", "/v1/jobs?limit=3")).json()) as { data: Job[] };
  const chosen = data.filter(({ parameters }) => parameters.point !== undefined);
  expect(chosen).toHaveLength(1);
  expect(await alphasOf(chosen[0]!)).toEqual([0, 255]);
  expect(problems).toEqual([]);
  await close();
});
