/** A moment, as people read it; the title has it to the second. */
interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
}

const dayAndTime = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" });

export function Time({ at }: TimeProps) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {dayAndTime.format(date)}
    </time>
  );
}
