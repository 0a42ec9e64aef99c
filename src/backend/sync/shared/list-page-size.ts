/** Requested and actual page size. The service may silently reduce `per_page` (interface 8 names no maximum). */
export interface ListPageSize {
  readonly asked: number;
  /** Number of rows on the longest page that had a following page. Null if no such page was read. */
  readonly effective: number | null;
}

/** Returns true if a page with this many rows was the last of its list, or `unsure` if only the next page can tell. */
export function isLastPageOfList({ asked, effective }: ListPageSize, rows: number): boolean | 'unsure' {
  if (rows === 0) return true;
  if (rows >= asked) return false;
  if (effective === null) return 'unsure';
  return rows < effective;
}

/** Returns the page size learned from a page with this many rows that had a following page. */
export function learnPageSize(size: ListPageSize, continuingRows: number): ListPageSize {
  const known = size.effective ?? 0;
  return continuingRows > known ? { ...size, effective: continuingRows } : size;
}

export function getAssumedPageSize({ asked, effective }: ListPageSize): number {
  return effective ?? asked;
}
