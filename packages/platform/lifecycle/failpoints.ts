/**
 * Named places at which a test makes the process die as by `kill -9`: random kills miss windows of 5 ms. A place is
 * armed by name and count (`accept:after-commit@3` dies at the third passing); in production none is armed.
 */

let armed: { readonly place: string; passingsLeft: number } | undefined;
let lastSeen: ((place: string) => void) | undefined;

/** `place@count`, or `place` for the first passing. */
export function armFailpoint(spec: string): void {
  const [place, count] = spec.split("@");
  armed = { place: place!, passingsLeft: count === undefined ? 1 : Number(count) };
}

/** For tests inside this process: told of every passing instead of dying. */
export function observeFailpoints(observer: ((place: string) => void) | undefined): void {
  lastSeen = observer;
}

export function failpoint(name: string): void {
  lastSeen?.(name);
  if (armed === undefined || armed.place !== name) return;
  armed.passingsLeft -= 1;
  if (armed.passingsLeft === 0) process.kill(process.pid, "SIGKILL");
}
