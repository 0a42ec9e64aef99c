import { toDayNumber } from '../../src/domain/ledger/index.ts';
import type { MatchGroup, MatchLine, MatchPayment } from '../../src/domain/matching/index.ts';
import type { Labeled } from './bank-truth.ts';

/** How a matching stands against the truth. */
export interface Verdict {
  /** Groups that are confirmed, and those of them that are not so. */
  readonly confirmed: number;
  readonly wrong: readonly MatchGroup[];
  /** Lines whose payment can be told by what they and the others say, and those of them that are not confirmed. */
  readonly unique: number;
  readonly lost: readonly number[];
  readonly recall: number;
  /** Lines whose payment cannot be told and that are neither ambiguous nor merely suggested. */
  readonly unmarked: readonly number[];
}

export function verdictOf(data: Labeled, groups: Iterable<MatchGroup>): Verdict {
  const { confirmed, wrong, sound, marked } = judged(data, groups);
  const unique = tellable(data);
  const lost = [...unique].filter((id) => !sound.has(id));
  const unmarked = [...data.truth].filter(
    ([id, of]) => of.length > 0 && !unique.has(id) && !sound.has(id) && !marked.has(id),
  );
  return {
    confirmed,
    wrong,
    unique: unique.size,
    lost,
    recall: unique.size === 0 ? 1 : 1 - lost.length / unique.size,
    unmarked: unmarked.map(([id]) => id),
  };
}

/** Groups against the truth: those that are wrong, lines that are confirmed rightly, and lines that wait for somebody. */
export function judged(
  { truth, deposits }: Labeled,
  groups: Iterable<MatchGroup>,
): { confirmed: number; wrong: MatchGroup[]; sound: Set<number>; marked: Set<number> } {
  const sound = new Set<number>();
  const marked = new Set<number>();
  const wrong: MatchGroup[] = [];
  let confirmed = 0;
  for (const group of groups) {
    const ids = group.lines.map(({ id }) => id);
    if (group.status !== 'confirmed') {
      for (const id of ids) marked.add(id);
      continue;
    }
    confirmed++;
    const right = new Set(ids.flatMap((id) => truth.get(id) ?? []));
    const said = group.payments.map(({ id }) => id);
    const deposit = ids.find((id) => deposits.has(id));
    // What takes a payment back claims nothing of it: it is right for money that is no payment’s of its own.
    const so =
      group.payout === null
        ? (said.length > 0 || group.reverses !== null) &&
          said.length === right.size &&
          said.every((id) => right.has(id))
        : deposit !== undefined && deposits.get(deposit) === group.payout.payout_id;
    if (so) for (const id of ids) sound.add(id);
    else wrong.push(group);
  }
  return { confirmed, wrong, sound, marked };
}

/**
 * Lines with a unique answer, by looking at every candidate: those that say an id; of the rest those whose name, amount and days fit one payment
 * alone, and whose payment fits no other line; of the rest those of whom amount and days alone say so.
 */
function tellable(data: Labeled): Set<number> {
  const { says, truth, longestLag } = data;
  const payments = new Map(data.payments.map((payment) => [payment.id, payment]));
  const told = new Set<number>();
  const explained = new Set<number>();
  for (const [line, of] of truth) {
    if (of.length === 0 || says.get(line) !== 'id') continue;
    told.add(line);
    for (const id of of) explained.add(id);
  }
  for (const step of ['name', 'nothing'] as const) {
    const free = data.payments.filter(({ id }) => !explained.has(id));
    const rest = data.lines.filter(({ id, kind }) => !told.has(id) && kind === 'entry');
    const keysOf = (payment: MatchPayment): string[] =>
      step === 'nothing'
        ? [String(payment.amount_in_cents)]
        : payment.names.map((name) => `${payment.amount_in_cents} ${name}`);
    const byKey = grouped(free, keysOf);
    const keysOfLine = (line: MatchLine): string[] => {
      const own = truth.get(line.id) ?? [];
      if (step === 'nothing') return [String(line.amount_in_cents)];
      const names = says.get(line.id) === 'name' ? own.flatMap((id) => payments.get(id)?.names ?? []) : [];
      return names.map((name) => `${line.amount_in_cents} ${name}`);
    };
    const linesByKey = grouped(rest, keysOfLine);
    const near = (line: MatchLine, payment: MatchPayment): boolean => {
      const lag = dayOf(line.booked_on) - dayOf(payment.paid_on);
      return lag >= -1 && lag <= longestLag;
    };
    const found: [number, number][] = [];
    for (const line of rest) {
      const [own] = truth.get(line.id) ?? [];
      const payment = own === undefined ? undefined : payments.get(own);
      if (payment === undefined || (step === 'name' && says.get(line.id) !== 'name')) continue;
      const candidates = new Set(
        keysOfLine(line).flatMap((key) => (byKey.get(key) ?? []).filter((each) => near(line, each))),
      );
      const alternatives = new Set(
        keysOf(payment).flatMap((key) => (linesByKey.get(key) ?? []).filter((each) => near(each, payment))),
      );
      if (candidates.size === 1 && alternatives.size === 1 && candidates.has(payment))
        found.push([line.id, payment.id]);
    }
    for (const [line, payment] of found) {
      told.add(line);
      explained.add(payment);
    }
  }
  return told;
}

const days = new Map<string, number>();

function dayOf(date: string): number {
  const known = days.get(date) ?? (toDayNumber(date) as number);
  days.set(date, known);
  return known;
}

function grouped<T>(rows: readonly T[], keysOf: (row: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
  }
  return groups;
}
