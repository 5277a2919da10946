/**
 * Draws a flame graph of a profile that `node --cpu-prof` wrote:
 *
 *     node bench/measuring/flame-graph.ts PROFILE.cpuprofile TITLE > flame.svg
 *
 * A frame's width is its share of the time in which the thread was not idle; what is narrower than 0.4 % is left out.
 */

import { readFileSync } from "node:fs";

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface Frame {
  readonly name: string;
  ms: number;
  readonly children: Map<string, Frame>;
}

const width = 1200;
const rowHeight = 17;
const shareMin = 0.004;
const notShown = new Set(["(root)", "(idle)", "(program)"]);

/** The kernels' names by their index in the module, of which a profile knows no names. */
function kernelNames(): Map<number, string> {
  const bytes = readFileSync(new URL("../../services/inference/imaging/kernels/kernels.wasm", import.meta.url));
  let at = 8;
  const readNumber = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const names = new Map<number, string>();
  while (at < bytes.length) {
    const section = bytes[at++]!;
    const length = readNumber();
    const end = at + length;
    if (section === exportSection) {
      for (let left = readNumber(); left > 0; left--) {
        const nameLength = readNumber();
        const name = bytes.toString("latin1", at, at + nameLength);
        at += nameLength;
        const kind = bytes[at++]!;
        const index = readNumber();
        if (kind === 0) names.set(index, name);
      }
    }
    at = end;
  }
  return names;
}

const exportSection = 7;

/** Frames of the same name below the same frame are one. */
function readFrames(file: string): Frame {
  const profile = JSON.parse(readFileSync(file, "utf8")) as {
    readonly nodes: readonly ProfileNode[];
    readonly samples: readonly number[];
    readonly timeDeltas: readonly number[];
  };
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const ownMs = new Map<number, number>();
  for (const [n, id] of profile.samples.entries()) ownMs.set(id, (ownMs.get(id) ?? 0) + profile.timeDeltas[n]! / 1000);
  const kernels = kernelNames();
  const nameOf = ({ functionName, url }: ProfileNode["callFrame"]) => {
    if (!url.startsWith("wasm")) return `${functionName || "(anonymous)"} ${url.split("/").at(-1)!}`.trim();
    return `${kernels.get(Number(/\d+/.exec(functionName)?.[0])) ?? functionName} kernel`;
  };
  const all: Frame = { name: "all", ms: 0, children: new Map() };
  const add = (node: ProfileNode, parent: Frame): number => {
    const isFrame = !notShown.has(node.callFrame.functionName);
    const name = nameOf(node.callFrame);
    const frame = isFrame ? (parent.children.get(name) ?? { name, ms: 0, children: new Map() }) : parent;
    if (isFrame) parent.children.set(name, frame);
    const below = (node.children ?? []).reduce((sum, id) => sum + add(nodes.get(id)!, frame), 0);
    const ms = below + (isFrame ? (ownMs.get(node.id) ?? 0) : 0);
    if (isFrame) frame.ms += ms;
    return ms;
  };
  all.ms = add(profile.nodes[0]!, all);
  return all;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** @returns rectangles of a frame's children and what is above them */
function draw(frame: Frame, left: number, level: number, total: number): { svg: string; levels: number } {
  let svg = "";
  let levels = level;
  let x = left;
  for (const child of [...frame.children.values()].toSorted((a, b) => b.ms - a.ms)) {
    const wide = (child.ms / total) * width;
    if (child.ms < shareMin * total) continue;
    const share = `${((100 * child.ms) / total).toFixed(1)} %`;
    const hue = child.name.endsWith(" kernel") ? 200 : 20 + (child.name.length % 5) * 7;
    const label = escaped(child.name.slice(0, Math.max(0, Math.floor(wide / 6.3) - 1)));
    const y = level * rowHeight + 30;
    svg += `<g><title>${escaped(child.name)}: ${share}</title><rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="16" fill="hsl(${hue} 75% 70%)"/><text x="${(x + 3).toFixed(1)}" y="${y + 12}">${label}</text></g>\n`;
    const above = draw(child, x, level + 1, total);
    svg += above.svg;
    levels = Math.max(levels, above.levels);
    x += wide;
  }
  return { svg, levels };
}

const [, , file, ...title] = process.argv;
const all = readFrames(file!);
const { svg, levels } = draw(all, 0, 0, all.ms);
const height = (levels + 1) * rowHeight + 34;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<rect width="${width}" height="${height}" fill="white"/><text x="4" y="18" font-size="14">${escaped(title.join(" "))}</text>
${svg}</svg>
`);
