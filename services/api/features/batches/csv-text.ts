import { stringify } from "csv-stringify/sync";

/**
 * Refs and messages come from others, and a spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula:
 * such a cell gets an apostrophe.
 */
export function formatCsv(records: readonly (readonly unknown[])[]): string {
  return stringify(records as unknown[][], { escape_formulas: true, record_delimiter: "\r\n" });
}
