/** A table; on a phone each row is a card with its columns' titles. */
import type { ReactNode } from "react";
import { Link } from "../router/link.tsx";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Names, addresses and sentences: they may break within a word where others need the room. */
  readonly isText?: boolean;
}

interface TableProps<Row> {
  /** What the table has, for readers of the screen. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className="table">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" className={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} data-title={column.title} className={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf<Row>({ isNumber, isText }: Column<Row>): string | undefined {
  return isNumber ? "number" : isText ? "text" : undefined;
}

/** The way through a list of pages that only goes forward: the cursor stands in the address, so the browser goes back. */
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
