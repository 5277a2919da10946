/**
 * What each service may do in nats-server, and nothing else: `server-config.ts` renders it into the servers'
 * configuration. Writes are as exact as subjects are; reads are exact by stream, because a request for a record names the
 * record in its body, which nats-server does not look at (docs/adr/0018-nats-permissions.md).
 */

import { lanes } from "@packshot/domain/accounts/lane.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { deliverySubjects } from "@packshot/domain/webhooks/delivery.ts";
import { leaderElectedSubjects } from "../nats/leader-watch.ts";
import { listStateStreams } from "../nats/state-streams.ts";
import { deliveriesConsumerName, laneConsumerName, sourcePrefetchConsumerName } from "../nats/streams.ts";

/** Each is one user of nats-server. The model server is none of them. */
export const natsServices = ["api", "worker", "webhooks", "migrate", "backup", "doctor"] as const;
export type NatsService = (typeof natsServices)[number];

export interface SubjectRules {
  readonly allow: readonly string[];
  /** What `allow` would include. */
  readonly deny: readonly string[];
}

export interface NatsPermissions {
  readonly publish: SubjectRules;
  readonly subscribe: SubjectRules;
}

/** Begins the subjects of a service's answers, which no other service may listen to. */
export function inboxPrefixOf(service: NatsService): string {
  return `_INBOX_${service}`;
}

/** The largest log has four. Permissions for streams that a smaller log lacks do no harm. */
const stateStreams = listStateStreams(4);
const states = stateStreams.map(({ state }) => state);
const events = stateStreams.map(({ events: name }) => name);
const all = [...states, ...events, streams.ready, streams.ledger, streams.deliveries, streams.attempts];

const info = (stream: string) => `$JS.API.STREAM.INFO.${stream}`;
const read = (stream: string) => `$JS.API.STREAM.MSG.GET.${stream}`;
const acks = (stream: string, consumer: string) => `$JS.ACK.${stream}.${consumer}.>`;

/** Takes messages of a durable consumer that the migration has made. */
function take(stream: string, consumer: string): string[] {
  return [`$JS.API.CONSUMER.INFO.${stream}.${consumer}`, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`];
}

/**
 * Reads a stream in order by ephemeral consumers of one's own: durable ones would need the subject with a name. nats-server
 * names them at random, and nobody may list those of others.
 */
function follow(stream: string): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
    `$JS.API.CONSUMER.DELETE.${stream}.*`,
  ];
}

/** Whoever follows a stream with a durable consumer leaves that one alone. */
function leaveAlone(stream: string, consumer: string): string[] {
  return [`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, `$JS.API.CONSUMER.DELETE.${stream}.${consumer}`];
}

const prefetchOfOthers = states.flatMap((state) => leaveAlone(state, sourcePrefetchConsumerName));

/** In any state stream: `log0` to `log3` stand where the shard does. */
const cursorOf = (follower: string) => `ps.*.cursor.${follower}`;
const leaseOf = (name: string) => `ps.*.lease.${name}`;
/** Cursor and lease of the fan-out. */
const fanOutName = "webhooks";

const apiRecords = [
  subjects.account("*"),
  subjects.keyByHash("*", "*"),
  subjects.apiKey("*", "*"),
  subjects.upload("*", "*"),
  subjects.job("*", "*"),
  subjects.review("*", "*"),
  subjects.wait.live("*", "*"),
  subjects.wait.sandbox("*", "*"),
  subjects.idempotency("*", "*"),
  subjects.webhook("*", "*"),
  subjects.webhookChange("*"),
  subjects.connection("*", "*"),
  subjects.preset("*", "*"),
  subjects.audit("*", "*"),
  subjects.erasure("*"),
  subjects.batch("*", "*"),
  ...(["keys", "webhooks", "connections", "presets", "batches", "usage", "uploads"] as const).map((kind) =>
    subjects.index("*", kind),
  ),
  subjects.usage("*", "*"),
  subjects.ready("*", "*", "*"),
  subjects.event("*", "*", "*"),
  subjects.ledger("*", "*", "*", "*"),
  subjects.incidents,
];

const anyDelivery = { accountId: "*", webhookId: "*", eventId: "*" };

const rules: Readonly<Record<NatsService, () => Rules>> = {
  /** Accounts, keys and all that belongs to them; keeper, janitor, repair and the archive of the ledger. */
  api: () => ({
    publish: [
      ...apiRecords,
      cursorOf("*"),
      leaseOf("*"),
      // A client asks for a delivery again.
      deliverySubjects.retry(anyDelivery),
      subjects.abort("*"),
      subjects.look,
      ...["ps-api.alive", "ps-api.accept.*", subjects.processAlive],
      // The answer to another API process, which forwarded an accept.
      `${inboxPrefixOf("api")}.>`,
      // The answer to a worker, which asked for a link.
      `${inboxPrefixOf("worker")}.>`,
      ...all.flatMap((stream) => [info(stream), read(stream)]),
      ...[...states, ...events, streams.ledger, streams.attempts].flatMap(follow),
      ...lanes.map((lane) => `$JS.API.CONSUMER.INFO.${streams.ready}.${laneConsumerName(lane)}`),
      // What is archived.
      `$JS.API.STREAM.PURGE.${streams.ledger}`,
    ],
    denied: [cursorOf(fanOutName), leaseOf(fanOutName), ...prefetchOfOthers],
    subscribe: [
      subjects.progress("*"),
      subjects.lookAnswer("*"),
      "ps-api.alive",
      "ps-api.accept.*",
      subjects.bucketLink,
      subjects.processAlive,
    ],
  }),

  /** Claims, ends and requeues jobs. What an end means for the account is settled by the API, which reads its event. */
  worker: () => ({
    publish: [
      subjects.job("*", "*"),
      ...(["completed", "failed"] as const).map((kind) => subjects.event("*", "*", kind)),
      subjects.progress("*"),
      subjects.lookAnswer("*"),
      subjects.bucketLink,
      subjects.processAlive,
      ...[...states, streams.ready].map(read),
      ...lanes.flatMap((lane) => [
        ...take(streams.ready, laneConsumerName(lane)),
        acks(streams.ready, laneConsumerName(lane)),
      ]),
      ...states.flatMap((state) => take(state, sourcePrefetchConsumerName)),
    ],
    // Whether another worker has the image model that this one lacks.
    subscribe: [subjects.abort("*"), subjects.look, subjects.processAlive],
  }),

  /** Follows events, keeps deliveries and their attempts, and disables endpoints that fail. */
  webhooks: () => ({
    publish: [
      subjects.webhook("*", "*"),
      subjects.webhookChange("*"),
      subjects.event("*", "*", "webhookdisabled"),
      subjects.processAlive,
      cursorOf(fanOutName),
      leaseOf(fanOutName),
      deliverySubjects.due(anyDelivery),
      deliverySubjects.retry(anyDelivery),
      deliverySubjects.attemptsOf(anyDelivery),
      ...all.flatMap((stream) => [info(stream), read(stream)]),
      ...[...states, ...events].flatMap(follow),
      ...take(streams.deliveries, deliveriesConsumerName),
      acks(streams.deliveries, deliveriesConsumerName),
      // A finished delivery's schedule.
      `$JS.API.STREAM.PURGE.${streams.deliveries}`,
    ],
    denied: prefetchOfOthers,
    subscribe: [subjects.processAlive],
  }),

  /** The only one that makes and changes streams and durable consumers. It deletes none. */
  migrate: () => ({
    publish: [
      subjects.schema,
      // For `packshot doctor`, which may ask in its name.
      "$JS.API.INFO",
      ...all.flatMap((stream) => [
        ...["CREATE", "UPDATE", "INFO", "MSG.GET"].map((call) => `$JS.API.STREAM.${call}.${stream}`),
        `$JS.API.CONSUMER.CREATE.${stream}.>`,
        `$JS.API.CONSUMER.INFO.${stream}.*`,
      ]),
    ],
    subscribe: [],
  }),

  /** Reads whole streams, and makes them from a backup where there are none. */
  backup: () => ({
    publish: [
      ...["$JS.SNAPSHOT.ACK.>", "$JS.SNAPSHOT.RESTORE.>"],
      ...all.flatMap((stream) =>
        ["SNAPSHOT", "RESTORE", "INFO", "MSG.GET"].map((call) => `$JS.API.STREAM.${call}.${stream}`),
      ),
      // Streams that are being restored listen there, others do not.
      "psr.>",
    ],
    subscribe: [],
  }),

  doctor: () => ({ publish: ["$JS.API.INFO", ...all.map(info), read(streams.state)], subscribe: [] }),
};

interface Rules {
  readonly publish: readonly string[];
  readonly denied?: readonly string[];
  /** Beside its answers. */
  readonly subscribe: readonly string[];
}

export function natsPermissions(service: NatsService): NatsPermissions {
  const { publish, denied = [], subscribe } = rules[service]();
  return {
    publish: { allow: publish, deny: denied },
    // Whoever waits for a leader hears when there is another.
    subscribe: { allow: [`${inboxPrefixOf(service)}.>`, ...leaderElectedSubjects, ...subscribe], deny: [] },
  };
}
