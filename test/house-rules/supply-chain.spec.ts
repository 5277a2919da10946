/** What the product is made of: licenses that its users can live with, and a bill that names every part. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { billOfMaterials, readLock, runningPackages } from "../../scripts/bill-of-materials.ts";
import { expectNone } from "./expect-none.ts";

/** All of them allow use, change and resale with their notice kept. */
const allowed: ReadonlySet<string> = new Set([
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Unlicense",
  "(MIT OR CC0-1.0)",
]);

test("every package that runs has an allowed license", () => {
  const offenders = runningPackages(readLock())
    .filter(({ license }) => license === undefined || !allowed.has(license))
    .map(({ name, license }) => `${name}: ${license}`);
  // libvips has a package for each platform.
  const families = offenders.map((offender) =>
    offender.replace(/^(@img\/sharp)-(libvips|wasm32|win32)[^:]*/, "$1-libvips"),
  );
  expectNone("licenses", [...new Set(families)]);
});

test("packages without a license in the usual field have one in their own files", () => {
  const unnamed = runningPackages(readLock()).filter(({ license }) => license === undefined);
  expect(unnamed.map(({ name }) => name)).toEqual(["busboy", "streamsearch"]);
  for (const { name } of unnamed) {
    const file = new URL(`../../node_modules/${name}/LICENSE`, import.meta.url);
    expect(readFileSync(file, "utf8"), name).toContain("Permission is hereby granted, free of charge");
  }
});

test("the bill of materials names every package that is installed to run, and the weights as they are", () => {
  const { components } = billOfMaterials();
  const names = new Set(components.map(({ name }) => name));
  for (const name of ["express", "sharp", "onnxruntime-node", "@nats-io/jetstream", "pino"])
    expect(names).toContain(name);
  for (const name of ["vitest", "typescript", "@biomejs/biome", "knip"]) expect(names).not.toContain(name);
  const weights = components.find(({ name }) => name === "packshot-mask")!;
  const bytes = readFileSync(new URL("../../models/packshot-mask/1/model.onnx", import.meta.url));
  expect(weights.hashes).toEqual([{ alg: "SHA-256", content: createHash("sha256").update(bytes).digest("hex") }]);
  expect(weights).toMatchObject({ type: "machine-learning-model", licenses: [{ expression: "Apache-2.0" }] });
  expect(JSON.stringify(billOfMaterials())).toBe(JSON.stringify({ ...billOfMaterials(), components }));
});

test("what the bill says of a package is what lies in node_modules", () => {
  const wrong = Object.entries(readLock()).filter(([path, { version, link, dev, optional }]) => {
    if (!path.includes("node_modules/") || link === true || dev === true) return false;
    const manifest = new URL(`../../${path}/package.json`, import.meta.url);
    if (!existsSync(manifest)) return optional !== true;
    return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version !== version;
  });
  expect(wrong.map(([path]) => path)).toEqual([]);
});
