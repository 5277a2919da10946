/**
 * Anything long-lived in a process. `start` resolves when the component does its work and rejects when it cannot; `stop` is
 * idempotent: it finishes the running work or gives it back, and resolves when nothing of the component runs any more.
 */
export interface Component {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Components that start one after the other and stop at the same time. */
export function stopTogether(name: string, components: readonly Component[]): Component {
  return {
    name,
    async start() {
      for (const component of components) await component.start();
    },
    async stop() {
      await Promise.all(components.map((component) => component.stop()));
    },
  };
}
