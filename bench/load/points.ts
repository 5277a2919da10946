/** Single measurements of a run, from k6's output: one JSON object a line. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const metrics = ["accept_ms", "completed_ms", "jobs_accepted"] as const;

export interface Point {
  readonly metric: (typeof metrics)[number];
  readonly atMs: number;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** Those that tables and charts are made of. */
export async function readPoints(path: string): Promise<Point[]> {
  const points: Point[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const metric = metrics.find((name) => line.includes(`"${name}"`));
    if (metric === undefined || !line.includes('"type":"Point"')) continue;
    const { data } = JSON.parse(line) as { data: { time: string; value: number; tags: Point["tags"] } };
    points.push({ metric, atMs: Date.parse(data.time), value: data.value, tags: data.tags });
  }
  return points;
}
