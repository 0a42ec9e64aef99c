import type { StatementNameFields } from '../../domain/archive/index.ts';
import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { ArchiveExportItem } from '../store/archive/archive-export.ts';
import type { ExportCandidate } from '../store/archive/export-candidates.ts';
import { statementStates } from '../store/statements/statement.ts';

/** Columns of the index that describe the file in the bag. */
const FILE_FIELDS = ['file', 'bytes', 'sha256', 'note'] as const;

/** Returns the index columns of a statement. Amounts are in cents, timestamps as sent by the service. */
export function toExportIndexFields(each: ExportCandidate) {
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

/** Columns of the index that describe a statement, in the order of `toExportIndexFields`. */
const STATEMENT_FIELDS = [
  ...['statement', 'subscription', 'customer', 'organization', 'state', 'opened_at', 'closed_at'],
  ...['settled_at', 'updated_at', 'starting_balance_in_cents', 'ending_balance_in_cents'],
  ...['charges_in_cents', 'payments_in_cents', 'version', 'fetched_at'],
] as const satisfies readonly (keyof ReturnType<typeof toExportIndexFields>)[];

/** Returns the fields of a statement that can appear in file names. */
export function toStatementNameFields(each: ExportCandidate): StatementNameFields {
  return {
    id: each.id,
    subscription_id: each.subscription_id,
    opened: toCalendarDay(each.opened_at),
    closed: toCalendarDay(each.closed_at),
    settled: toCalendarDay(each.settled_at),
    customer: each.customer_name,
    organization: each.customer_organization,
  };
}

/** Returns the calendar day of a timestamp from the service, in the timestamp's own time zone. */
function toCalendarDay(text: string | null): string | null {
  return text === null ? null : (/^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? null);
}

/**
 * Yields `index.csv` (RFC 4180) with one row per statement, including statements without a file. `isIn` tells if a file
 * is in the bag.
 */
export function* formatExportIndexCsv(
  items: Iterable<ArchiveExportItem>,
  isIn: (item: ArchiveExportItem) => boolean,
): Generator<string> {
  yield formatCsvRow([...STATEMENT_FIELDS, ...FILE_FIELDS]);
  for (const item of items) yield formatCsvRow(Object.values(toIndexRow(item, isIn(item))));
}

/** Yields `index.json`: the rows of `index.csv` as an array of objects, one per line. */
export function* formatExportIndexJson(
  items: Iterable<ArchiveExportItem>,
  isIn: (item: ArchiveExportItem) => boolean,
): Generator<string> {
  let before = '[\n';
  for (const item of items) {
    yield `${before}${JSON.stringify(toIndexRow(item, isIn(item)))}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function toIndexRow(item: ArchiveExportItem, isIn: boolean) {
  const facts = JSON.parse(item.facts) as ReturnType<typeof toExportIndexFields>;
  const reason = facts.state === 'open' ? 'still open' : 'no PDF in the archive';
  const note = isIn ? '' : item.sha256 === null ? reason : 'damaged in the archive';
  const file = isIn
    ? { file: getExportedStatementPath(item), bytes: item.bytes, sha256: item.sha256 }
    : { file: '', bytes: null, sha256: null };
  return { ...facts, ...file, note };
}

/** Returns the path of a statement's PDF, relative to `data/`. */
export const getExportedStatementPath = ({ name }: Pick<ArchiveExportItem, 'name'>): string =>
  `statements/${name}`;
