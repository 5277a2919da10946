import { parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import { expect, it } from "vitest";
import { bucketsOf } from "./load-version.ts";

const configOf = (batching: string) =>
  parseModelConfig(
    `name: "m" max_batch_size: 16 ${batching}
     input { name: "a" data_type: TYPE_UINT8 dims: 2 } output { name: "b" data_type: TYPE_UINT8 dims: 2 }`,
    "config.pbtxt",
  );

it("plans fewer buckets on a GPU, where each takes a session, unless config.pbtxt names them", () => {
  const unnamed = configOf("dynamic_batching { }");
  expect(bucketsOf(unnamed, false)).toEqual([1, 2, 4, 8, 16]);
  expect(bucketsOf(unnamed, true)).toEqual([1, 4, 16]);
  const named = configOf("dynamic_batching { preferred_batch_size: [ 1, 2, 8 ] }");
  for (const onGpu of [false, true]) expect(bucketsOf(named, onGpu)).toEqual([1, 2, 8, 16]);
});
