/** Waits that queueing theory knows exactly, to which the simulation is held. Times are in the unit of `serviceTime`. */

export interface Queue {
  /** Arrivals in a unit of time, independent of each other. */
  readonly arrivalRate: number;
  readonly serviceTime: number;
  readonly servers: number;
}

/** M/M/1: one server, exponential service. Also the time in a core that all who are there share (M/M/1-PS). */
export function meanTimeInMM1({ arrivalRate, serviceTime }: Omit<Queue, "servers">): number {
  return serviceTime / (1 - arrivalRate * serviceTime);
}

/** M/M/c: the mean wait, by Erlang's C formula. */
export function meanWaitMMc({ arrivalRate, serviceTime, servers }: Queue): number {
  const offered = arrivalRate * serviceTime;
  let term = 1;
  let sum = 0;
  for (let n = 0; n < servers; n += 1) {
    sum += term;
    term *= offered / (n + 1);
  }
  const last = (term * servers) / (servers - offered);
  return ((last / (sum + last)) * serviceTime) / (servers - offered);
}

/** M/D/c: the mean wait where each service takes the same time (Crommelin 1932). */
export function meanWaitMDc({ arrivalRate, serviceTime, servers }: Queue): number {
  const offered = arrivalRate * serviceTime;
  let wait = 0;
  for (let i = 1; i <= termsMax; i += 1) {
    const atLeast = poissonTail(i * offered, i * servers);
    const more = atLeast - poissonTerm(i * offered, i * servers);
    const part = atLeast - (servers / offered) * more;
    wait += part;
    if (part < 1e-12) break;
  }
  return wait * serviceTime;
}

const termsMax = 10_000;

function poissonTerm(mean: number, count: number): number {
  let logFactorial = 0;
  for (let n = 2; n <= count; n += 1) logFactorial += Math.log(n);
  return Math.exp(count * Math.log(mean) - mean - logFactorial);
}

/** The probability of `count` or more. */
function poissonTail(mean: number, count: number): number {
  let term = poissonTerm(mean, count);
  let sum = 0;
  for (let n = count; term > 1e-18 * sum || n < mean; n += 1) {
    sum += term;
    term *= mean / (n + 1);
  }
  return sum;
}
