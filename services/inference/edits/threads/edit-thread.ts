/** A thread that runs one edit at a time, with a process of its own that decodes for it. */
import { parentPort, workerData } from "node:worker_threads";
import { createCagedDecoder } from "../../decoder/caged-decoder.ts";
import { relayedDecoders } from "../../decoder/decoder-relay.ts";
import { runEdit } from "../tools/run-edit.ts";
import type { EditThreadData, MessageFromThread } from "./edit-thread-messages.ts";
import { serveEdits } from "./serve-edits.ts";

const { decoders, decodeTimeoutMs, startTimeoutMs } = workerData as EditThreadData;
const decoder =
  decoders &&
  createCagedDecoder({
    startChild: relayedDecoders(decoders),
    decodeTimeoutMs,
    startTimeoutMs,
    onLost(cause, how) {
      const message: MessageFromThread = { kind: "decoder-lost", cause, how };
      parentPort!.postMessage(message);
    },
  });
serveEdits(parentPort!, (input) => runEdit({ ...input, decoder }));
