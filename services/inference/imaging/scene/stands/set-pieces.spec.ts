import { createRandom } from "@packshot/domain/random.ts";
import { describe, expect, it } from "vitest";
import { contactOcclusion, hitPiece, noHit, type Piece, type Point, turned } from "./set-pieces.ts";
import { rockPlanes } from "./stand-materials.ts";

const solid = { u: 0.2, v: 0.5, bottom: -0.3, top: 0, color: [0.5, 0.5, 0.5] } as const;
const cylinder: Piece = { ...solid, shape: "cylinder", radius: 0.6 };
const box: Piece = { ...solid, shape: "box", halfU: 0.5, halfV: 0.4, turn: 0.3 };
const arch: Piece = { ...solid, shape: "arch", halfU: 0.5, halfV: 0.1 };
const portal: Piece = { ...solid, shape: "portal", halfU: 0.5, halfV: 0.1, openU: 0.3 };
const sphere: Piece = { ...solid, shape: "sphere", radius: 0.15 };
const look = () => {};
const log: Piece = {
  ...solid,
  shape: "log",
  halfU: 0.6,
  radius: 0.25,
  sunk: 0.1,
  turn: 0.4,
  material: look,
  side: look,
  end: look,
};
const hull: Piece = { ...solid, shape: "hull", radius: 0.9, planes: rockPlanes(0.5, 0.3, createRandom(3)) };
const pad: Piece = { ...solid, shape: "pad", radius: 0.6, radiusV: 0.4, radiusZ: 0.2, sunk: 0.1 };
const down: Point = [0, 0, -1];

/** How far a point is from the surface of the piece, roughly: 0 on it. */
function misses(piece: Piece, [u, v, z]: Point): number {
  const x = u - piece.u;
  const y = v - piece.v;
  const between = Math.max(0, piece.bottom - z, z - piece.top);
  switch (piece.shape) {
    case "sphere":
      return Math.abs(Math.hypot(x, y, z - piece.bottom - piece.radius) - piece.radius);
    case "cylinder":
      return between + Math.min(Math.abs(Math.hypot(x, y) - piece.radius), Math.abs(z - piece.top));
    case "box": {
      const a = Math.abs(x * Math.cos(piece.turn) + y * Math.sin(piece.turn)) - piece.halfU;
      const b = Math.abs(-x * Math.sin(piece.turn) + y * Math.cos(piece.turn)) - piece.halfV;
      const faces = [Math.abs(a), Math.abs(b), Math.abs(z - piece.top), Math.abs(z - piece.bottom)];
      return between + Math.max(0, a, b) + Math.min(...faces);
    }
    case "portal": {
      const across = z > piece.top ? Math.hypot(x, z - piece.top) : Math.abs(x);
      const within = Math.max(0, piece.openU - across);
      const face = Math.max(within, Math.abs(Math.abs(y) - piece.halfV));
      return Math.min(face, Math.abs(across - piece.openU), Math.abs(across - piece.halfU), Math.abs(z - piece.bottom));
    }
    case "arch": {
      const side = Math.abs(Math.abs(y) - piece.halfV);
      const head =
        z > piece.top ? Math.abs(Math.hypot(x, z - piece.top) - piece.halfU) : Math.abs(Math.abs(x) - piece.halfU);
      return Math.min(side, head, Math.abs(z - piece.bottom), Math.abs(z - piece.top));
    }
    case "log": {
      const [along, across] = turned(x, y, piece.turn);
      const round = Math.hypot(across, z - piece.top + piece.sunk) - piece.radius;
      const faces = [Math.abs(round), Math.abs(z - piece.top), Math.abs(Math.abs(along) - piece.halfU)];
      return Math.max(0, round, z - piece.top, Math.abs(along) - piece.halfU) + Math.min(...faces);
    }
    case "pad": {
      const far = Math.hypot(x / piece.radius, y / piece.radiusV, (z - piece.top + piece.sunk) / piece.radiusZ);
      return Math.max(0, far - 1, z - piece.top) + Math.min(Math.abs(far - 1), Math.abs(z - piece.top));
    }
    case "hull": {
      const outside = piece.planes.map(({ normal, far }) => normal[0] * x + normal[1] * y + normal[2] * z - far);
      return Math.abs(Math.max(...outside));
    }
  }
}

describe("rays on pieces of a set", () => {
  it.each([
    ["cylinder", cylinder],
    ["box", box],
    ["arch", arch],
    ["portal", portal],
    ["sphere", sphere],
    ["log", log],
    ["rock", hull],
    ["pad", pad],
  ] as const)("meet the surface of a %s, with a normal toward the ray", (_name, piece) => {
    const random = createRandom(5);
    let hits = 0;
    for (let i = 0; i < 4_000; i++) {
      const from: Point = [random.between(-2, 2), -3, random.between(0.1, 2)];
      const at: Point = [random.between(-0.6, 1), random.between(0, 1), random.between(-0.3, 0.5)];
      const along: Point = [at[0] - from[0], at[1] - from[1], at[2] - from[2]];
      const hit = noHit();
      hitPiece(piece, from, along, hit);
      if (hit.piece === null) continue;
      hits++;
      const point: Point = [from[0] + along[0] * hit.t, from[1] + along[1] * hit.t, from[2] + along[2] * hit.t];
      expect(misses(piece, point)).toBeLessThan(1e-6);
      const toward = hit.normalU * along[0] + hit.normalV * along[1] + hit.normalZ * along[2];
      expect(toward).toBeLessThanOrEqual(1e-9);
      expect(Math.hypot(hit.normalU, hit.normalV, hit.normalZ)).toBeCloseTo(1, 6);
    }
    expect(hits).toBeGreaterThan(100);
  });

  it("bend the faces of a cushion toward each other at its edges", () => {
    const up = (u: number) => {
      const hit = noHit();
      hitPiece({ ...box, turn: 0, round: 0.1 }, [u, 0.5, 1], down, hit);
      return hit.normalZ;
    };
    expect(up(0.2)).toBe(1);
    expect(up(0.69)).toBeLessThan(0.9);
  });

  it("meet the nearest piece first, and nothing behind their origin", () => {
    const lower: Piece = { ...cylinder, top: -0.1, radius: 1 };
    const nearest = (from: Point) => {
      const hit = noHit();
      for (const piece of [cylinder, lower, cylinder]) hitPiece(piece, from, down, hit);
      return hit.piece;
    };
    expect(nearest([0.2, 0.5, 1])).toBe(cylinder);
    expect(nearest([1, 0.5, 1])).toBe(lower);
    expect(nearest([0.2, 0.5, -1])).toBeNull();
  });

  it("pass through a portal, and meet the sides of its passage", () => {
    const hitFrom = (from: Point, along: Point) => {
      const hit = noHit();
      hitPiece(portal, from, along, hit);
      return hit;
    };
    expect(hitFrom([0.2, -1, -0.2], [0, 1, 0]).piece).toBeNull();
    expect(hitFrom([0.6, -1, -0.2], [0, 1, 0]).normalV).toBe(-1);
    const side = hitFrom([0.2, -0.6, -0.2], [0.3 / 1.1, 1, 0]);
    expect([side.piece, side.normalU]).toEqual([portal, -1]);
    expect(contactOcclusion(portal, 0.2, 0.5, -0.3)).toBeLessThan(contactOcclusion(arch, 0.2, 0.5, -0.3));
  });

  it("darken the floor beside a piece, and less further away", () => {
    const at = (u: number) => contactOcclusion(cylinder, u, 0.5, -0.3);
    expect(at(0.85)).toBeGreaterThan(at(1.1));
    expect(at(1.1)).toBeGreaterThan(at(2));
    expect(at(3)).toBeLessThan(0.001);
    expect(contactOcclusion({ ...sphere, bottom: 0.4 }, 0.2, 0.5, -0.3)).toBe(0);
  });
});
