/** Preloaded into a server under soak: on SIGUSR2 it collects its garbage, so that what is kept can be told from it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  process.on("SIGUSR2", () => {
    collect();
    // What finalizers let go of falls to the next.
    setImmediate(collect);
  });
}
