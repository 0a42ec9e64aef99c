import type { SearchResults } from '../../contract/index.ts';

export const foundRecordKinds = [
  'customers',
  'statements',
  'payments',
  'lines',
  'exceptions',
  'webhooks',
] as const satisfies readonly (keyof SearchResults)[];
export type FoundRecordKind = (typeof foundRecordKinds)[number];

/** Record that a search found, described on one line. */
export interface FoundRecord {
  readonly kind: FoundRecordKind;
  readonly id: number;
  readonly title: string;
  /** Amount, date and texts that tell the record apart from similar ones. */
  readonly detail: string;
  /** Page of the statement's PDF that contains the words; null for other records and texts. */
  readonly page: number | null;
}

export interface FoundRecordGroup {
  readonly kind: FoundRecordKind;
  readonly records: readonly FoundRecord[];
  readonly more: boolean;
  readonly complete: boolean;
}

/** Functions that format amounts in cents, dates (YYYY-MM-DD), and times as the service sent them. */
interface RecordFormatters {
  money(cents: number, currency?: string): string;
  date(date: string): string;
  moment(text: string): string;
}

type Described = Pick<FoundRecord, 'id' | 'title'> & {
  readonly details: readonly (string | null)[];
  readonly page?: number | null;
};
type Rows = { readonly [K in FoundRecordKind]: SearchResults[K]['rows'][number] };

/** Describes the records of a search by kind. Kinds without records are omitted if the search covered all of them. */
export function describeSearchResults(results: SearchResults, format: RecordFormatters): FoundRecordGroup[] {
  const at = (text: string | null) => text && format.moment(text);
  const describe: { readonly [K in FoundRecordKind]: (row: Rows[K]) => Described } = {
    customers: (row) => ({
      id: row.subscription_id,
      title: row.customer_name ?? row.customer_organization ?? String(row.subscription_id),
      details: [
        row.customer_organization,
        row.balance_in_cents === null ? null : `balance ${format.money(row.balance_in_cents)}`,
      ],
    }),
    statements: ({ passage, ...row }) => ({
      id: row.id,
      title: row.customer_name,
      details: [
        format.money(row.ending_balance_in_cents),
        at(row.closed_at ?? row.opened_at),
        passage && `${passage.before}${passage.hit}${passage.after}`,
      ],
      page: passage?.source === 'pdf' ? passage.page : null,
    }),
    payments: (row) => ({
      id: row.id,
      title: row.customer_name ?? row.memo ?? row.kind,
      details: [format.money(row.amount_in_cents, row.currency), format.date(row.paid_on), row.memo],
    }),
    lines: (row) => ({
      id: row.id,
      title: row.counterparty ?? row.description,
      details: [
        format.money(row.amount_in_cents, row.currency),
        format.date(row.booked_on),
        row.counterparty === null ? row.reference : row.description,
      ],
    }),
    exceptions: (row) => ({ id: row.id, title: row.customer_name ?? row.title, details: [row.message] }),
    webhooks: (row) => ({ id: row.id, title: row.event, details: [at(row.created_at), row.last_error] }),
  };
  const toGroup = <K extends FoundRecordKind>(kind: K): FoundRecordGroup => {
    const { rows, more, complete } = results[kind];
    const records = (rows as unknown as readonly Rows[K][]).map((row) => {
      const { id, title, details, page = null } = describe[kind](row);
      return { kind, id, title, detail: details.filter(Boolean).join(' · '), page };
    });
    return { kind, records, more, complete };
  };
  return foundRecordKinds.map(toGroup).filter(({ records, complete }) => records.length > 0 || !complete);
}
