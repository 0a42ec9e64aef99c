/** Checksum of a page's rows, and when the request for the page started (UTC milliseconds). */
export interface PageFingerprint {
  checksum: string;
  read_at: number;
}

/** Fingerprints of a window's pages, which all have the same size. Null for a page that was not read completely. */
export interface PageFingerprints {
  per_page: number;
  pages: (PageFingerprint | null)[];
}
