/**
 * The page size in use. The service may silently reduce `per_page` (interface 8 names no maximum), so the requested size
 * is never assumed to be the actual one.
 */
export interface PageSize {
  readonly asked: number;
  /** Number of rows of a page that was followed by others. Null until one was seen. */
  readonly effective: number | null;
}

/**
 * Returns true if a page with this many rows was the last of its list. `unsure` means that only the next page can tell.
 */
export function isLastPage({ asked, effective }: PageSize, rows: number): boolean | 'unsure' {
  if (rows === 0) return true;
  if (rows >= asked) return false;
  if (effective === null) return 'unsure';
  return rows < effective;
}

/** Returns the page size after a page with this many rows turned out to be followed by others. */
export function learn(size: PageSize, continuingRows: number): PageSize {
  const known = size.effective ?? 0;
  return continuingRows > known ? { ...size, effective: continuingRows } : size;
}

/** Returns the page size to assume. */
export function pageRows({ asked, effective }: PageSize): number {
  return effective ?? asked;
}
