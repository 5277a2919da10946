import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { createImageModelWatch } from "./image-model-watch.ts";

test("a watch names the image model that there is now, and none once no server has it", async () => {
  const said: (string | Error)[] = ["klein@1", "klein@2", new Error("not loaded"), "klein@2"];
  const seen: (string | undefined)[] = [];
  const over = Promise.withResolvers<void>();
  const watch = createImageModelWatch({
    painter: {
      async describe() {
        seen.push(watch.model());
        const next = said.shift();
        if (next === undefined) over.resolve();
        if (typeof next !== "string") throw next ?? new Error("over");
        return { model: next, steps: 4, patchPixels: 16, pixelsMax: 1 };
      },
    },
    everyMs: 1,
    logger: createLogger({ name: "test", level: "silent" }),
  });
  await watch.start();
  await over.promise;
  await watch.stop();
  expect(seen).toEqual([undefined, "klein@1", "klein@2", undefined, "klein@2"]);
  expect(watch.model()).toBeUndefined();
});
