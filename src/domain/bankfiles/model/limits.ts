/** Maximum size of an imported file in bytes. All limits here are chosen by judgment, far above real files. */
export const MAX_FILE_BYTES = 64_000_000;
/** Maximum size of an unpacked workbook in bytes. */
export const MAX_UNPACKED_BYTES = 256_000_000;
export const MAX_TABLE_ROWS = 1_000_000;
export const MAX_TABLE_COLUMNS = 500;
export const MAX_XML_DEPTH = 64;
/** Maximum number of lines of one CSV record with quotes. */
export const MAX_CSV_RECORD_LINES = 100;
export const MAX_CSV_RECORD_CHARACTERS = 100_000;
/** Maximum length of the text quoted with a problem, in characters. */
export const MAX_QUOTED_CHARACTERS = 500;
