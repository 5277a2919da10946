/**
 * Failpoints: named points in the code at which a test makes the process die as by `kill -9`. Random kills would miss
 * windows of 5 ms. A failpoint is armed by name and count (`accept:after-commit@3` dies the third time it is reached);
 * in production none is armed.
 */

let armed: { readonly name: string; timesLeft: number } | undefined;

/** `name@count`, or `name` for the first time. */
export function armFailpoint(spec: string): void {
  const [name, count] = spec.split("@");
  armed = { name: name!, timesLeft: count === undefined ? 1 : Number(count) };
}

export function failpoint(name: string): void {
  if (armed === undefined || armed.name !== name) return;
  armed.timesLeft -= 1;
  if (armed.timesLeft === 0) process.kill(process.pid, "SIGKILL");
}
