import type { DecisionPart, LineIdentity, PackDecision } from '../../contract/index.ts';
import { money } from '../../domain/ledger/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { isoMoment } from '../store/moment.ts';
import { lineOf } from '../store/periods/pack-places.ts';

/** A decision of a pack held against the books. */
export interface Finding extends PackDecision {
  readonly part: DecisionPart;
  /** Writes it down, in the transaction that is open; null for what is not missing. */
  readonly apply: ((by: Restoring) => void) | null;
}

/** Who restores, when (ms UTC), and why. */
export interface Restoring {
  readonly at: number;
  readonly who: string;
  readonly why: string;
}

/** What decisions are held against. */
export interface Ground {
  readonly open: OpenSite;
  readonly period: string;
  /** Lines that the missing files will bring, by their identity; and payments that the books will be told of. */
  readonly coming: { readonly lines: ReadonlySet<string>; readonly payments: ReadonlySet<number> };
}

/** Not in the books yet, and there once the files of the pack are. */
export const COMING = 0;

/** One text for a line’s identity. */
export const identityText = (line: LineIdentity): string =>
  [
    ...[line.account.toLowerCase(), line.booked_on, line.amount_in_cents, line.currency],
    ...[line.words, line.occurrence, line.bank_id],
  ].join('\n');

/** The line’s number here, also of one that comes back; `COMING`, or null where it is not held. */
export function placeOfLine({ open, coming }: Ground, line: LineIdentity): number | null {
  const held = lineOf(open.books, line);
  if (held?.gone === 0) return held.id;
  return coming.lines.has(identityText(line)) ? (held?.id ?? COMING) : null;
}

export const lineText = ({ booked_on, amount_in_cents, currency, account }: LineIdentity): string =>
  `the line of ${booked_on} in “${account}”, ${money(amount_in_cents)} ${currency}`;

const nothing = { why: null, amount_in_cents: null, currency: null, at: null, who: null, apply: null };

/** The same, `missing` with what restores it, or why it is not restored. */
export const finding = (
  part: DecisionPart,
  known: Pick<Finding, 'text'> & Partial<Pick<Finding, 'amount_in_cents' | 'currency' | 'at' | 'who'>>,
) => ({
  same: (): Finding => ({ ...nothing, ...known, part, state: 'same' }),
  missing: (apply: (by: Restoring) => void): Finding => ({
    ...nothing,
    ...known,
    part,
    state: 'missing',
    apply,
  }),
  otherwise: (why: string): Finding => ({ ...nothing, ...known, part, state: 'otherwise', why }),
  notHeld: (why: string): Finding => ({ ...nothing, ...known, part, state: 'not_held', why }),
});

/** What the audit log says besides of who decided it first. */
export const firstDecided = (period: string, at: number | null, by: string | null) => ({
  pack: period,
  decided_at: isoMoment(at),
  decided_by: by,
});
