import { toDayNumber } from '../../src/domain/ledger/index.ts';
import type { MatchGroup, MatchLine, MatchPayment } from '../../src/domain/matching/index.ts';
import type { LabeledData } from './labeled-bank-data.ts';

/** Quality of a matching, compared with the correct answers. */
export interface MatchQuality {
  /** Confirmed groups, and the wrong ones among them. */
  readonly confirmed: number;
  readonly wrong: readonly MatchGroup[];
  /** Lines whose payment can be determined from all lines, and the unconfirmed ones among them. */
  readonly unique: number;
  readonly lost: readonly number[];
  readonly recall: number;
  /** Lines whose payment cannot be determined and that are marked neither ambiguous nor suggested. */
  readonly unmarked: readonly number[];
}

export function computeMatchQuality(data: LabeledData, groups: Iterable<MatchGroup>): MatchQuality {
  const { confirmed, wrong, sound, marked } = judgeMatchGroups(data, groups);
  const unique = findIdentifiable(data);
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

/** Compares groups with the correct answers: wrong groups, correctly confirmed lines, and lines that need a decision. */
export function judgeMatchGroups(
  { truth, deposits }: LabeledData,
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
    // A reversal claims nothing of a payment. It is correct for money that belongs to no payment.
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
 * Finds lines with a unique answer by comparing every candidate: first lines with an ID; then lines whose name, amount
 * and days fit only one payment that fits no other line; then lines for which amount and days suffice.
 */
function findIdentifiable(data: LabeledData): Set<number> {
  const { hints, truth, longestLag } = data;
  const payments = new Map(data.payments.map((payment) => [payment.id, payment]));
  const told = new Set<number>();
  const explained = new Set<number>();
  for (const [line, of] of truth) {
    if (of.length === 0 || hints.get(line) !== 'id') continue;
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
    const byKey = groupByKeys(free, keysOf);
    const keysOfLine = (line: MatchLine): string[] => {
      const own = truth.get(line.id) ?? [];
      if (step === 'nothing') return [String(line.amount_in_cents)];
      const names = hints.get(line.id) === 'name' ? own.flatMap((id) => payments.get(id)?.names ?? []) : [];
      return names.map((name) => `${line.amount_in_cents} ${name}`);
    };
    const linesByKey = groupByKeys(rest, keysOfLine);
    const near = (line: MatchLine, payment: MatchPayment): boolean => {
      const lag = dayOf(line.booked_on) - dayOf(payment.paid_on);
      return lag >= -1 && lag <= longestLag;
    };
    const found: [number, number][] = [];
    for (const line of rest) {
      const [own] = truth.get(line.id) ?? [];
      const payment = own === undefined ? undefined : payments.get(own);
      if (payment === undefined || (step === 'name' && hints.get(line.id) !== 'name')) continue;
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
  const dayNumber = days.get(date) ?? (toDayNumber(date) as number);
  days.set(date, dayNumber);
  return dayNumber;
}

function groupByKeys<T>(rows: readonly T[], keysOf: (row: T) => readonly string[]): Map<string, T[]> {
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
