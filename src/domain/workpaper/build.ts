import { addCents, type Cents } from '../ledger/index.ts';
import { bankSchedule } from './bank-schedule.ts';
import { billingSchedule } from './billing-schedule.ts';
import type { LineDefinition, ScheduleDefinition } from './lines.ts';
import { processorSchedule } from './processor-schedule.ts';

/** Each foots to the next: /S2, S1/ and so on. */
const schedules: readonly ScheduleDefinition[] = [billingSchedule, processorSchedule, bankSchedule];

/** A figure as it was added up: `parts` are by account, kind or category, where it is split. */
export interface Sum {
  cents: Cents;
  count: number;
  readonly parts: Map<string, { cents: Cents; count: number }>;
}

export interface Unexplained {
  readonly count: number;
  readonly amount_in_cents: Cents;
}

export interface BuiltLine {
  readonly id: string;
  readonly label: string;
  readonly role: LineDefinition['role'];
  readonly amount_in_cents: Cents;
  readonly count: number | null;
  readonly ticks: readonly string[];
  readonly note: string;
  readonly sum: { readonly plus: readonly string[]; readonly minus: readonly string[] } | null;
  readonly parts: readonly {
    readonly label: string;
    readonly count: number;
    readonly amount_in_cents: Cents;
  }[];
  readonly unexplained: Unexplained | null;
  readonly opens: boolean;
}

export interface BuiltSchedule {
  readonly id: ScheduleDefinition['id'];
  readonly title: string;
  readonly purpose: string;
  readonly lines: readonly BuiltLine[];
  readonly difference_in_cents: Cents;
  readonly unexplained: Unexplained;
}

/** Figures by their ids, as they are gathered. */
export class Sums {
  readonly #sums = new Map<string, Sum>();

  /** RangeError where a sum can no longer be exact. */
  add(figure: string, part: string, cents: Cents, count = 1): void {
    let sum = this.#sums.get(figure);
    if (sum === undefined) {
      sum = { cents: 0, count: 0, parts: new Map() };
      this.#sums.set(figure, sum);
    }
    sum.cents = addCents(sum.cents, cents);
    sum.count += count;
    const inPart = sum.parts.get(part) ?? { cents: 0, count: 0 };
    sum.parts.set(part, { cents: addCents(inPart.cents, cents), count: inPart.count + count });
  }

  get(figure: string): Sum {
    return this.#sums.get(figure) ?? { cents: 0, count: 0, parts: new Map() };
  }
}

/** The schedules of a currency; S1 only where it is asked for, as billing is in one currency alone. */
export function buildSchedules(
  sums: Sums,
  unexplained: ReadonlyMap<string, Unexplained>,
  withBilling: boolean,
): BuiltSchedule[] {
  return schedules
    .filter(({ id }) => withBilling || id !== 'S1')
    .map((each) => build(each, sums, unexplained));
}

function build(
  { id, title, purpose, lines: definitions }: ScheduleDefinition,
  sums: Sums,
  unexplained: ReadonlyMap<string, Unexplained>,
): BuiltSchedule {
  const cents = new Map<string, Cents>();
  const lines: BuiltLine[] = [];
  for (const definition of definitions) {
    const { name, label, role, note, noteOfDifference = note } = definition;
    const figure = `${id}.${name}`;
    const sum = sums.get(figure);
    const plus = definition.plus;
    const amount = plus === undefined ? sum.cents : added(cents, plus) - added(cents, definition.minus ?? []);
    cents.set(name, amount);
    if (definition.rare && sum.count === 0) continue;
    const open = definition.open ? (unexplained.get(figure) ?? { count: 0, amount_in_cents: 0 }) : null;
    const named = (names: readonly string[]) => names.map((each) => `${id}.${each}`);
    lines.push({
      id: figure,
      label,
      role,
      amount_in_cents: amount,
      count: plus === undefined ? sum.count : null,
      ticks: ticksOf(definition, amount, open),
      note: amount === 0 ? note : noteOfDifference,
      sum: plus === undefined ? null : { plus: named(plus), minus: named(definition.minus ?? []) },
      parts: partsOf(sum),
      unexplained: open,
      opens: plus === undefined && sum.count > 0,
    });
  }
  const standing = new Set(lines.map((line) => line.id));
  return {
    id,
    title,
    purpose,
    lines: lines.map((line) => (line.sum === null ? line : { ...line, sum: present(line.sum, standing) })),
    difference_in_cents: lines
      .filter(({ role }) => role === 'difference')
      .reduce((all, line) => addCents(all, Math.abs(line.amount_in_cents)), 0),
    unexplained: lines.reduce<Unexplained>(
      (all, line) => ({
        count: all.count + (line.unexplained?.count ?? 0),
        amount_in_cents: addCents(all.amount_in_cents, line.unexplained?.amount_in_cents ?? 0),
      }),
      { count: 0, amount_in_cents: 0 },
    ),
  };
}

const added = (cents: ReadonlyMap<string, Cents>, names: readonly string[]): Cents =>
  names.reduce((sum, name) => addCents(sum, cents.get(name) ?? 0), 0);

/** A formula names the lines that stand on the sheet. */
function present(sum: { plus: readonly string[]; minus: readonly string[] }, standing: ReadonlySet<string>) {
  const there = (names: readonly string[]) => names.filter((name) => standing.has(name));
  return { plus: there(sum.plus), minus: there(sum.minus) };
}

/** A difference, or something nobody explained, is an exception. */
function ticksOf(
  { role, ticks }: LineDefinition,
  amount: Cents,
  open: Unexplained | null,
): readonly string[] {
  const isException = (role === 'difference' && amount !== 0) || (open !== null && open.count > 0);
  return isException && !ticks.includes('E') ? [...ticks, 'E'] : ticks;
}

function partsOf({ parts }: Sum): BuiltLine['parts'] {
  if (parts.size < 2) return [];
  return [...parts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, { cents, count }]) => ({ label, count, amount_in_cents: cents }));
}
