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
