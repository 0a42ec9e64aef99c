import { sumCents } from '../../../domain/ledger/index.ts';

/** A line or payment of which some is taken: not more than is open of it, and money of the same direction. */
export interface Member {
  readonly side: 'lines' | 'payments';
  readonly id: number;
  readonly open_in_cents: number;
}

/** What is typed for a member, a text a part. */
export type Typed = readonly string[];

export interface MemberVerdict {
  /** Cents a part; null where what is typed is no amount. */
  readonly cents: readonly (number | null)[];
  readonly left_in_cents: number;
  readonly fault: 'amount' | 'direction' | 'tooMuch' | null;
}

export interface PartVerdict {
  /** The first is 1. */
  readonly part: number;
  readonly lines_in_cents: number;
  readonly payments_in_cents: number;
  /** Lines less payments: what the part leaves unexplained. */
  readonly difference_in_cents: number;
  /** Whether anything is taken in it. */
  readonly used: boolean;
}

export interface Allotment {
  readonly members: readonly MemberVerdict[];
  readonly parts: readonly PartVerdict[];
}

/**
 * Cents of an amount as people type it: `1,234.50`, `1.234,5`, `−3`. A separator with one or two digits behind it is the
 * decimal one, with three it groups; null for anything else.
 */
export function centsTyped(text: string): number | null {
  const plain = text.replace(/[\s’']/g, '').replace('\u2212', '-');
  const [, sign, digits, decimals = ''] =
    /^([-+]?)(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  if (digits === undefined) return null;
  const cents = Number(digits.replace(/[.,]/g, '') + decimals.padEnd(2, '0'));
  if (!Number.isSafeInteger(cents)) return null;
  return sign === '-' ? 0 - cents : cents;
}

/** What was typed, held against what is open: never more of a member than there is, whichever the part. */
export function allot(members: readonly Member[], typed: readonly Typed[], parts: number): Allotment {
  const verdicts = members.map((member, at) => verdictOf(member, typed[at] ?? [], parts));
  return {
    members: verdicts,
    parts: Array.from({ length: parts }, (_, part) => {
      const taken = (side: Member['side']) =>
        members.flatMap((member, at) => (member.side === side ? (verdicts[at]?.cents[part] ?? 0) : []));
      const lines = sumCents(taken('lines'));
      const payments = sumCents(taken('payments'));
      return {
        part: part + 1,
        lines_in_cents: lines,
        payments_in_cents: payments,
        difference_in_cents: lines - payments,
        used: [...taken('lines'), ...taken('payments')].some((cents) => cents !== 0),
      };
    }),
  };
}

function verdictOf({ open_in_cents: open }: Member, typed: Typed, parts: number): MemberVerdict {
  const cents = Array.from({ length: parts }, (_, part) => {
    const text = typed[part]?.trim() ?? '';
    return text === '' ? 0 : centsTyped(text);
  });
  const taken = sumCents(cents.map((each) => each ?? 0));
  const fault = cents.includes(null)
    ? 'amount'
    : cents.some((each) => each !== null && each !== 0 && Math.sign(each) !== Math.sign(open))
      ? 'direction'
      : Math.abs(taken) > Math.abs(open)
        ? 'tooMuch'
        : null;
  return { cents, left_in_cents: open - taken, fault };
}

/**
 * What to begin with: all of the smaller side, and of the larger one as much as that comes to, first come first served. Money that
 * moves both ways is left whole: what belongs to what cannot be told from its amount.
 */
export function begun(members: readonly Member[]): number[] {
  const whole = members.map(({ open_in_cents }) => open_in_cents);
  const signs = new Set(whole.map(Math.sign));
  if (signs.size !== 1) return whole;
  const sum = (side: Member['side']) =>
    sumCents(members.flatMap((member) => (member.side === side ? Math.abs(member.open_in_cents) : [])));
  const room = { lines: sum('payments'), payments: sum('lines') };
  return members.map(({ side, open_in_cents }) => {
    const taken = Math.min(Math.abs(open_in_cents), room[side]);
    room[side] -= taken;
    return taken * Math.sign(open_in_cents);
  });
}
