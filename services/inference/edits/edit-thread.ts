/** A thread that runs one edit at a time. */
import { parentPort } from "node:worker_threads";
import { runEdit } from "./run-edit.ts";
import { serveEdits } from "./serve-edits.ts";

serveEdits(parentPort!, runEdit);
