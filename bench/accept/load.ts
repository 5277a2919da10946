/** Edits by imageUrl over keep-alive connections: as fast as they are answered, or at a fixed rate. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { quantile } from "../measuring/statistics.ts";

export interface Target {
  readonly url: string;
  readonly key: string;
}

export interface Figures {
  readonly accepts: number;
  readonly refused: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const body = JSON.stringify({ imageUrl: "https://bench.example/shoe.jpg", parameters: { seed: 1 } });

export interface Load {
  /** `connectionsMax` requests in flight at all times. */
  saturate(targets: readonly Target[], options: { seconds: number; connectionsMax: number }): Promise<Figures>;
  /** Sends at a fixed rate, whether or not earlier requests are answered. Latency counts from when each was due. */
  steady(targets: readonly Target[], options: { seconds: number; perSecond: number }): Promise<Figures>;
  get(target: Target, path: string): Promise<number>;
  /** One accept; resolves with its milliseconds. */
  edit(target: Target): Promise<number>;
  close(): void;
}

/** `idempotencyKeys`: each edit has one, as those of careful clients. */
export function createLoad({ idempotencyKeys = false } = {}): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 512, scheduling: "fifo" });

  function send(target: Target, method: string, path: string, payload: string | undefined): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { Authorization: `Bearer ${target.key}` };
      if (payload !== undefined) {
        if (idempotencyKeys) headers["Idempotency-Key"] = randomUUID();
        headers["Content-Type"] = "application/json";
        headers["Content-Length"] = Buffer.byteLength(payload);
      }
      const call = request(target.url + path, { method, agent, headers }, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
      });
      call.once("error", reject);
      call.end(payload);
    });
  }

  const edit = (target: Target) => send(target, "POST", "/v1/tools/mask/edit", body);

  return {
    async saturate(targets, { seconds, connectionsMax }) {
      const times: number[] = [];
      let refused = 0;
      let next = 0;
      const startedAt = performance.now();
      const endAt = startedAt + seconds * 1000;
      const worker = async () => {
        while (performance.now() < endAt) {
          const sentAt = performance.now();
          const status = await edit(targets[next++ % targets.length]!);
          if (status === 202) times.push(performance.now() - sentAt);
          else refused += 1;
        }
      };
      await Promise.all(Array.from({ length: connectionsMax }, worker));
      return figuresOf(times, refused, (performance.now() - startedAt) / 1000);
    },

    async steady(targets, { seconds, perSecond }) {
      const times: number[] = [];
      let refused = 0;
      const total = Math.round(seconds * perSecond);
      const startedAt = performance.now();
      const pending: Promise<void>[] = [];
      for (let sent = 0; sent < total; ) {
        const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond) + 1);
        for (; sent < due; sent++) {
          const dueAt = startedAt + (sent / perSecond) * 1000;
          pending.push(
            edit(targets[sent % targets.length]!).then((status) => {
              if (status === 202) times.push(performance.now() - dueAt);
              else refused += 1;
            }),
          );
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await Promise.all(pending);
      return figuresOf(times, refused, (performance.now() - startedAt) / 1000);
    },

    async get(target, path) {
      const sentAt = performance.now();
      const status = await send(target, "GET", path, undefined);
      if (status !== 200) throw new Error(`GET ${path}: ${status}`);
      return performance.now() - sentAt;
    },

    async edit(target) {
      const sentAt = performance.now();
      const status = await edit(target);
      if (status !== 202) throw new Error(`edit: ${status}`);
      return performance.now() - sentAt;
    },

    close: () => agent.destroy(),
  };
}

function figuresOf(times: readonly number[], refused: number, seconds: number): Figures {
  const sorted = [...times].sort((a, b) => a - b);
  return {
    accepts: times.length,
    refused,
    seconds,
    perSecond: times.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  };
}
