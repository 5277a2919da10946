/** What the Grafana dashboard shows. `npm run docs` makes deploy/grafana/packshot.json of it. */
import { mean, quantile, rate } from "./grafana-queries.ts";
import type { Row } from "./grafana-row.ts";

const goldenSignals: Row = {
  title: "Golden signals",
  panels: [
    {
      title: "Traffic",
      about: "HTTP requests a second, by operation.",
      unit: "reqps",
      queries: [{ expr: rate("operation", "packshot_http_requests_total"), legend: "{{operation}}" }],
    },
    {
      title: "Errors",
      about: "Share of HTTP requests that get a 5xx, and of live jobs that fail for reasons that are ours.",
      unit: "percentunit",
      queries: [
        { expr: "packshot:http_errors_share", legend: "HTTP 5xx" },
        { expr: "packshot:jobs_failed_share", legend: "jobs" },
      ],
    },
    {
      title: "Latency",
      about: "Time to accept an edit, and from claim to outcome of a job.",
      unit: "s",
      queries: [
        { expr: quantile(0.99, "packshot_accept_duration_seconds"), legend: "accept p99" },
        { expr: quantile(0.5, "packshot_job_run_duration_seconds"), legend: "job p50" },
        { expr: quantile(0.99, "packshot_job_run_duration_seconds"), legend: "job p99" },
      ],
    },
    {
      title: "Saturation",
      about:
        "Share of the time in which models compute, processor seconds a second, and how long event loops are held up.",
      unit: "none",
      queries: [
        { expr: "packshot:inference_busy_share", legend: "busy share of {{model}}" },
        { expr: rate("service", "process_cpu_seconds_total"), legend: "processors of {{service}}" },
        { expr: "max by (service) (nodejs_eventloop_lag_p99_seconds)", legend: "event loop of {{service}} (s)" },
      ],
    },
  ],
};

const queue: Row = {
  title: "Queue",
  panels: [
    {
      title: "Jobs that wait for a worker",
      about: "By lane: 0 to 3 are live, the larger the busier the account; 4 is of sandbox jobs.",
      unit: "short",
      queries: [{ expr: "packshot:queue_ready_jobs", legend: "lane {{lane}}" }],
    },
    {
      title: "Queued jobs",
      about: "All queued jobs, in and beyond the windows of their accounts, and those that workers have.",
      unit: "short",
      queries: [
        { expr: "max by (mode) (packshot_jobs_queued)", legend: "queued, {{mode}}" },
        { expr: "sum(packshot_worker_jobs_in_flight)", legend: "in flight" },
      ],
    },
    {
      title: "Age of the oldest job",
      about: "How long the oldest job of each lane has waited for a worker.",
      unit: "s",
      queries: [{ expr: "packshot:queue_oldest_job_age_seconds", legend: "lane {{lane}}" }],
    },
    {
      title: "Wait until the first claim",
      about: "From acceptance, with the wait beyond the window.",
      unit: "s",
      queries: [{ expr: quantile(0.99, "packshot_job_wait_duration_seconds", ["lane"]), legend: "lane {{lane}} p99" }],
    },
    {
      title: "Jobs by outcome",
      about: "Attempts that ended a second, of live and test jobs.",
      unit: "ops",
      queries: [
        {
          expr: rate("tool, mode, outcome, code", "packshot_worker_jobs_total"),
          legend: "{{tool}} {{mode}} {{outcome}} {{code}}",
        },
      ],
    },
    {
      title: "Stages",
      about: "Mean duration of each stage of live jobs.",
      unit: "s",
      queries: [{ expr: mean("packshot_stage_duration_seconds", "stage"), legend: "{{stage}}" }],
    },
    {
      title: "Worker paused",
      about: "1 while a worker pulls nothing because a part of the machine does not work.",
      unit: "none",
      queries: [{ expr: "max by (part) (packshot_worker_paused)", legend: "{{part}}" }],
    },
  ],
};

const batching: Row = {
  title: "Batching",
  panels: [
    {
      title: "Photos in a batch of the model server",
      about: "Mean number of rows of requests in one run.",
      unit: "short",
      queries: [{ expr: mean("packshot_inference_batch_size", "model"), legend: "{{model}}" }],
    },
    {
      title: "Wait for a batch, and its run",
      about: "In the model server.",
      unit: "s",
      queries: [
        {
          expr: quantile(0.99, "packshot_inference_queue_duration_seconds", ["model"]),
          legend: "wait p99 of {{model}}",
        },
        { expr: mean("packshot_inference_run_duration_seconds", "model"), legend: "mean run of {{model}}" },
      ],
    },
    {
      title: "Requests of the model server",
      about: "By outcome; full, late and displaced were refused. Sent on: workers asked another server, by reason.",
      unit: "reqps",
      queries: [
        { expr: rate("outcome", "packshot_inference_requests_total"), legend: "{{outcome}}" },
        { expr: rate("reason", "packshot_model_server_retries_total"), legend: "sent on: {{reason}}" },
      ],
    },
    {
      title: "Instances",
      about: "Instances that can compute at once, by execution provider; and the servers of a worker, by state.",
      unit: "short",
      queries: [
        { expr: "sum by (model, provider) (packshot_inference_instances)", legend: "{{model}} on {{provider}}" },
        { expr: "avg by (state) (packshot_model_servers)", legend: "servers: {{state}}" },
      ],
    },
    {
      title: "Edits in an accept batch",
      about: "Mean number of edits that one write to the log accepts.",
      unit: "short",
      queries: [{ expr: mean("packshot_accept_batch_size", "service"), legend: "edits" }],
    },
    {
      title: "Commits in a batch of the log",
      about: "Mean number of commits that go to the log together.",
      unit: "short",
      queries: [{ expr: mean("packshot_log_commit_group_size", "service"), legend: "{{service}}" }],
    },
    {
      title: "Commits",
      about: "By transition and outcome; conflicts are tried again.",
      unit: "ops",
      queries: [
        { expr: rate("transition, outcome", "packshot_log_commits_total"), legend: "{{transition}} {{outcome}}" },
      ],
    },
    {
      title: "Time of a commit",
      about: "From sending a batch to the log to its answer.",
      unit: "s",
      queries: [
        { expr: quantile(0.99, "packshot_log_commit_duration_seconds", ["service"]), legend: "{{service}} p99" },
      ],
    },
  ],
};

const webhooks: Row = {
  title: "Webhooks and followers",
  panels: [
    {
      title: "Attempts",
      about: "By outcome.",
      unit: "ops",
      queries: [{ expr: rate("outcome", "packshot_webhook_attempts_total"), legend: "{{outcome}}" }],
    },
    {
      title: "Time of an attempt",
      about: "To the header of the answer, or to the timeout.",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "packshot_webhook_attempt_duration_seconds"), legend: "p50" },
        { expr: quantile(0.99, "packshot_webhook_attempt_duration_seconds"), legend: "p99" },
      ],
    },
    {
      title: "Circuits and deliveries",
      about: "Endpoints that are failing, deliveries that are due and not taken, and those in flight.",
      unit: "short",
      queries: [
        { expr: "sum by (state) (packshot_webhook_circuits)", legend: "{{state}} circuits" },
        { expr: "max(packshot_webhook_due_deliveries)", legend: "due" },
        { expr: "sum(packshot_webhook_deliveries_in_flight)", legend: "in flight" },
      ],
    },
    {
      title: "Lag of the followers",
      about: "How late the oldest event is that is not handled. The janitor's is how late deletions are.",
      unit: "s",
      queries: [{ expr: "max by (follower) (packshot_follower_lag_seconds)", legend: "{{follower}}" }],
    },
    {
      title: "Lag of the copies",
      about: "Age of the oldest record that a copied stream lacks.",
      unit: "s",
      queries: [{ expr: "max by (stream) (packshot_log_copy_lag_seconds)", legend: "{{stream}}" }],
    },
    {
      title: "Events that are not handled",
      about: "Those of janitor-expired are the ended jobs that have not expired.",
      unit: "short",
      queries: [{ expr: "sum by (follower) (packshot_follower_pending_events)", legend: "{{follower}}" }],
    },
  ],
};

const money: Row = {
  title: "Money",
  panels: [
    {
      title: "Credits an hour",
      about: "Debited for accepted jobs, and refunded for failed and cancelled ones, by tool.",
      unit: "short",
      queries: [
        { expr: `3600 * ${rate("tool", "packshot_credits_debited_total")}`, legend: "debited, {{tool}}" },
        { expr: `3600 * ${rate("tool", "packshot_credits_refunded_total")}`, legend: "refunded, {{tool}}" },
      ],
    },
    {
      title: "Inference seconds a photo",
      about: "Time in which a model computed for a completed live job: its share of each batch.",
      unit: "s",
      queries: [
        {
          expr: `${rate("tool", "packshot_inference_seconds_total")} / ${rate("tool", 'packshot_worker_jobs_total{mode="live",outcome="completed"}')}`,
          legend: "{{tool}}",
        },
      ],
    },
    {
      title: "Inference seconds a second",
      about: "By model and execution provider; times the price of an instance's second it is what inference costs.",
      unit: "none",
      queries: [
        { expr: rate("model, provider", "packshot_inference_seconds_total"), legend: "{{model}} on {{provider}}" },
      ],
    },
    {
      title: "Bytes of the log",
      about: "Of each stream, with the limit that it has; 0: none.",
      unit: "bytes",
      queries: [
        { expr: "max by (stream) (packshot_log_stream_bytes)", legend: "{{stream}}" },
        { expr: "max by (stream) (packshot_log_stream_bytes_max)", legend: "limit of {{stream}}" },
      ],
    },
    {
      title: "Free space",
      about: "Of the file system of sources and results, with its size and the floor below which uploads are refused.",
      unit: "bytes",
      queries: [
        { expr: "min(packshot_storage_free_bytes)", legend: "free" },
        { expr: "min(packshot_storage_size_bytes)", legend: "size" },
        { expr: "max(packshot_storage_floor_bytes)", legend: "floor" },
      ],
    },
    {
      title: "Redis",
      about: "API processes that count rates alone because Redis is away, and how often they did so a second.",
      unit: "short",
      queries: [
        { expr: "sum(packshot_redis_away)", legend: "processes without Redis" },
        { expr: rate("reason", "packshot_redis_fallbacks_total"), legend: "{{reason}} a second" },
      ],
    },
    {
      title: "Memory",
      about: "Resident memory of each process.",
      unit: "bytes",
      queries: [
        { expr: "max by (service, instance) (process_resident_memory_bytes)", legend: "{{service}} {{instance}}" },
      ],
    },
  ],
};

export const dashboardRows: readonly Row[] = [goldenSignals, queue, batching, webhooks, money];
