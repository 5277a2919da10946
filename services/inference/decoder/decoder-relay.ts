/**
 * The main thread starts the decoders of edit threads, and hands text on between a thread and its decoders. A thread that is
 * terminated has no loop any more that could collect its processes, which would then stay as zombies for as long as the worker
 * lives. Files and pixels do not come this way: the thread opens the file in memory itself.
 */

import type { MessagePort } from "node:worker_threads";
import type { Cage } from "./cage.ts";
import {
  type DecoderChild,
  type DecoderChildEvents,
  type DecoderEnd,
  type StartDecoderChild,
  spawnDecoder,
} from "./decoder-child.ts";

type ToMain =
  | { readonly kind: "start"; readonly id: number }
  | { readonly kind: "write"; readonly id: number; readonly text: string }
  | { readonly kind: "kill"; readonly id: number };

type FromMain =
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | { readonly kind: "output"; readonly id: number; readonly text: string }
  | { readonly kind: "ended"; readonly id: number; readonly end: DecoderEnd };

/** In the main thread. The decoders end when the other end of the port closes, as it does when its thread has ended. */
export function relayDecoders(port: MessagePort, cage: Cage): void {
  const children = new Map<number, DecoderChild>();
  const startChild = spawnDecoder(cage);
  const post = (message: FromMain) => port.postMessage(message);

  function start(id: number): void {
    const child = startChild({
      onStart: (pid) => post({ kind: "started", id, pid }),
      onOutput: (text) => post({ kind: "output", id, text }),
      onEnd(end) {
        children.delete(id);
        post({ kind: "ended", id, end });
      },
    });
    children.set(id, child);
  }

  port.on("message", (message: ToMain) => {
    if (message.kind === "start") start(message.id);
    else if (message.kind === "write") children.get(message.id)?.write(message.text);
    else children.get(message.id)?.kill();
  });
  port.once("close", () => {
    for (const child of children.values()) child.kill();
  });
  port.unref();
}

/** In the thread. */
export function relayedDecoders(port: MessagePort): StartDecoderChild {
  const listeners = new Map<number, DecoderChildEvents>();
  const post = (message: ToMain) => port.postMessage(message);
  let count = 0;
  port.on("message", (message: FromMain) => {
    const events = listeners.get(message.id);
    if (message.kind === "started") events?.onStart(message.pid);
    else if (message.kind === "output") events?.onOutput(message.text);
    else {
      listeners.delete(message.id);
      events?.onEnd(message.end);
    }
  });
  return (events) => {
    count += 1;
    const id = count;
    listeners.set(id, events);
    post({ kind: "start", id });
    return {
      write: (text) => post({ kind: "write", id, text }),
      kill: () => post({ kind: "kill", id }),
    };
  };
}
