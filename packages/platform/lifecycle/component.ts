/**
 * Everything long-lived. `start` resolves when the component does its work and rejects when it cannot; `stop` is
 * idempotent, finishes or gives back what is in hand, and resolves when nothing of the component runs any more.
 */
export interface Component {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}
