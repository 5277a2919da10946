/**
 * `packshot sync` with shops on loopback, as a process of its own against a running stack. Shopify's queries are validated against
 * Shopify's schema.
 * @module-tag long
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../../testing/cli/run-cli.ts";
import { createShelf, linesOf, type Shelf } from "../../testing/cli/shelf.ts";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { type ShopMedia, startShopify } from "../../testing/shops/shopify.ts";
import { startWooCommerce } from "../../testing/shops/woocommerce.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const stack = jointStack();
const shopify = suiteFixture(startShopify);
const woo = suiteFixture(startWooCommerce);
let shelf: Shelf;

beforeEach(async () => {
  shelf = await createShelf(stack);
});
afterEach(async () => await shelf.remove());

const environment = () => ({
  PACKSHOT_URL: stack.file.apiUrl,
  PACKSHOT_KEY: stack.file.apiKey,
  SHOPIFY_ACCESS_TOKEN: shopify.token,
  WORDPRESS_USERNAME: woo.user.name,
  WORDPRESS_APPLICATION_PASSWORD: woo.user.password,
});
const sync = (args: readonly string[], more = {}) =>
  runCli(["sync", ...args, "--set", "output.width=64", "--json"], {
    cwd: shelf.cwd,
    environment: { ...environment(), ...more },
  });
const lastOf = (run: Awaited<ReturnType<typeof sync>>) => linesOf(run).at(-1);

describe("a shop of Shopify", () => {
  const photoOf = (id: number, path: string, alt: string | null = null): ShopMedia => ({
    __typename: "MediaImage",
    id: `gid://shopify/MediaImage/${id}`,
    alt,
    status: "READY",
    image: { url: `${shopify.url}${path}` },
  });
  const mug = () => shopify.products[11]!;

  beforeAll(async () => {
    for (const [index, color] of ["#aa2020", "#2020aa"].entries()) {
      shopify.photos.set(`/files/${index}.jpg`, await drawnMug(color));
    }
    for (let id = 1; id <= 12; id++) {
      shopify.products.push({ id: `gid://shopify/Product/${id}`, title: `Mug ${id}`, handle: `mug-${id}`, media: [] });
    }
    const video: ShopMedia = { __typename: "Video", id: "gid://shopify/Video/5", alt: null, status: "READY" };
    const processing = { ...photoOf(7, "/files/0.jpg"), status: "PROCESSING" } as const;
    shopify.products[2]!.media.push(video, processing, photoOf(2, "/files/1.jpg?v=1", "A blue mug"));
    // Its page of media is followed by another.
    mug().media.push(
      ...Array.from({ length: 50 }, (_, index) => ({ ...video, id: `gid://shopify/Video/${100 + index}` })),
    );
    mug().media.push(photoOf(1, "/files/0.jpg?v=1"));
  });

  test("is looked at by a dry run, gets a further media for each photo, and none twice", async () => {
    const before = await shelf.credits();
    const shop = ["shopify", shopify.url];
    const planned = await sync([...shop, "--dry-run"]);
    expect(planned.stderr).toBe("");
    expect(linesOf(planned)).toMatchObject([
      { event: "would", work: "edit", photo: "mug-3/2", goesTo: "media of mug-3" },
      { event: "would", work: "edit", photo: "mug-12/1" },
      { event: "plan", edits: 2, credits: 2 },
    ]);
    expect(new Set(shopify.operations)).toEqual(new Set(["Products", "ProductMedia"]));
    expect(await shelf.credits()).toBe(before);

    shopify.throttle(2);
    const first = await sync([...shop, "--yes"]);
    expect([first.status, first.stderr]).toEqual([0, ""]);
    const [video, processing, photo, result, ...more] = shopify.products[2]!.media;
    expect([video!.id, processing!.id, photo!.alt, more]).toEqual([
      "gid://shopify/Video/5",
      "gid://shopify/MediaImage/7",
      "A blue mug",
      [],
    ]);
    expect(result!.alt).toMatch(/^A blue mug \[packshot [0-9a-f]{16}\]$/);
    expect(mug().media[51]!.alt).toMatch(/^Mug 12 \[packshot/);
    const made = shopify.photos.get(new URL(result!.image!.url).pathname)!;
    expect(await sharp(made).metadata()).toMatchObject({ format: "png", width: 64, hasAlpha: true });

    expect(lastOf(await sync([...shop, "--dry-run"]))).toMatchObject({ edits: 0, deliveries: 0, done: 2 });

    // The same photo under another address: the shop has its result already.
    shopify.products[2]!.media[2]!.image!.url = `${shopify.url}/files/1.jpg?v=moved`;
    const fetchedOnce = shopify.fetches.length;
    expect((await sync(shop)).status).toBe(0);
    expect([shopify.products[2]!.media.length, shopify.fetches.length]).toEqual([4, fetchedOnce]);
    expect(lastOf(await sync([...shop, "--dry-run"]))).toMatchObject({ edits: 0, done: 2 });
    shopify.products[2]!.media[2]!.image!.url = `${shopify.url}/files/1.jpg?v=1`;

    // Without a journal the marks of results say of which photos and settings they are: nothing is fetched or paid again.
    await rm(join(shelf.cwd, "packshot-sync"), { recursive: true });
    const fetched = shopify.fetches.length;
    expect(lastOf(await sync([...shop, "--dry-run"]))).toMatchObject({ edits: 0, deliveries: 0, done: 2 });
    expect((await sync(shop)).status).toBe(0);
    expect([shopify.fetches.length, shopify.products[2]!.media.length, mug().media.length]).toEqual([fetched, 4, 52]);
    expect(await shelf.credits()).toBe(before - 2);
    // What other settings would make is another edition.
    const others = await sync([...shop, "--set", "output.format=webp", "--dry-run"]);
    expect(lastOf(others)).toMatchObject({ edits: 2, done: 0 });

    shopify.photos.set("/files/1.jpg", await drawnMug("#20aa20"));
    shopify.products[2]!.media[2]!.image!.url = `${shopify.url}/files/1.jpg?v=2`;
    expect(lastOf(await sync([...shop, "--yes"]))).toMatchObject({ event: "summary", edited: 1 });
    expect(shopify.products[2]!.media.map(({ id }) => id)).toHaveLength(5);
    const asked = ["Products", "ProductMedia", "StageUpload", "AddMedia"];
    expect(new Set(shopify.operations), "nothing is deleted").toEqual(new Set(asked));
  });

  test.each([
    ["without a token", undefined, { SHOPIFY_ACCESS_TOKEN: "" }, "set SHOPIFY_ACCESS_TOKEN"],
    ["with a wrong one", undefined, { SHOPIFY_ACCESS_TOKEN: "shpat_wrong" }, "answered 401"],
    ["in the clear", "http://mugs.myshopify.com", {}, "must begin with https://"],
  ])("%s ends with why, and without the token", async (_what, shop, more, why) => {
    const { status, stderr, stdout } = await sync(["shopify", shop ?? shopify.url, "--dry-run"], more);
    expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(stderr + stdout).not.toContain("shpat_");
  });
});

describe("a shop of WooCommerce", () => {
  const imageOf = (id: number, alt = "") => ({
    id,
    src: `${woo.url}/photos/${id}.jpg`,
    name: `photo ${id}`,
    alt,
    date_modified_gmt: "2026-11-20T12:00:00",
  });
  const shop = () => ["woocommerce", woo.url];

  beforeAll(async () => {
    for (const [id, color] of [
      [1, "#aa2020"],
      [2, "#2020aa"],
    ] as const) {
      woo.photos.set(`/photos/${id}.jpg`, await drawnMug(color));
    }
    for (let id = 1; id <= 101; id++) woo.products.push({ id, name: `Pot ${id}`, slug: `pot-${id}`, images: [] });
    woo.products[0]!.images = [imageOf(1, "A red pot"), imageOf(2)];
    woo.products[100]!.images = [imageOf(0), imageOf(2)];
  });

  test("keeps its images and their order, and gets results after them", async () => {
    const before = await shelf.credits();
    const planned = await sync([...shop(), "--dry-run"]);
    expect(lastOf(planned)).toMatchObject({ event: "plan", edits: 3, credits: 3 });
    expect(woo.requests.every((line) => line === "GET /wc/v3/products")).toBe(true);
    woo.setFault((line) => (line === "POST /wp/v2/media" ? 429 : undefined));
    const first = await sync([...shop(), "--yes"]);
    expect([first.status, first.stderr]).toEqual([0, ""]);
    const [red, second, ...results] = woo.products[0]!.images;
    expect([red, second]).toEqual([imageOf(1, "A red pot"), imageOf(2)]);
    expect(results.map(({ alt }) => alt).sort()).toEqual([
      expect.stringMatching(/^A red pot \[packshot [0-9a-f]{16}\]$/),
      expect.stringMatching(/^Pot 1 \[packshot [0-9a-f]{16}\]$/),
    ]);
    const made = woo.photos.get(new URL(results[0]!.src).pathname)!;
    expect(await sharp(made).metadata()).toMatchObject({ format: "png", width: 64 });
    expect(woo.products[100]!.images).toHaveLength(3);
    expect(lastOf(await sync([...shop(), "--dry-run"]))).toMatchObject({ edits: 0, deliveries: 0, done: 3 });
    await rm(join(shelf.cwd, "packshot-sync"), { recursive: true });
    expect(lastOf(await sync([...shop(), "--dry-run"]))).toMatchObject({ edits: 0, deliveries: 0, done: 3 });
    expect(await shelf.credits()).toBe(before - 3);
    expect(woo.requests.filter((line) => line.startsWith("DELETE"))).toEqual([]);
  });

  test("runs with other settings in turns edit nothing twice", async () => {
    const webp = ["--set", "output.format=webp"];
    for (const settings of [[], webp]) expect((await sync([...shop(), ...settings, "--yes"])).status).toBe(0);
    for (const settings of [[], webp])
      expect(lastOf(await sync([...shop(), ...settings, "--dry-run"]))).toMatchObject({ edits: 0, deliveries: 0 });
  });

  test("whose product's name leads out of the folder of results pays nothing for it", async () => {
    const before = await shelf.credits();
    woo.photos.set("/photos/9.jpg", await drawnMug("#557755"));
    woo.products.push({ id: 900, name: "Hostile", slug: "../../../escaped", images: [imageOf(9)] });
    const run = await sync([...shop(), "--yes"]);
    woo.products.pop();
    expect([run.status, run.stdout]).toEqual([3, expect.stringContaining("lead out of the folder")]);
    expect(linesOf(run).filter(({ event }) => event === "failed")).toMatchObject([{ code: "place_failed" }]);
    // The three others, where no test before has had them edited.
    expect(await shelf.credits()).toBeGreaterThanOrEqual(before - 3);
  });

  test("whose product could not be changed gets what is in its library already", async () => {
    woo.photos.set("/photos/3.jpg", await drawnMug("#20aa20"));
    woo.products[5]!.images = [imageOf(3)];
    woo.setFault((line) => (line === "PUT /wc/v3/products/6" ? 403 : undefined));
    const first = await sync([...shop(), "--yes"]);
    expect([first.status, first.stdout]).toEqual([3, expect.stringContaining('answered 403."')]);
    const uploads = () => woo.requests.filter((line) => line === "POST /wp/v2/media").length;
    const before = uploads();
    expect((await sync(shop())).status).toBe(0);
    expect([uploads(), woo.products[5]!.images.length]).toEqual([before, 2]);
    expect(first.stdout + first.stderr).not.toContain(woo.user.password);
  });
});
