export type CsvCell = string | number | boolean | null | undefined;

/**
 * A line of CSV (RFC 4180). Quotes fields with quotes, commas or line breaks. A missing value is an
 * empty field, and an empty text is a quoted empty field.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(field).join(",")}\r\n`;

const field = (cell: CsvCell): string => {
  if (cell === "") return '""';
  const text = String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
