/** Preloaded into the server of the soak: collects garbage on SIGUSR2, so that only live memory is measured. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  process.on("SIGUSR2", () => {
    collect();
    // The next collection frees what finalizers release.
    setImmediate(collect);
  });
}
