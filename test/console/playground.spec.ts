/**
 * The playground as a person uses it, in a real browser on a real stack.
 * @module-tag chromium
 */

import AdmZip from "adm-zip";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { mugPhoto, type PhotoFile } from "../../testing/console/console-stack.ts";
import { pressWithKeyboard, typeInto } from "../../testing/console/keyboard.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";

const fixture = jointConsole();

async function choose(page: Page, photos: readonly PhotoFile[]): Promise<void> {
  await page.getByLabel("Photos", { exact: true }).setInputFiles([...photos]);
}

/** What the page says of the edit that is shown. */
function report(page: Page) {
  return page.getByRole("region", { name: "Report" });
}

async function download(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  const chunks = await (await file.createReadStream()).toArray();
  return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

test("a photo is cut out: before and after by slider and keyboard, on any ground, to the pixel, and saved", async () => {
  const { page, problems, close } = await fixture.open();
  await choose(page, [await mugPhoto()]);
  const slider = page.getByRole("slider", { name: /before the edit/ });
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  expect(await slider.getAttribute("aria-valuetext")).toBe("51 % before, 49 % after");
  await page.getByRole("button", { name: "White" }).click();
  await page.getByRole("button", { name: "Color" }).click();
  await page.getByLabel("Ground color").fill("#ff8800");
  expect(await page.locator(".stage").getAttribute("style")).toContain("background: rgb(255, 136, 0)");
  await page.getByRole("button", { name: "400 %" }).click();
  expect((await page.locator(".stage").boundingBox())?.width).toBe(4 * 320);
  expect(await report(page).textContent()).toMatch(/The product takes \d+ % of the picture/);
  const { name, bytes } = await download(page, "Download");
  expect(name).toBe("mug-mask.png");
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 320, hasAlpha: true });
  expect(problems).toEqual([]);
  await close();
});

test("a shadow and a scene are made of the same photo, and variations of the scene by seed", async () => {
  const { page, problems, close } = await fixture.open();
  await page.getByRole("radio", { name: /AI shadows/ }).check();
  await choose(page, [await mugPhoto()]);
  await report(page)
    .getByText(/casts a .*shadow/)
    .waitFor();

  await page.getByRole("radio", { name: /AI background/ }).check();
  await page.getByLabel("Theme", { exact: true }).fill("oak table, morning light");
  await page.getByLabel("Seed", { exact: true }).fill("7");
  await page.getByRole("button", { name: "Edit again with the settings" }).click();
  await report(page)
    .getByText(/Words that shaped it: .*\boak\b/)
    .waitFor();
  await page.getByRole("button", { name: "Make 4 variations" }).click();
  const edits = page.getByRole("region", { name: "Edits of this photo" }).getByRole("button");
  for (const seed of [7, 8, 9, 10, 11]) await edits.filter({ hasText: `seed ${seed},` }).waitFor();
  expect(await edits.count()).toBe(6);
  await edits.filter({ hasText: "seed 7," }).click();
  expect(await report(page).textContent()).toContain("Seed 7");
  expect((await download(page, "Download")).name).toBe("mug-ai-bg.jpg");
  expect(problems).toEqual([]);
  await close();
});

test("a theme is chosen by its picture, and changed in words", async () => {
  const { page, problems, close } = await fixture.open();
  await page.getByRole("radio", { name: /AI background/ }).check();
  await page.getByText("Choose a theme").click();
  const shelf = page.getByRole("button", { name: "Oak shelf" });
  await shelf.scrollIntoViewIfNeeded();
  await expect
    .poll(() => shelf.locator("img").evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(240);
  await shelf.click();
  const words = page.getByLabel("Theme", { exact: true });
  expect(await words.inputValue()).toBe("oak shelf, olive wall");
  expect(await shelf.getAttribute("aria-pressed")).toBe("true");
  await words.fill("oak shelf");
  expect(await shelf.getAttribute("aria-pressed")).toBe("false");
  expect(problems).toEqual([]);
  await close();
});

test("a marketplace's preset shows its checks, and a result of another shape beside the photo", async () => {
  const { page, problems, close } = await fixture.open();
  await page.getByLabel("Preset", { exact: true }).selectOption("amazon-main");
  await choose(page, [await mugPhoto()]);
  const checks = page.getByRole("table", { name: "Checks of the preset" });
  await checks.waitFor();
  expect(await checks.getByRole("row").count()).toBeGreaterThan(3);
  await page.getByText("Before", { exact: true }).waitFor();
  expect(await page.getByRole("slider").count()).toBe(0);
  expect(problems).toEqual([]);
  await close();
});

test("several files of one edit are asked for by name, preset and format, listed, and saved together", async () => {
  const { page, problems, close } = await fixture.open();
  await page.getByText("All parameters").click();
  await page.getByText("Outputs", { exact: true }).click();
  const add = page.getByRole("button", { name: "Add a file" });
  for (let file = 0; file < 3; file++) await add.click();
  await page.getByRole("button", { name: "Remove file 2" }).click();
  const first = page.getByRole("group", { name: "File 1" });
  const second = page.getByRole("group", { name: "File 2" });
  expect(await second.getByLabel("Name", { exact: true }).inputValue()).toBe("file-3");
  await first.getByLabel("Name", { exact: true }).fill("amazon");
  await first.getByLabel("Preset", { exact: true }).selectOption("amazon-main");
  await second.getByLabel("Name", { exact: true }).fill("web");
  await second.getByText("Output", { exact: true }).click();
  await second.getByLabel("Format", { exact: true }).selectOption("webp");
  await second.getByLabel("Width", { exact: true }).fill("100");
  await choose(page, [await mugPhoto()]);
  const files = page.getByRole("table", { name: "Results of this job" });
  await files.waitFor();
  const rows = await files.getByRole("row").allTextContents();
  expect(rows.slice(1)).toEqual([
    expect.stringMatching(/^amazonimage\/jpeg.*All \d+ passed|^amazonimage\/jpeg.*Failed/),
    expect.stringMatching(/^webimage\/webp100 × /),
  ]);
  const { bytes } = await download(page, "Download all (1)");
  const names = new AdmZip(bytes).getEntries().map(({ entryName }) => entryName);
  expect(names).toEqual(["mug-mask-amazon.jpg", "mug-mask-web.webp"]);
  expect(problems).toEqual([]);
  await close();
});

test("settings are saved as a preset, by keyboard too, chosen for an edit, and deleted", async () => {
  const { page, problems, close } = await fixture.open();
  await page.getByRole("radio", { name: /Mask/ }).waitFor();
  const save = page.getByRole("button", { name: "Save as a preset" });
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel("Seed", { exact: true }).fill("17");
  await pressWithKeyboard(save);
  await typeInto(page.getByLabel("Name", { exact: true }), "Shop 17");
  await page.keyboard.press("Enter");
  expect(await page.getByLabel("Name", { exact: true }).evaluate(isValid)).toBe(false);
  await page.getByLabel("Name", { exact: true }).fill("shop-17");
  await page.keyboard.press("Enter");
  await page.getByText("The preset shop-17 is saved").waitFor();
  const readPreset = () => fixture.stack.call("GET", "/v1/presets/shop-17");
  expect(await (await readPreset()).json()).toMatchObject({ tool: "mask", parameters: { seed: 17 } });

  await page.getByLabel("Seed", { exact: true }).fill("");
  await page.getByLabel("Preset", { exact: true }).selectOption("shop-17 (yours)");
  await choose(page, [await mugPhoto()]);
  await report(page)
    .getByText(/Seed 17,/)
    .waitFor();
  await page.getByRole("button", { name: "Delete this preset" }).click();
  await page.getByRole("button", { name: "Delete the preset" }).click();
  await save.waitFor();
  expect((await readPreset()).status).toBe(404);
  expect(problems).toEqual([]);
  await close();
});

function isValid(input: unknown): boolean {
  return (input as { checkValidity(): boolean }).checkValidity();
}

test("the form has every parameter of every tool, with what the tool says about it", async () => {
  const { page, problems, close } = await fixture.open();
  const tools = (await (await fixture.stack.call("GET", "/v1/tools")).json()) as { data: ToolShape[] };
  const form = page.getByRole("form", { name: "Settings" });
  await page.getByText("All parameters").click();
  await page.getByText("Outputs", { exact: true }).click();
  await page.getByRole("button", { name: "Add a file" }).click();
  // It stays when the tool changes.
  for (const tool of tools.data) {
    await page.getByRole("radio", { name: new RegExp(tool.name) }).check();
    const text = ((await form.textContent()) ?? "").replaceAll("`", "");
    const missing = descriptionsIn(tool.parameters).filter((one) => !text.includes(one.replaceAll("`", "")));
    expect(missing, tool.id).toEqual([]);
  }
  expect(problems).toEqual([]);
  await close();
});

interface ToolShape {
  readonly id: string;
  readonly name: string;
  readonly parameters: Schema;
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function descriptionsIn({ properties = {} }: Schema): string[] {
  return Object.values(properties).flatMap((field) => [
    field.description ?? "",
    ...descriptionsIn(field),
    ...descriptionsIn(field.items ?? {}),
  ]);
}
