/**
 * A small segmentation network with seeded random weights. It has the interface of a real one (input size, several
 * outputs, logits or probabilities), so that wrapping and serving are tested without files of hundreds of megabytes.
 */
import { floatTensor, node, value } from "./graph-builders.ts";
import { elementTypes, type OnnxModel, type OnnxNode, type OnnxTensor } from "./onnx-file.ts";

export interface TinySegmenterOptions {
  readonly width: number;
  readonly height: number;
  /** 3 or 4. */
  readonly channels: number;
  readonly inputName?: string;
  /** The first is the map; the others are its side outputs, as in u2net and isnet. */
  readonly outputNames?: readonly string[];
  /** False: the outputs are logits, as birefnet's are. */
  readonly sigmoid?: boolean;
  /** 1: the batch is fixed, as in some published files. */
  readonly batch?: "N" | 1;
  readonly opset?: number;
  readonly seed?: number;
  /** Number of layers and channels of each; more of them take more time. */
  readonly depth?: number;
  readonly hidden?: number;
}

export function tinySegmenter(options: TinySegmenterOptions): OnnxModel {
  const { width, height, channels, batch = "N", depth = 2, hidden = 8, sigmoid = true, opset = 17 } = options;
  const inputName = options.inputName ?? "input";
  const outputNames = options.outputNames ?? ["mask"];
  const random = seededRandom(options.seed ?? 1);
  const nodes: OnnxNode[] = [];
  const weights: OnnxTensor[] = [];
  const conv = (from: string, to: string, inC: number, outC: number): void => {
    const scale = Math.sqrt(2 / (inC * 9));
    weights.push(
      floatTensor(
        `${to}.weight`,
        [outC, inC, 3, 3],
        Array.from({ length: outC * inC * 9 }, () => random() * scale),
      ),
    );
    weights.push(
      floatTensor(
        `${to}.bias`,
        [outC],
        Array.from({ length: outC }, () => random() * 0.1),
      ),
    );
    nodes.push(node("Conv", [from, `${to}.weight`, `${to}.bias`], to, { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }));
  };
  let last = inputName;
  for (let layer = 0; layer < depth; layer += 1) {
    conv(last, `conv${layer}`, layer === 0 ? channels : hidden, hidden);
    nodes.push(node("Relu", [`conv${layer}`], `relu${layer}`));
    last = `relu${layer}`;
  }
  for (const [at, output] of outputNames.entries()) {
    if (sigmoid) {
      conv(last, `logits${at}`, hidden, 1);
      nodes.push(node("Sigmoid", [`logits${at}`], output));
    } else {
      conv(last, output, hidden, 1);
    }
  }
  return {
    irVersion: 8,
    producerName: "packshot",
    opsetImport: [{ domain: "", version: opset }],
    metadataProps: [],
    graph: {
      name: "tiny-segmenter",
      node: nodes,
      initializer: weights,
      input: [value(inputName, elementTypes.float32, [batch, channels, height, width])],
      output: outputNames.map((name) => value(name, elementTypes.float32, [batch, 1, height, width])),
      valueInfo: [],
    },
  };
}

/** −1..1, the same sequence for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}
