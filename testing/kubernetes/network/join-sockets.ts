import type { Socket } from "node:net";

/** Hands on what either side sends, also after the other has finished; when one breaks, so does the other. */
export function joinSockets(left: Socket, right: Socket): void {
  for (const [from, to] of [
    [left, right],
    [right, left],
  ] as const) {
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroySoon());
  }
}
