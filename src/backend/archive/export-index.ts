import type { NamedStatement } from '../../domain/archive/index.ts';
import { csvLine } from '../csv-line.ts';
import type { ExportItem } from '../store/archive/archive-export.ts';
import type { ExportCandidate } from '../store/archive/export-candidates.ts';
import { isoMoment } from '../store/moment.ts';
import { statementStates } from '../store/statements/statement.ts';

/** A row of the index that goes with exported statements. Money in cents; moments as the service wrote them, `fetched_at` is ours. */
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

/** Behind the facts: where the file stands in the bag, and what it is. */
const FILE_FIELDS = ['file', 'bytes', 'sha256', 'note'] as const;

export function factsOf(each: ExportCandidate): Facts {
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
    fetched_at: isoMoment(each.fetched_at),
  };
}

export function namedStatement(each: ExportCandidate): NamedStatement {
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

/** The calendar day of a moment in the service's own calendar, as it wrote it. */
function dayOf(text: string | null): string | null {
  return text === null ? null : (/^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? null);
}

/** `index.csv` (RFC 4180): a row a statement, those without a file too. `isIn` tells which files are in the bag. */
export function* indexCsv(
  items: Iterable<ExportItem>,
  isIn: (item: ExportItem) => boolean,
): Generator<string> {
  yield csvLine([...FIELDS, ...FILE_FIELDS]);
  for (const item of items) {
    const row = indexRow(item, isIn(item));
    yield csvLine(Object.values(row));
  }
}

/** `index.json`: the same rows as an array of objects, one a line. */
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

/** Where a statement's PDF stands below `data/`. */
export const statementPath = ({ name }: Pick<ExportItem, 'name'>): string => `statements/${name}`;
