/** What `stack.json` holds once every process is ready. */
export interface StackFile {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly natsUrl: string;
  /** Bare `host:port`. */
  readonly modelServer: string;
  /** Addresses of Prometheus metrics by process; further workers are `worker-2` and so on. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly logs: string;
}
