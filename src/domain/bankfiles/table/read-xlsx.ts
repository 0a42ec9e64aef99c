import { readXlsx as readWorkbook, streamXlsxRows } from 'hucre/xlsx';
import type { BankFileOptions, FormatReadResult, ImportQuestion } from '../model/bank-file.ts';
import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, MAX_UNPACKED_BYTES } from '../model/limits.ts';
import { builtInBankProfiles } from '../profiles/index.ts';
import type { LineCollector } from '../statements/line-collector.ts';
import { type BankFileBytes, readFirstBytes } from '../text/file-bytes.ts';
import { findHeader, recognizeBankProfile } from './column-layout.ts';
import { findRequestedProfile, readTable } from './read-table.ts';
import { createImportTable, HEADER_SEARCH_ROWS, type TableRow } from './table-rows.ts';

const MAX_SHEETS = 50;
/** Number of characters of row text that are packed into one block. */
const PACK_CHARACTERS = 1 << 16;

/** Reads the workbook sheet that contains bank lines, with the stored results of its formulas. */
export async function readXlsx(
  packed: BankFileBytes,
  file: LineCollector,
  options: BankFileOptions,
): Promise<FormatReadResult> {
  const bytes = readFirstBytes(packed, packed.size);
  const refusal = findUnsafeWorkbookReason(bytes);
  if (refusal !== null) return reportRefused(file, refusal);
  try {
    return await readSheet(bytes, file, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'unknown';
    return reportRefused(file, `The workbook cannot be read: ${reason}`);
  }
}

function reportRefused(file: LineCollector, reason: string): FormatReadResult {
  file.reportProblem('refused', 'the file', reason);
  return { dialect: 'XLSX' };
}

/** Returns the reason why a workbook must not be unpacked, or null. */
export function findUnsafeWorkbookReason(bytes: Uint8Array): string | null {
  const size = computeUnpackedSize(bytes);
  if (size === null) return 'The workbook is damaged. Its list of parts cannot be read.';
  return size > MAX_UNPACKED_BYTES
    ? `The workbook is larger than ${MAX_UNPACKED_BYTES / 1_000_000} MB when unpacked.`
    : null;
}

type Sheet = { readonly name: string; readonly hidden: boolean };

/** A workbook sheet that appears to contain lines, with its first rows. */
type SheetCandidate = { readonly name: string; readonly examples: readonly TableRow[] };

async function readSheet(bytes: Uint8Array, file: LineCollector, options: BankFileOptions) {
  const sheets = await listSheets(bytes);
  const requested =
    new Map(Object.entries(options.answers ?? {})).get('sheet') ?? findRequestedProfile(options)?.sheet;
  const requestedSheet = sheets.find(({ name }, at) => name === requested || String(at + 1) === requested);
  const candidates = requestedSheet === undefined ? await findCandidates(bytes, sheets, options) : [];
  const chosen = requestedSheet?.name ?? candidates[0]?.name ?? sheets.find(({ hidden }) => !hidden)?.name;
  if (chosen === undefined) return reportRefused(file, 'The workbook has no visible sheet.');

  const rows = await readSheetRows(bytes, chosen, MAX_TABLE_ROWS + 1);
  const table = createImportTable(() => rows, MAX_TABLE_ROWS, { sheet: chosen });
  const result = readTable(table, file, options);
  if (table.beyond !== null) {
    const reason = 'The sheet has too many rows. The rest of the sheet was not read.';
    file.reportProblem('refused', table.beyond, reason);
  }
  for (const { name } of sheets) {
    if (name === chosen) continue;
    file.reportProblem('skipped', name, `The sheet was not read. The lines are from ${chosen}.`);
  }
  const questions = candidates.length > 1 ? [askForSheet(candidates)] : [];
  return {
    ...result,
    dialect: `XLSX, sheet ${chosen}`,
    questions: [...questions, ...(result.questions ?? [])],
  };
}

/** Lists the sheets of a workbook in order. */
export async function listSheets(bytes: Uint8Array): Promise<Sheet[]> {
  const sheets: Sheet[] = [];
  await readWorkbook(bytes, {
    sheets: ({ name, hidden, veryHidden }) => {
      sheets.push({ name, hidden: hidden === true || veryHidden === true });
      return false;
    },
  });
  return sheets;
}

/** Returns the visible sheets whose columns match a profile or a known header. */
async function findCandidates(bytes: Uint8Array, sheets: readonly Sheet[], options: BankFileOptions) {
  const profiles = [...(options.profiles ?? []), ...builtInBankProfiles];
  const candidates: SheetCandidate[] = [];
  for (const { name, hidden } of sheets.slice(0, MAX_SHEETS)) {
    if (hidden) continue;
    const rows = [...(await readSheetRows(bytes, name, HEADER_SEARCH_ROWS))];
    const isKnown = recognizeBankProfile(rows, profiles) !== null || findHeader(rows) !== null;
    if (isKnown) candidates.push({ name, examples: rows.slice(0, 3) });
  }
  return candidates;
}

const askForSheet = (candidates: readonly SheetCandidate[]): ImportQuestion => ({
  key: 'sheet',
  text: 'Which sheet contains the lines?',
  readings: candidates.map(({ name, examples }) => ({
    value: name,
    label: name,
    examples: examples.map(({ location, raw }) => ({ location, raw, meaning: raw })),
  })),
});

/** Returns the first non-blank rows of a sheet. They can be iterated repeatedly. */
export async function readSheetRows(
  bytes: Uint8Array,
  sheet: string,
  maxRows: number,
): Promise<Iterable<TableRow>> {
  const rows = new PackedRows();
  for await (const { index, values } of streamXlsxRows(bytes, { sheet, maxRows })) {
    const cells = values.slice(0, MAX_TABLE_COLUMNS).map(formatCell);
    if (cells.some((cell) => cell.trim() !== '')) rows.add(`${sheet}!A${index + 1}`, cells);
  }
  return rows;
}

/** Sheet rows packed as bytes, because cells stored as objects would take many times the memory. */
class PackedRows implements Iterable<TableRow> {
  readonly #packs: Uint8Array[] = [];
  #open: string[] = [];
  #length = 0;

  add(location: string, cells: readonly string[]): void {
    const row = JSON.stringify([location, ...cells]);
    this.#open.push(row);
    this.#length += row.length;
    if (this.#length < PACK_CHARACTERS) return;
    this.#packs.push(new TextEncoder().encode(`[${this.#open.join(',')}]`));
    this.#open = [];
    this.#length = 0;
  }

  *[Symbol.iterator](): Generator<TableRow> {
    for (const pack of this.#packs) yield* unpackRows(new TextDecoder().decode(pack));
    yield* unpackRows(`[${this.#open.join(',')}]`);
  }
}

function* unpackRows(pack: string): Generator<TableRow> {
  for (const [location = '', ...cells] of JSON.parse(pack) as string[][])
    yield { location, cells, raw: cells.join(' | ') };
}

/** Returns a spreadsheet cell as text: dates as calendar days, numbers unabridged. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? '' : value.toISOString();
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
  }
  return typeof value === 'number' ? formatNumber(value) : String(value);
}

/**
 * Formats a number with fifteen digits, as a spreadsheet shows it. A number with three decimals gets a fourth, so
 * that its decimal point is not mistaken for a thousands separator.
 */
function formatNumber(value: number): string {
  const shown = String(Number(value.toPrecision(15)));
  const decimals = /^-?\d+\.(\d+)$/.exec(shown)?.[1]?.length;
  return decimals === 3 ? `${shown}0` : shown;
}

/** Returns the total unpacked size from a ZIP archive's directory; null if the directory is missing. */
function computeUnpackedSize(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findZipDirectory(view);
  if (end === null) return null;
  const parts = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let sum = 0;
  for (let part = 0; part < parts; part++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== 0x02014b50) return null;
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    // An entry that claims to be empty but has packed data could expand without limit.
    sum += size === 0 && packed > 2 ? Number.POSITIVE_INFINITY : size;
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return sum;
}

function findZipDirectory(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - 66_000);
  for (let at = view.byteLength - 22; at >= first; at--)
    if (view.getUint32(at, true) === 0x06054b50) return at;
  return null;
}
