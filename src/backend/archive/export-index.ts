import type { StatementNameFields } from '../../domain/archive/index.ts';
import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { ExportItem } from '../store/archive/archive-export.ts';
import type { ExportCandidate } from '../store/archive/export-candidates.ts';
import { statementStates } from '../store/statements/statement.ts';

/**
 * Columns of the index of exported statements. Amounts are cents. Instants are as the service wrote them, except
 * `fetched_at`.
 */
const FIELDS = [
  'statement',
  'subscription',
  'customer',
  'organization',
  'state',
  'opened_at',
  'closed_at',
  'settled_at',
  'updated_at',
  'starting_balance_in_cents',
  'ending_balance_in_cents',
  'charges_in_cents',
  'payments_in_cents',
  'version',
  'fetched_at',
] as const;

type Facts = Record<(typeof FIELDS)[number], string | number | null>;

/** Additional columns about the file in the bag. */
const FILE_FIELDS = ['file', 'bytes', 'sha256', 'note'] as const;

export function indexFacts(each: ExportCandidate): Facts {
  return {
    statement: each.id,
    subscription: each.subscription_id,
    customer: each.customer_name,
    organization: each.customer_organization,
    state: statementStates[each.state],
    opened_at: each.opened_at,
    closed_at: each.closed_at,
    settled_at: each.settled_at,
    updated_at: each.updated_at,
    starting_balance_in_cents: each.starting_balance_in_cents,
    ending_balance_in_cents: each.ending_balance_in_cents,
    charges_in_cents: each.charges_in_cents,
    payments_in_cents: each.payments_in_cents,
    version: each.version,
    fetched_at: formatTimestamp(each.fetched_at),
  };
}

export function exportFileNameParts(each: ExportCandidate): StatementNameFields {
  return {
    id: each.id,
    subscription_id: each.subscription_id,
    opened: dayOf(each.opened_at),
    closed: dayOf(each.closed_at),
    settled: dayOf(each.settled_at),
    customer: each.customer_name,
    organization: each.customer_organization,
  };
}

/** Returns the calendar day of an instant as the service wrote it. */
function dayOf(text: string | null): string | null {
  return text === null ? null : (/^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? null);
}

/**
 * Yields `index.csv` (RFC 4180) with a row per statement, including those without a file. `isIn` returns true for files
 * in the bag.
 */
export function* indexCsv(
  items: Iterable<ExportItem>,
  isIn: (item: ExportItem) => boolean,
): Generator<string> {
  yield formatCsvRow([...FIELDS, ...FILE_FIELDS]);
  for (const item of items) {
    const row = indexRow(item, isIn(item));
    yield formatCsvRow(Object.values(row));
  }
}

/** Yields `index.json`: the same rows as an array of objects, one per line. */
export function* indexJson(
  items: Iterable<ExportItem>,
  isIn: (item: ExportItem) => boolean,
): Generator<string> {
  let before = '[\n';
  for (const item of items) {
    yield `${before}${JSON.stringify(indexRow(item, isIn(item)))}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function indexRow(item: ExportItem, isIn: boolean) {
  const facts = JSON.parse(item.facts) as Facts;
  const none = facts.state === 'open' ? 'still open' : 'no PDF in the archive';
  const note = isIn ? '' : item.sha256 === null ? none : 'damaged in the archive';
  const file = isIn
    ? { file: statementPath(item), bytes: item.bytes, sha256: item.sha256 }
    : { file: '', bytes: null, sha256: null };
  return { ...facts, ...file, note };
}

/** Returns the path of a statement's PDF below `data/`. */
export const statementPath = ({ name }: Pick<ExportItem, 'name'>): string => `statements/${name}`;
