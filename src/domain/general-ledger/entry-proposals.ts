import type { Cents } from '../ledger/index.ts';
import type { ComparedLedgerArea, LedgerArea } from './ledger-areas.ts';

/** Templates of proposed journal entries. */
export const entryTemplates = [
  ...([
    'fee',
    'chargeback',
    'reserve',
    'exchange',
    'write-off',
    'timing',
    'other-income',
    'billing',
  ] as const),
] as const;
export type EntryTemplate = (typeof entryTemplates)[number];

/** The fields of a schedule figure that proposals use. */
export interface ProposalFigure {
  readonly id: string;
  readonly amount_in_cents: Cents;
  /** Breakdown by account or category. Empty if there is only one part. */
  readonly parts: readonly { readonly label: string; readonly amount_in_cents: Cents }[];
}

/** A proposed journal entry that books an explained difference from one area to another. */
export interface ProposedEntry {
  /** Identifies the difference within the period and currency, for example `fee Card processor`. */
  readonly source: string;
  readonly template: EntryTemplate;
  readonly memo: string;
  readonly debit: LedgerArea;
  readonly credit: LedgerArea;
  /** Amount in cents, never 0. If it is negative, debit and credit are swapped. */
  readonly amount_in_cents: Cents;
  /** True if a second entry reverses this one on the first day of the next period. */
  readonly isReversing: boolean;
  /** True if the amount already accounts for entries that were accepted before. */
  readonly isRemainder: boolean;
}

interface TemplateRule {
  readonly template: EntryTemplate;
  readonly figure: string;
  readonly memo: string;
  readonly debit: LedgerArea;
  readonly credit: LedgerArea;
  readonly isReversing?: true;
}

/** Negative figures that reduce the clearing or bank balance, with the areas to debit and credit. */
const rules: readonly TemplateRule[] = [
  { template: 'fee', figure: 'S2.fees', memo: 'Processor fees', debit: 'fees', credit: 'clearing' },
  {
    ...{ template: 'chargeback', figure: 'S2.chargebacks', memo: 'Chargebacks' },
    ...{ debit: 'chargebacks', credit: 'clearing' },
  },
  {
    template: 'reserve',
    figure: 'S2.reserve',
    memo: 'Processor reserve',
    debit: 'reserve',
    credit: 'clearing',
  },
  { template: 'exchange', figure: 'S2.fx', memo: 'Currency exchange', debit: 'exchange', credit: 'clearing' },
  {
    ...{ template: 'write-off', figure: 'S2.adjustments', memo: 'Differences in matched payments' },
    ...{ debit: 'write-offs', credit: 'clearing' },
  },
  {
    ...{ template: 'write-off', figure: 'S3.differs', memo: 'Differences between deposits and payouts' },
    ...{ debit: 'write-offs', credit: 'clearing' },
  },
  {
    ...{ template: 'write-off', figure: 'S3.adjustments', memo: 'Differences in matched receipts' },
    ...{ debit: 'write-offs', credit: 'receivables' },
  },
  {
    ...{ template: 'timing', figure: 'S3.transit', memo: 'Payouts in transit' },
    ...{ debit: 'in-transit', credit: 'clearing', isReversing: true },
  },
  {
    ...{ template: 'other-income', figure: 'S3.categorized', memo: 'Other receipts' },
    ...{ debit: 'other-income', credit: 'cash' },
  },
];

/** Areas whose proposed amount is the S4 difference, because the ledger may already contain a part of the figure. */
const remainderAreas: Readonly<Partial<Record<EntryTemplate, ComparedLedgerArea>>> = { fee: 'fees' };

/** Returns records less ledger and accepted entries of an area, in cents; null if S4 does not compare the area. */
export function findLedgerGap(
  figures: ReadonlyMap<string, ProposalFigure>,
  area: ComparedLedgerArea,
): Cents | null {
  const amount = (name: string) => figures.get(`S4.${area}${name}`)?.amount_in_cents;
  const records = amount('');
  const ledger = amount('-ledger');
  if (records === undefined || ledger === undefined) return null;
  return records - ledger - (amount('-entries') ?? 0);
}

/** Proposes one balanced journal entry for each explained difference in the schedules S1 to S4 of one currency. */
export function proposeEntries(
  schedules: readonly { readonly lines: readonly ProposalFigure[] }[],
): ProposedEntry[] {
  const figures = new Map(schedules.flatMap(({ lines }) => lines).map((line) => [line.id, line]));
  const proposals = rules.flatMap((rule) => proposeByRule(rule, figures));
  const billing = findLedgerGap(figures, 'revenue');
  if (billing !== null && billing !== 0)
    proposals.push({
      ...{ source: 'billing', template: 'billing', memo: 'Charges and credits not in the ledger' },
      ...{ debit: 'receivables', credit: 'revenue', amount_in_cents: billing },
      ...{ isReversing: false, isRemainder: true },
    });
  return proposals;
}

function proposeByRule(rule: TemplateRule, figures: ReadonlyMap<string, ProposalFigure>): ProposedEntry[] {
  const { template, memo, debit, credit, isReversing = false } = rule;
  const toEntry = (label: string, amount_in_cents: Cents, isRemainder: boolean): ProposedEntry => ({
    source: [rule.figure, label].filter((text) => text !== '').join(' '),
    template,
    memo: label === '' ? memo : `${memo}: ${label}`,
    ...{ debit, credit, amount_in_cents, isReversing, isRemainder },
  });
  const area = remainderAreas[template];
  const gap = area === undefined ? null : findLedgerGap(figures, area);
  if (gap !== null) return gap === 0 ? [] : [toEntry('', gap, true)];
  const figure = figures.get(rule.figure);
  if (figure === undefined) return [];
  const parts = figure.parts.length > 0 ? figure.parts : [{ label: '', ...figure }];
  return parts.flatMap(({ label, amount_in_cents }) =>
    amount_in_cents === 0 ? [] : [toEntry(label, 0 - amount_in_cents, false)],
  );
}
