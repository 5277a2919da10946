/** A system under measure: a photo goes in by HTTP, the PNG of its cut-out is downloaded. */
export interface System {
  readonly name: string;
  /** All its processes, with those that they started. */
  pids(): readonly number[];
  /** The part of the system that a process is, where its parts are shown one by one. */
  partOf?(pid: number): string;
  /** Prepares what is sent, so that it costs nothing later; the result cuts out once and resolves with the PNG. */
  cutOut(photo: Buffer): Promise<() => Promise<Buffer>>;
  /** Its processes stop for the time in which others are measured. */
  suspend(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Process groups, as `startService` makes them. */
export function suspension(groups: readonly { readonly pid: number }[]): Pick<System, "suspend" | "resume"> {
  const send = (signal: NodeJS.Signals) => {
    for (const { pid } of groups) process.kill(-pid, signal);
  };
  return { suspend: () => send("SIGSTOP"), resume: () => send("SIGCONT") };
}
