/** The way through a list of pages that only goes forward: the cursor stands in the address, so the browser goes back. */
import { Link } from "../router/link.tsx";

interface PagerProps {
  readonly path: string;
  /** Filters of the list, which its further pages keep. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly cursor: string | undefined;
  readonly nextCursor: string | undefined;
}

export function Pager({ path, query, cursor, nextCursor }: PagerProps) {
  if (cursor === undefined && nextCursor === undefined) return null;
  return (
    <nav aria-label="Pages of the list" className="pager">
      {cursor !== undefined && (
        <Link to={path} query={query}>
          First page
        </Link>
      )}
      {nextCursor !== undefined && (
        <Link to={path} query={{ ...query, cursor: nextCursor }}>
          Next page
        </Link>
      )}
    </nav>
  );
}
