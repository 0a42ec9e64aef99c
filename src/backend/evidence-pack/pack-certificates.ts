import { matchReasonSchema, type PackVerification } from '../../contract/index.ts';
import { parseCsvRecords } from '../../domain/csv/csv-records.ts';
import {
  type VerifiableLine,
  type VerifiableMatch,
  type VerifiablePayment,
  verifyMatches,
} from '../../domain/match-verification/verify-matches.ts';
import { type BagReader, readBagText } from '../bagit/bag-reader.ts';
import { parseJsonOrNull } from './pack-audit-log.ts';
import { packPaths } from './pack-contents.ts';

const MAX_TABLE_BYTES = 512 * 1024 * 1024;

/**
 * Verifies the amounts and facts in the pack's certificates against the rows of the pack's tables. Alternatives are not
 * compared, because a pack contains only rows of its period. Another check reports missing tables.
 */
export async function findCertificateProblems(bag: BagReader): Promise<PackVerification['problems']> {
  const lines = await readTable(bag, packPaths.lines);
  const payments = await readTable(bag, packPaths.payments);
  const items = await readTable(bag, packPaths.matchItems);
  const groups = Map.groupBy(items, (cells) => cells('match') ?? '');
  const matches = Array.from(groups, ([id, rows]) => toMatch(id, rows));
  const rows = { lines: lines.map(toLine), payments: payments.map(toPayment) };
  return verifyMatches(rows, matches, 'facts').map(({ match, problem }) => ({
    path: packPaths.matchItems,
    message: `match ${match}: ${problem}`,
  }));
}

/** Returns the text of a column in one row, or null if it is empty. */
type Cells = (column: string) => string | null;

/** Returns the rows of a table, or none if the table is missing or too large. */
async function readTable(bag: BagReader, path: string): Promise<Cells[]> {
  const text = await readBagText(bag, path, MAX_TABLE_BYTES).catch(() => '');
  const [header, ...records] = parseCsvRecords(text);
  const columns = new Map(header?.cells.map((name, at) => [name, at]));
  return records.map(
    ({ cells }) =>
      (column) =>
        cells[columns.get(column) ?? -1] || null,
  );
}

const toNumber = (text: string | null): number => Number(text ?? Number.NaN);
const toNumberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

const toMoney = (cells: Cells) => ({
  id: toNumber(cells('id')),
  amount_in_cents: toNumber(cells('amount_in_cents')),
  currency: cells('currency') ?? '',
  gateway_transaction_id: cells('gateway_transaction_id'),
});

const toLine = (cells: Cells): VerifiableLine => ({
  ...toMoney(cells),
  account: 0,
  booked_on: cells('booked_on') ?? '',
  description: cells('description') ?? '',
  reference: cells('reference'),
  counterparty: cells('counterparty'),
  payout_id: cells('payout_id'),
});

const toPayment = (cells: Cells): VerifiablePayment => ({
  ...toMoney(cells),
  statement_id: toNumber(cells('statement_id')),
  payment_id: toNumberOrNull(cells('payment_id')),
  subscription_id: toNumberOrNull(cells('subscription_id')),
  paid_on: cells('paid_on') ?? '',
  names: [cells('customer_name'), cells('organization')].filter((name) => name !== null),
});

function toMatch(id: string, items: readonly Cells[]): VerifiableMatch {
  const listShares = (column: string) =>
    items
      .filter((cells) => cells(column) !== null)
      .map((cells) => ({
        id: toNumber(cells(column)),
        allocated_in_cents: toNumber(cells('allocated_in_cents')),
      }));
  const certificate = items.map((cells) => cells('certificate')).find((text) => text !== null);
  return {
    id,
    lines: listShares('line'),
    payments: listShares('transaction'),
    adjustments: listShares('category').map(({ allocated_in_cents }) => ({
      amount_in_cents: allocated_in_cents,
    })),
    certificate:
      matchReasonSchema.shape.certificate.safeParse(parseJsonOrNull(certificate ?? '')).data ?? null,
  };
}
