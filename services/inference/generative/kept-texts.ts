/** What the text encoder answered for the newest prompts: it takes longer than a step, and catalogs have few prompts. */
import type { GraphRunner, GraphTensor } from "./graph-runner.ts";

export function withKeptTexts(graphs: GraphRunner, textsMax: number): GraphRunner {
  const kept = new Map<string, GraphTensor>();
  return {
    async run(graph, inputs, signal) {
      if (graph !== "text_encoder") return await graphs.run(graph, inputs, signal);
      const key = inputs.input_ids!.data.join(" ");
      const known = kept.get(key);
      // The newest stand last, and the first one makes room.
      kept.delete(key);
      const answer = known ?? (await graphs.run(graph, inputs, signal));
      if (kept.size >= textsMax) kept.delete(kept.keys().next().value!);
      kept.set(key, answer);
      return answer;
    },
  };
}
