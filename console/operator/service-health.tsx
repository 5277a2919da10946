/** Health of NATS, storage and Redis. */

import type { UseQueryResult } from "@tanstack/react-query";
import { Badge } from "../components/badge.tsx";
import { formatBytes, formatDuration } from "../components/format.ts";
import { type Column, Table } from "../components/table.tsx";
import type { components } from "./generated/admin-openapi.ts";
import { useOperatorRead } from "./operator-session.tsx";

type Stream = ServiceStatus["log"]["streams"][number];

export function ServiceHealth({ status }: { readonly status: ServiceStatus }) {
  const { log, storage, redis } = status;
  return (
    <>
      <div className="columns">
        <Part
          title="NATS"
          problem={log.problem}
          warning={log.refusesEdits === null ? null : `Edits are refused: ${log.refusesEdits}`}
        >
          Connected.
        </Part>
        <Part
          title={storage.kind === "s3" ? "Storage (S3)" : "Storage (disk)"}
          problem={storage.problem}
          warning={storage.isFull ? "Full: uploads are refused." : null}
        >
          Accepting uploads.
        </Part>
        <Part
          title="Redis"
          isAbsent={!redis.isConfigured}
          problem={null}
          warning={redis.problem === null ? null : `${redis.problem}: rate limits are counted per process.`}
        >
          {redis.isConfigured ? "Connected." : "Rate limits are counted per process."}
        </Part>
      </div>
      <section aria-labelledby="log">
        <h2 id="log">Log</h2>
        <Table caption="Streams of the log" columns={columns} rows={log.streams} keyOf={({ name }) => name} />
      </section>
    </>
  );
}

interface PartProps {
  readonly title: string;
  /** The deployment does without it. */
  readonly isAbsent?: boolean;
  /** It does not work. */
  readonly problem: string | null;
  /** It works, and something is to be done. */
  readonly warning: string | null;
  /** In words, where there is neither. */
  readonly children: string;
}

const states = { danger: "Down", warn: "Degraded", ok: "Healthy", muted: "Not configured" } as const;

function Part({ title, isAbsent = false, problem, warning, children }: PartProps) {
  const kind = problem !== null ? "danger" : warning !== null ? "warn" : isAbsent ? "muted" : "ok";
  return (
    <section className="card" aria-label={title}>
      <h2>
        {title} <Badge kind={kind}>{states[kind]}</Badge>
      </h2>
      <p>{problem ?? warning ?? children}</p>
    </section>
  );
}

const columns: readonly Column<Stream>[] = [
  { title: "Stream", cell: ({ name }) => name },
  { title: "Size", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    title: "Usage",
    isNumber: true,
    cell: ({ bytes, bytesMax }) => (bytesMax === null ? "no limit" : `${((100 * bytes) / bytesMax).toFixed(1)} %`),
  },
  {
    title: "Replication lag",
    isNumber: true,
    cell: ({ lagSeconds }) => (lagSeconds === null ? "–" : formatDuration(lagSeconds * 1_000)),
  },
];

export type ServiceStatus = components["schemas"]["ServiceStatus"];

const refetchIntervalMs = 2_000;

export function useServiceStatus(): UseQueryResult<ServiceStatus> {
  return useOperatorRead<ServiceStatus>("/status", {}, refetchIntervalMs);
}
