/**
 * Preloaded into the processes of a soak: each thread collects all its garbage at regular times. V8 lets a small heap fill
 * up to several times what it holds before it does so by itself, which over half an hour looks like a leak.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const collectEveryMs = 15_000;

setFlagsFromString("--expose-gc");
setInterval(runInNewContext("gc") as () => void, collectEveryMs).unref();
