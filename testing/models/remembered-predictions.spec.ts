import { expect, test } from "vitest";
import type { ModelClient } from "../../services/inference/model-client/model-client.ts";
import { rememberPredictions } from "./remembered-predictions.ts";

function countingModels(answers: readonly (number | Error)[]) {
  const asked: string[] = [];
  const models: ModelClient = {
    describe: () => Promise.reject(new Error("nobody asks")),
    async predict({ model }) {
      const answer = answers[asked.push(model) - 1]!;
      if (answer instanceof Error) throw answer;
      return { output: { shape: [1, 1, 1, 1], data: Uint8Array.of(answer) }, modelName: model, modelVersion: "1" };
    },
  };
  const remembered = rememberPredictions(models);
  const request = { tenant: "test", deadlineAtMs: Number.POSITIVE_INFINITY, signal: new AbortController().signal };
  const predict = async (model: string, data: readonly number[], shape = [1, 1, data.length, 1]) => {
    const { output } = await remembered.predict({ ...request, model, input: { shape, data: Uint8Array.from(data) } });
    return output.data;
  };
  return { asked, predict };
}

test("the same input is predicted once, at the same time, too; another input, shape or model is not it", async () => {
  const { asked, predict } = countingModels([1, 2, 3, 4]);
  expect((await Promise.all([predict("a", [7, 8]), predict("a", [7, 8])])).flatMap((data) => [...data])).toEqual([
    1, 1,
  ]);
  expect([...(await predict("a", [7, 9]))]).toEqual([2]);
  expect([...(await predict("a", [7, 8], [1, 2, 1, 1]))]).toEqual([3]);
  expect([...(await predict("b", [7, 8]))]).toEqual([4]);
  expect([...(await predict("a", [7, 8]))]).toEqual([1]);
  expect(asked).toEqual(["a", "a", "a", "b"]);
});

test("whoever changes an answer changes it for nobody else, and what failed is asked again", async () => {
  const { predict } = countingModels([new Error("away"), 5]);
  await expect(predict("a", [7])).rejects.toThrow("away");
  (await predict("a", [7])).fill(0);
  expect([...(await predict("a", [7]))]).toEqual([5]);
});
