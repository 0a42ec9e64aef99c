/** What a file may be at most: far above real ones, far below what would stop the app. */
export const MAX_BYTES = 64_000_000;
/** Of everything in a workbook once it is unpacked. */
export const MAX_UNPACKED_BYTES = 256_000_000;
export const MAX_ROWS = 1_000_000;
export const MAX_COLUMNS = 500;
export const MAX_DEPTH = 64;
/** A record of a CSV file with quotes over several lines. */
export const MAX_RECORD_LINES = 100;
export const MAX_RECORD_CHARACTERS = 100_000;
/** Of the text quoted with a problem. */
export const MAX_RAW = 500;
