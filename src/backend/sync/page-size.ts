/**
 * How many rows a page has is the service's to say: `per_page` may be lowered without a word (interface 8: maximum not
 * shown). What was asked for is never taken for what was given.
 */
export interface PageSize {
  readonly asked: number;
  /** Rows of a page that others followed; null until one was seen. */
  readonly effective: number | null;
}

/** Whether a page of so many rows was its list's last. `unsure`: only the next page can tell. */
export function isLastPage({ asked, effective }: PageSize, rows: number): boolean | 'unsure' {
  if (rows === 0) return true;
  if (rows >= asked) return false;
  if (effective === null) return 'unsure';
  return rows < effective;
}

/** What a page of so many rows teaches, once it is known that rows followed it. */
export function learn(size: PageSize, continuingRows: number): PageSize {
  const known = size.effective ?? 0;
  return continuingRows > known ? { ...size, effective: continuingRows } : size;
}

/** The size to reckon with. */
export function pageRows({ asked, effective }: PageSize): number {
  return effective ?? asked;
}
