/** Bounds how many of one kind of act are under way; what is urgent goes before what is not. */

export type Limiter = <T>(act: () => Promise<T>, isUrgent: boolean) => Promise<T>;

export function createLimiter(atOnceMax: number): Limiter {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let active = 0;

  async function turn(isUrgent: boolean): Promise<void> {
    if (active < atOnceMax) {
      active += 1;
      return;
    }
    await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve));
  }

  return async (act, isUrgent) => {
    await turn(isUrgent);
    try {
      return await act();
    } finally {
      const next = urgent.shift() ?? others.shift();
      // The place is handed on, so that nobody slips in between.
      if (next === undefined) active -= 1;
      else next();
    }
  };
}
