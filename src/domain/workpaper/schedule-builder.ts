import { addCents, type Cents } from '../ledger/index.ts';
import type { WorkpaperScheduleDefinition, WorkpaperScheduleLineDefinition } from './schedule-definition.ts';

/** Sum of a figure. `parts` are the sums by account, kind or category if the figure is split. */
export interface FigureSum {
  cents: Cents;
  count: number;
  readonly parts: Map<string, { cents: Cents; count: number }>;
}

export type UnexplainedAmount = { readonly count: number; readonly amount_in_cents: Cents };

export interface WorkpaperScheduleLine {
  readonly id: string;
  readonly label: string;
  readonly role: WorkpaperScheduleLineDefinition['role'];
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
  readonly unexplained: UnexplainedAmount | null;
  readonly opens: boolean;
}

export interface WorkpaperSchedule {
  readonly id: WorkpaperScheduleDefinition['id'];
  readonly title: string;
  readonly purpose: string;
  readonly lines: readonly WorkpaperScheduleLine[];
  readonly difference_in_cents: Cents;
  readonly unexplained: UnexplainedAmount;
}

/** Sums of figures by figure id. */
export class FigureSums {
  readonly #sums = new Map<string, FigureSum>();

  /** Adds an amount to a figure. Throws RangeError if the sum is not exact. */
  add(figure: string, part: string, cents: Cents, count = 1): void {
    let sum = this.#sums.get(figure);
    if (sum === undefined) {
      sum = { cents: 0, count: 0, parts: new Map() };
      this.#sums.set(figure, sum);
    }
    sum.cents = addCents(sum.cents, cents);
    sum.count += count;
    const partSum = sum.parts.get(part) ?? { cents: 0, count: 0 };
    sum.parts.set(part, { cents: addCents(partSum.cents, cents), count: partSum.count + count });
  }

  get(figure: string): FigureSum {
    return this.#sums.get(figure) ?? { cents: 0, count: 0, parts: new Map() };
  }
}

/** Builds a schedule of one currency from the sums of its figures. */
export function buildSchedule(
  { id, title, purpose, lines: definitions }: WorkpaperScheduleDefinition,
  sums: FigureSums,
  unexplained: ReadonlyMap<string, UnexplainedAmount>,
): WorkpaperSchedule {
  const amounts = new Map<string, Cents>();
  const lines: WorkpaperScheduleLine[] = [];
  for (const definition of definitions) {
    const figure = `${id}.${definition.name}`;
    const sum = sums.get(figure);
    const amount = computeAmount(definition, sums, { sum, amounts });
    amounts.set(definition.name, amount);
    if (definition.rare && (definition.plus === undefined ? sum.count === 0 : amount === 0)) continue;
    const open = definition.open ? (unexplained.get(figure) ?? { count: 0, amount_in_cents: 0 }) : null;
    lines.push(buildLine(id, definition, { sum, amount, open }));
  }
  const included = new Set(lines.map((line) => line.id));
  return {
    id,
    title,
    purpose,
    lines: lines.map((line) =>
      line.sum === null ? line : { ...line, sum: keepIncluded(line.sum, included) },
    ),
    difference_in_cents: lines
      .filter(({ role }) => role === 'difference')
      .reduce((all, line) => addCents(all, Math.abs(line.amount_in_cents)), 0),
    unexplained: sumUnexplained(lines),
  };
}

function buildLine(
  schedule: WorkpaperScheduleDefinition['id'],
  definition: WorkpaperScheduleLineDefinition,
  { sum, amount, open }: { sum: FigureSum; amount: Cents; open: UnexplainedAmount | null },
): WorkpaperScheduleLine {
  const { name, label, role, note, noteOfDifference = note, plus, minus } = definition;
  const toIds = (names: readonly string[]) =>
    names.map((each) => (isFigureId(each) ? each : `${schedule}.${each}`));
  return {
    id: `${schedule}.${name}`,
    label,
    role,
    amount_in_cents: amount,
    count: plus === undefined ? sum.count : null,
    ticks: findTickMarks(definition, amount, open),
    note: amount === 0 ? note : noteOfDifference,
    sum: plus === undefined ? null : { plus: toIds(plus), minus: toIds(minus) },
    parts: sortParts(sum),
    unexplained: open,
    opens: plus === undefined && sum.count > 0,
  };
}

/** Returns true if the name is a figure of another schedule. Line names contain no dot. */
const isFigureId = (name: string): boolean => name.includes('.');

function computeAmount(
  { plus, minus }: WorkpaperScheduleLineDefinition,
  sums: FigureSums,
  { sum, amounts }: { sum: FigureSum; amounts: ReadonlyMap<string, Cents> },
): Cents {
  const find = (name: string) => (isFigureId(name) ? sums.get(name).cents : amounts.get(name));
  const add = (names: readonly string[]): Cents =>
    names.reduce((total, name) => addCents(total, find(name) ?? 0), 0);
  return plus === undefined ? sum.cents : add(plus) - add(minus);
}

function sumUnexplained(lines: readonly WorkpaperScheduleLine[]): UnexplainedAmount {
  return lines.reduce<UnexplainedAmount>(
    (all, { unexplained }) => ({
      count: all.count + (unexplained?.count ?? 0),
      amount_in_cents: addCents(all.amount_in_cents, unexplained?.amount_in_cents ?? 0),
    }),
    { count: 0, amount_in_cents: 0 },
  );
}

/** Removes names of lines that the schedule omits. */
function keepIncluded(
  sum: { plus: readonly string[]; minus: readonly string[] },
  included: ReadonlySet<string>,
) {
  const schedule = [...included][0]?.split('.')[0];
  const filter = (names: readonly string[]) =>
    names.filter((name) => included.has(name) || !name.startsWith(`${schedule}.`));
  return { plus: filter(sum.plus), minus: filter(sum.minus) };
}

/** Returns the tick marks of a line, with the exception mark if there is a difference or an unexplained amount. */
function findTickMarks(
  { role, ticks }: WorkpaperScheduleLineDefinition,
  amount: Cents,
  open: UnexplainedAmount | null,
): readonly string[] {
  const isException = (role === 'difference' && amount !== 0) || (open !== null && open.count > 0);
  return isException && !ticks.includes('E') ? [...ticks, 'E'] : ticks;
}

function sortParts({ parts }: FigureSum): WorkpaperScheduleLine['parts'] {
  if (parts.size < 2) return [];
  return [...parts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, { cents, count }]) => ({ label, count, amount_in_cents: cents }));
}
