import { expect, test } from "vitest";
import { floats, type GraphRunner, integers } from "./graph-runner.ts";
import { withKeptTexts } from "./kept-texts.ts";

test("a prompt's text is encoded once, until others have taken its place; other graphs run each time", async () => {
  const ran: string[] = [];
  const graphs: GraphRunner = {
    async run(graph, inputs) {
      const data = Object.values(inputs)[0]!.data;
      ran.push(`${graph} ${data}`);
      return floats(Float32Array.of(Number(data[0])), [1]);
    },
  };
  const kept = withKeptTexts(graphs, 2);
  const { signal } = new AbortController();
  const encode = async (id: number) => {
    const { data } = await kept.run("text_encoder", { input_ids: integers([id], [1]) }, signal);
    return data[0];
  };
  expect([await encode(1), await encode(2), await encode(1), await encode(3)]).toEqual([1, 2, 1, 3]);
  expect(ran).toEqual(["text_encoder 1", "text_encoder 2", "text_encoder 3"]);
  // The second one was asked for least lately.
  expect([await encode(1), await encode(2)]).toEqual([1, 2]);
  expect(ran.slice(3)).toEqual(["text_encoder 2"]);
  for (const _ of [1, 2]) await kept.run("transformer", { hidden_states: floats(Float32Array.of(7), [1]) }, signal);
  expect(ran.slice(4)).toEqual(["transformer 7", "transformer 7"]);
});
