/** The checks of `packshot doctor` on nats-servers that are not its own: whether the log is safe with them. */
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams } from "@packshot/domain/subjects.ts";
import type { Settings } from "@packshot/platform/config/settings.ts";
import { connectNats, findConnectionProblem, type NatsSettings } from "../nats/connection.ts";
import { readNatsAccess } from "../nats/nats-access.ts";
import { readSchema, schemaProblem } from "../nats/schema.ts";
import { inboxPrefixOf, natsServices } from "./permissions.ts";

/** Links, leases and schedules count in seconds. */
const clockSkewMsMax = 2_000;
const requestTimeoutMs = 5_000;

export interface NatsFinding {
  readonly check: string;
  readonly state: "ok" | "warning" | "fault";
  /** What was found, and the remedy for a fault. */
  readonly message: string;
}

/** Never throws. */
export async function examineNats(settings: Settings): Promise<NatsFinding[]> {
  const urls = settings.PACKSHOT_NATS_URL.split(",");
  const ofServers = await Promise.all(urls.map((url) => examineServer(url.trim(), settings)));
  const ofMonitors = await Promise.all(settings.PACKSHOT_NATS_MONITOR_URLS.map(examineMonitor));
  const known = ofServers.flatMap(({ findings }) => findings);
  const connection = ofServers.map((server) => server.connection).find((found) => found !== undefined);
  const ofLog = connection === undefined ? [] : await examineLog(connection, settings);
  await Promise.all(ofServers.map((server) => server.connection?.close()));
  const unseen: NatsFinding = {
    check: "nats sync",
    state: "warning",
    message:
      "whether nats-server writes to disk before it confirms (sync_interval: always) shows only its monitoring: set PACKSHOT_NATS_MONITOR_URLS",
  };
  return [...known, ...ofLog, ...(ofMonitors.length === 0 ? [unseen] : ofMonitors.flat())];
}

interface ExaminedServer {
  readonly findings: readonly NatsFinding[];
  readonly connection?: NatsConnection;
}

async function examineServer(url: string, settings: Settings): Promise<ExaminedServer> {
  const check = "nats";
  try {
    const access = readNatsAccess(settings);
    // The chart's preflight asks as the migration.
    const service = natsServices.find((name) => name === access.user) ?? "doctor";
    const server: NatsSettings = { url, name: "packshot-doctor", access, inboxPrefix: inboxPrefixOf(service) };
    const problem = await findConnectionProblem(server);
    if (problem !== undefined) return { findings: [{ check, state: "fault", message: problem }] };
    const connection = await connectNats(server);
    const { version = "0.0.0", server_name: name, jetstream } = connection.info ?? {};
    const who = `${name ?? url} is nats-server ${version}`;
    if (!isAtLeast(version.split("-")[0]!, natsServerVersionMin)) {
      const message = `${who}: ${natsServerVersionMin} or newer is needed, older ones lose scheduled messages`;
      return { findings: [{ check, state: "fault", message }], connection };
    }
    if (jetstream !== true) {
      const message = `${who} without JetStream: add jetstream {} to its configuration ("packshot nats config")`;
      return { findings: [{ check, state: "fault", message }], connection };
    }
    return { findings: [{ check, state: "ok", message: who }], connection };
  } catch (error) {
    return { findings: [{ check, state: "fault", message: (error as Error).message }] };
  }
}

async function examineLog(connection: NatsConnection, settings: Settings): Promise<NatsFinding[]> {
  return await Promise.all([
    finding("nats limits", () => examineLimits(connection, settings)),
    finding("nats log", () => examineReplicas(connection)),
    finding("clock", () => examineClock(connection)),
  ]);
}

async function finding(check: string, examine: () => Promise<Omit<NatsFinding, "check">>): Promise<NatsFinding> {
  try {
    return { check, ...(await examine()) };
  } catch (error) {
    return { check, state: "fault", message: `nats-server did not answer: ${(error as Error).message}` };
  }
}

async function examineLimits(connection: NatsConnection, settings: Settings): Promise<Omit<NatsFinding, "check">> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: requestTimeoutMs });
  const { limits, storage } = await manager.getAccountInfo();
  const wanted = settings.PACKSHOT_LOG_MAX_BYTES;
  const max = limits.max_storage;
  const used = `${storage} bytes used`;
  if (max > 0 && wanted > max)
    return {
      state: "fault",
      message: `streams may take ${max} bytes, fewer than PACKSHOT_LOG_MAX_BYTES (${wanted}): raise the account's limit, or lower the setting`,
    };
  return { state: "ok", message: `${used}${max > 0 ? ` of ${max}` : ", no limit of the account"}` };
}

async function examineReplicas(connection: NatsConnection): Promise<Omit<NatsFinding, "check">> {
  const { record } = await readSchema(connection, requestTimeoutMs);
  const problem = schemaProblem(record);
  if (problem !== undefined) return { state: "warning", message: problem };
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: requestTimeoutMs });
  const { config, cluster } = await manager.streams.info(streams.state);
  const wanted = config.num_replicas;
  const current = 1 + (cluster?.replicas ?? []).filter((replica) => replica.current).length;
  const found = `schema version ${record!.version}, ${current} of ${wanted} replicas current`;
  if (current < wanted) return { state: "warning", message: `${found}: look whether all nats-servers run` };
  const isAlone = cluster?.name !== undefined && wanted === 1;
  const advice = "; in a cluster, packshot migrate --replicas 3 keeps it when a server dies";
  return { state: "ok", message: isAlone ? `${found}${advice}` : found };
}

async function examineClock(connection: NatsConnection): Promise<Omit<NatsFinding, "check">> {
  const sentAtMs = Date.now();
  const answer = await connection.request(`$JS.API.STREAM.INFO.${streams.state}`, "", { timeout: requestTimeoutMs });
  const answeredAtMs = Date.now();
  const { ts } = answer.json<{ ts?: string }>();
  if (ts === undefined) return { state: "warning", message: "not compared with nats-server's: there is no log yet" };
  const skewMs = Math.round(Math.abs(Date.parse(ts) - (sentAtMs + answeredAtMs) / 2));
  // How long the answer took says nothing of the clocks.
  if (skewMs - (answeredAtMs - sentAtMs) <= clockSkewMsMax)
    return { state: "ok", message: `within ${skewMs} ms of nats-server's` };
  return {
    state: "fault",
    message: `${(skewMs / 1000).toFixed(1)} s away from nats-server's: links, leases and schedules need machines with the same time (NTP)`,
  };
}

async function examineMonitor(url: string): Promise<NatsFinding[]> {
  const check = "nats sync";
  try {
    const response = await fetch(new URL("/jsz", url), { signal: AbortSignal.timeout(requestTimeoutMs) });
    const { config } = (await response.json()) as { config?: { sync_always?: boolean; max_storage?: number } };
    if (config?.sync_always === true)
      return [{ check, state: "ok", message: `${url} writes to disk before it confirms` }];
    const message = `${url} confirms what a power cut would lose: set sync_interval: always in jetstream {} ("packshot nats config")`;
    return [{ check, state: "fault", message }];
  } catch (error) {
    return [{ check, state: "fault", message: `${url} does not answer: ${(error as Error).message}` }];
  }
}

/** Older servers lack the limit on open batches, or lose scheduled messages in a work queue. */
export const natsServerVersionMin = "2.15.2";

export function isAtLeast(version: string, floor: string): boolean {
  const found = version.split(".").map(Number);
  const wanted = floor.split(".").map(Number);
  const differing = found.findIndex((part, index) => part !== wanted[index]);
  return differing === -1 || found[differing]! > wanted[differing]!;
}
