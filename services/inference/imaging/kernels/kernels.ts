/**
 * The kernels: the loops of matting, shadows and scenes that take most time, in WebAssembly with vectors (docs/adr/0033-kernels.md). Their source
 * is in assembly/; `node scripts/build-kernels.ts` compiles it. Arguments are addresses in the kernels' memory, and
 * numbers. testing/imaging-oracles/ has the same loops in plain TypeScript, with which tests compare them.
 */

import { readFileSync } from "node:fs";
import { kernelMemory } from "./kernel-memory.ts";
import { webAssembly } from "./web-assembly.ts";

type KernelName =
  | "addMoments"
  | "addToBlocks"
  | "addToCells"
  | "adler32"
  | "binsOf"
  | "boxFilterColumns"
  | "boxFilterRows"
  | "buildColorTable"
  | "buildWeightedTable"
  | "cauchyWeights"
  | "chessboardDistance"
  | "clear"
  | "collectMarks"
  | "compareWithBackdrop"
  | "composeSceneRow"
  | "contrastsOfGround"
  | "correctRun"
  | "countColors"
  | "countCovered"
  | "countDistances"
  | "countMarks"
  | "countRuns"
  | "distanceChannel"
  | "endOfOpaque"
  | "enlargeRow"
  | "fillFromAny"
  | "fillFromPure"
  | "fillGaps"
  | "fillUnknownRun"
  | "filterRow"
  | "findMatches"
  | "findSeeds"
  | "firstOpaque"
  | "firstPass"
  | "flipRows"
  | "floatBefore"
  | "fractalNoise"
  | "interleaveCells"
  | "invert"
  | "joinChannels"
  | "joinVisible"
  | "keepMarks"
  | "listEvidence"
  | "listMarks"
  | "longestOpaque"
  | "markEdge"
  | "markNearEdge"
  | "marksAbove"
  | "meansOfSquares"
  | "mergeMattes"
  | "mixRows"
  | "productProbabilities"
  | "reduceGroundRow"
  | "resampleColumn"
  | "resampleRows"
  | "rgbToLab"
  | "secondPass"
  | "selectFloat"
  | "separateChannels"
  | "signedDistance"
  | "spread"
  | "squaredDistances"
  | "sumOfSoftness"
  | "takeMarks"
  | "thresholdBytes"
  | "thresholdOfMeans"
  | "thresholdPlane"
  | "toneMapRow"
  | "toUnitRange"
  | "writeBits"
  | "writeRuns"
  | "writeTokens"
  | "writeTrimapRuns";

const module = new webAssembly.Module(readFileSync(new URL("./kernels.wasm", import.meta.url)));
const instance = new webAssembly.Instance(module, { env: { memory: kernelMemory } });

export const kernels = instance.exports as Readonly<Record<KernelName, (...addressesAndNumbers: number[]) => number>>;
