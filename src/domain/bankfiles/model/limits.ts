/** Limits of files: far above real ones, far below what would stop the app. */
export const MAX_FILE_BYTES = 64_000_000;
/** Total size of an unpacked workbook. */
export const MAX_UNPACKED_BYTES = 256_000_000;
export const MAX_ROWS = 1_000_000;
export const MAX_COLUMNS = 500;
export const MAX_DEPTH = 64;
/** Maximum number of lines of a CSV record with quotes. */
export const MAX_RECORD_LINES = 100;
export const MAX_RECORD_CHARACTERS = 100_000;
/** Maximum length of the text quoted with a problem. */
export const MAX_RAW = 500;
