import type { EditParameters, OutputFormat } from "@packshot/domain/edits/tools.ts";
import { expect, it } from "vitest";
import { overriddenParameters } from "./overridden.ts";

const picture = { imageUrl: "https://shop.example/a.jpg" };

it.each<readonly [OutputFormat, EditParameters, readonly string[]]>([
  ["png", { output: { margin: { top: "10%" } } }, ["output.margin"]],
  ["png", { output: { margin: { top: "10%" }, crop: "product" } }, []],
  ["png", { output: { align: "top", scale: 0.5 } }, ["output.align"]],
  ["png", { output: { align: "top", width: 800, height: 800 } }, []],
  ["jpeg", { output: { quality: 80, dpi: 300, lossless: true } }, ["output.lossless"]],
  ["webp", { output: { quality: 80, lossless: true } }, ["output.quality"]],
  ["png", { background: { kind: "gradient", angle: 90, blur: 0.5 } }, ["background.blur"]],
  [
    "png",
    { background: { color: "#ffffff", colorTo: "#d9d9d9", ...picture } },
    ["background.colorTo", "background.imageUrl"],
  ],
  ["png", { background: { kind: "image", ...picture } }, []],
  ["png", { backgroundImage: picture, output: { colorSpace: "source" } }, ["output.colorSpace"]],
  ["png", { output: { colorSpace: "source", background: "#ffffff" } }, []],
  [
    "png",
    { alphaOnly: true, outline: {}, logo: picture, background: {}, output: { background: "#ffffff" } },
    ["output.background", "background", "outline", "logo"],
  ],
  ["png", { shadow: { kind: "none", opacity: 0.5 } }, ["shadow.opacity"]],
  ["png", { shadow: { kind: "cast", opacity: 0.5 } }, []],
  ["jpeg", { scene: {}, output: { scale: 0.5, position: { y: 0 } } }, ["output.scale", "output.position.y"]],
])("a result as %s of %j names %j", (format, parameters, overridden) => {
  expect(overriddenParameters(parameters, format)).toEqual(overridden);
});

it("names the margins that are cut in the layout", () => {
  const parameters: EditParameters = {
    output: { crop: "product", margin: { top: "900px", left: "10%" }, quality: 80 },
  };
  expect(overriddenParameters(parameters, "png", ["top"])).toEqual(["output.margin.top", "output.quality"]);
});
