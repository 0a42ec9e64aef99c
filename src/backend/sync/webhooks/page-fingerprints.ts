/** Fingerprint of a page: the checksum of its rows, and when its request began (UTC milliseconds). */
export interface PageMark {
  checksum: string;
  read_at: number;
}

/** Fingerprints of a window's pages, all of the same size. Null for a page that was not read completely. */
export interface PageMarks {
  per_page: number;
  pages: (PageMark | null)[];
}
