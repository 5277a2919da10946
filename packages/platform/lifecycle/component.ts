/**
 * Anything long-lived in a process. `start` resolves when the component does its work and rejects when it cannot; `stop` is
 * idempotent: it finishes the running work or gives it back, and resolves when nothing of the component runs any more.
 */
export interface Component {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}
