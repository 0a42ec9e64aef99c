/** Page size in use. The service may silently reduce the requested `per_page` (interface 8 names no maximum). */
export interface PageSize {
  readonly asked: number;
  /** Number of rows of the longest page that was followed by another page. Null until there is one. */
  readonly effective: number | null;
}

/** Returns true if a page with this many rows was the last of its list. `unsure`: only the next page shows it. */
export function isLastPage({ asked, effective }: PageSize, rows: number): boolean | 'unsure' {
  if (rows === 0) return true;
  if (rows >= asked) return false;
  if (effective === null) return 'unsure';
  return rows < effective;
}

/** Returns the page size after a page with this many rows turned out not to be the last. */
export function learnPageSize(size: PageSize, continuingRows: number): PageSize {
  const known = size.effective ?? 0;
  return continuingRows > known ? { ...size, effective: continuingRows } : size;
}

/** Returns the number of rows that a full page is assumed to have. */
export function getAssumedPageSize({ asked, effective }: PageSize): number {
  return effective ?? asked;
}
