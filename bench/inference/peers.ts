/** mosec and LitServe with the same u2netp.onnx and threads, measured alternately with our server. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Service, startService } from "../../cli/up/start-service.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { mean } from "../measuring/statistics.ts";
import { type Measured, pooledP99, startLoader, type Target } from "./load.ts";
import type { BenchModel } from "./models.ts";
import { type MeasuredServer, serverTarget } from "./processes.ts";
import { round2 } from "./report.ts";

const packages = ["mosec", "litserve", "onnxruntime==1.30.0", "numpy"];
const concurrencies = [1, 8, 32];
const startTimeoutMs = 120_000;

export interface PeersOptions {
  readonly server: MeasuredServer;
  readonly model: BenchModel;
  /** The network as published: the peers normalize in numpy, as their users do. */
  readonly published: string;
  readonly threads: number;
  readonly windowMs: number;
  readonly rounds: number;
  readonly say: (text: string) => void;
}

interface MeasuredSystem {
  readonly target: Target;
  /** Suspends and resumes its processes. LitServe's idle loops wake 3,400 times a second, which disturbs the others. */
  suspend(): void;
  resume(): void;
}

/** One row per concurrency and server, from alternating windows; peers are suspended while others are measured. */
export async function comparePeers(options: PeersOptions): Promise<Record<string, string | number>[]> {
  const python = peersPython(options.say);
  const peers: Service<Target>[] = [];
  try {
    const target = serverTarget(options.server.address, options.model);
    // Ours uses 0.6 ms a second when idle and is not suspended, because its connection would break.
    const systems: MeasuredSystem[] = [{ target, suspend() {}, resume() {} }];
    for (const name of ["mosec", "litserve"]) {
      const peer = await onFreePorts(1, ([port]) => startPeer(python, name, port!, options));
      peers.push(peer);
      const system: MeasuredSystem = {
        target: peer.ready,
        suspend: () => process.kill(-peer.pid, "SIGSTOP"),
        resume: () => process.kill(-peer.pid, "SIGCONT"),
      };
      system.suspend();
      systems.push(system);
    }
    const rows: Record<string, string | number>[] = [];
    for (const concurrency of concurrencies) rows.push(...(await measureAlternately(systems, concurrency, options)));
    for (const system of systems) system.target.close();
    return rows;
  } finally {
    await Promise.all(peers.map((peer) => peer.kill()));
  }
}

async function measureAlternately(
  systems: readonly MeasuredSystem[],
  concurrency: number,
  { windowMs, rounds }: PeersOptions,
) {
  const taken = new Map<Target, Measured[]>(systems.map(({ target }) => [target, []]));
  // The watch ends before the peers do: the time of their workers would then count as other load.
  const others = watchOtherLoad();
  // With 32 in flight and five answers a second, a window must be several rounds long.
  const lengthMs = Math.max(windowMs, concurrency * 480);
  for (let round = 0; round < rounds; round += 1) {
    for (const { target, suspend, resume } of systems) {
      resume();
      // The first request may fail: the server closed idle connections while it was suspended.
      await target.once().catch(() => target.once());
      taken.get(target)!.push(await target.closed(concurrency, lengthMs));
      suspend();
    }
  }
  const othersShare = Math.round(100 * (others() ?? Number.NaN));
  return [...taken].map(([{ name }, windows]) => ({
    concurrency,
    server: name,
    "images/s": round2(mean(windows.map((w) => w.perSecond))),
    "p50 ms": Math.round(mean(windows.map((w) => w.p50Ms))),
    "p99 ms": Math.round(pooledP99(windows)),
    failed: windows.reduce((sum, w) => sum + w.refused, 0),
    "others' CPU %": othersShare,
  }));
}

/** A virtual environment outside the repository, created once. */
function peersPython(say: (text: string) => void): string {
  const home = join(tmpdir(), "packshot-bench-peers");
  const python = join(home, "bin", "python");
  if (!existsSync(join(home, "bin", "litserve")) && !existsSync(join(home, "bin", "lightning"))) {
    say(`installing ${packages.join(", ")} into ${home} …`);
    execFileSync("python3", ["-m", "venv", home]);
    execFileSync(python, ["-m", "pip", "install", "--quiet", ...packages], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return python;
}

function startPeer(
  python: string,
  name: string,
  port: number,
  { model, published, threads }: PeersOptions,
): Promise<Service<Target>> {
  const script = fileURLToPath(new URL(`./peers/${name}_server.py`, import.meta.url));
  const environment = {
    ...process.env,
    MODEL: published,
    THREADS: String(threads),
    PORT: String(port),
    OMP_NUM_THREADS: String(threads),
  };
  // mosec reads its own arguments from the command line.
  const args = name === "mosec" ? ["--port", String(port), "--address", "127.0.0.1", "--timeout", "300000"] : [];
  return startService({
    name,
    program: python,
    args: [script, ...args],
    environment,
    readyTimeoutMs: startTimeoutMs,
    waitForReady: ({ signal }) => waitForAnswer(name, port, model.side, signal),
  });
}

/** Image bytes in (LitServe takes them only inside JSON), raw matte bytes out, connections kept open. */
async function waitForAnswer(name: string, port: number, side: number, signal: AbortSignal): Promise<Target> {
  const [path, body] = name === "mosec" ? ["/inference", "raw"] : ["/predict", "json"];
  const target = startLoader(name, ["http", `http://127.0.0.1:${port}${path}`, String(side), body]);
  for (;;) {
    const isUp = await target.once().then(
      () => true,
      () => false,
    );
    if (isUp) return target;
    await delay(500, undefined, { signal });
  }
}
