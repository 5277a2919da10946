/** What was read, or why it is not there yet: a spinner, an error with a button, or the children. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isServerUnavailable } from "../api/describe-error.ts";
import { ErrorNote } from "./error-note.tsx";

interface LoadedProps<T> {
  readonly read: UseQueryResult<T>;
  readonly label?: string;
  readonly children: (data: T) => ReactNode;
}

export function Loaded<T>({ read, label, children }: LoadedProps<T>) {
  const { data, error, refetch } = read;
  // What was read before stays while the server is unreachable: the banner says so.
  const isNoted = error !== null && (data === undefined || !isServerUnavailable(error));
  return (
    <>
      {isNoted && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && error === null && (label === undefined ? <Spinner /> : <Spinner label={label} />)}
    </>
  );
}

interface SpinnerProps {
  readonly label?: string;
}

export function Spinner({ label = "Loading" }: SpinnerProps) {
  return (
    <span role="status" className="spinner">
      <span className="spinner-ring" aria-hidden="true" />
      {label} …
    </span>
  );
}
