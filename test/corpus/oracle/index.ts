import type { World } from '../model/world.ts';
import type { Answerable } from '../report/tally.ts';
import { splitIntoComponents } from './components.ts';
import { findForcedAnswers } from './enumerate.ts';
import { removeAnswered, separateIdentifiedLines } from './identified-lines.ts';
import { type LineOptions, type Option, OptionFinder } from './options.ts';
import { findProvedPairs } from './proved-pairs.ts';
import { COST, MARGIN, MAX_ROWS } from './rules.ts';

/** Kinds of lines that the oracle does not judge: they concern payouts or take payments back. */
const SKIPPED = new Set([
  'payout',
  'fee',
  'chargeback',
  'reserve',
  'fx',
  'adjustment',
  'transfer',
  'interest',
]);

/** Computes which lines of a world have a forced or a unique answer, without using the matcher. */
export function findAnswerable(world: World): Answerable {
  const finder = new OptionFinder(world);
  const all = world.lines.filter(({ kind }) => !SKIPPED.has(kind)).map((line) => finder.find(line));
  const proved = findProvedPairs(all);
  const { identified, unpaidCosts } = separateIdentifiedLines(removeAnswered(all, proved));
  const first = solveComponents(world, identified, unpaidCosts);
  const answers = new Map([...proved, ...first.answers]);
  const second = solveComponents(world, removeAnswered(all, answers), new Map());
  for (const [line, option] of second.answers) answers.set(line, option);
  return {
    ...compareWithLabels(
      world,
      selectConfirmable(world, answers),
      new Set([...proved.keys(), ...first.unique, ...second.unique]),
    ),
    components: first.components + second.components,
    tooLarge: second.tooLarge,
    linesInLarge: second.linesInLarge,
  };
}

interface SolvedComponents extends Pick<Answerable, 'unique' | 'components' | 'tooLarge' | 'linesInLarge'> {
  readonly answers: ReadonlyMap<number, Option>;
}

/** Enumerates all components of at most 30 rows. */
function solveComponents(
  world: World,
  lines: readonly LineOptions[],
  unpaidCosts: ReadonlyMap<number, number>,
): SolvedComponents {
  const answers = new Map<number, Option>();
  const unique = new Set<number>();
  let tooLarge = 0;
  let linesInLarge = 0;
  const components = splitIntoComponents(lines);
  for (const component of components) {
    const rows = component.lines.length + component.payments.length;
    const forced = rows > MAX_ROWS ? null : findForcedAnswers(component, world.payments, unpaidCosts);
    if (forced === null) {
      tooLarge += 1;
      linesInLarge += component.lines.length;
    }
    for (const [line, option] of forced ?? []) {
      answers.set(line, option);
      if (component.lines.length === 1) unique.add(line);
    }
  }
  return { answers, unique, components: components.length - tooLarge, tooLarge, linesInLarge };
}

/** Separates the answers that the labels contradict. */
function compareWithLabels(
  { labels, payments }: World,
  answers: ReadonlyMap<number, Option>,
  unique: ReadonlySet<number>,
): Pick<Answerable, 'forced' | 'unique' | 'misleading'> {
  const forced = new Set<number>();
  const misleading = new Set<number>();
  for (const label of labels) {
    const option = answers.get(label.line);
    if (option === undefined) continue;
    const ids = new Set(option.payments.map((at) => payments[at]?.id));
    const right = ids.size === label.payments.length && label.payments.every((id) => ids.has(id));
    (right ? forced : misleading).add(label.line);
  }
  return { forced, unique: new Set([...unique].filter((line) => forced.has(line))), misleading };
}

/**
 * Keeps the answers that a matcher can confirm: with at most one error, and with equal amounts or parts that add up to
 * their payment.
 */
function selectConfirmable(world: World, answers: ReadonlyMap<number, Option>): Map<number, Option> {
  const amounts = new Map(world.lines.map(({ id, amount_in_cents }) => [id, amount_in_cents]));
  const paid = new Map<number, number>();
  for (const [line, { kind, payments }] of answers) {
    const [at] = payments;
    if (kind === 'part' && at !== undefined) paid.set(at, (paid.get(at) ?? 0) + (amounts.get(line) ?? 0));
  }
  const isComplete = ({ kind, payments: [at = -1] }: Option): boolean =>
    kind === 'part' && paid.get(at) === world.payments[at]?.amount_in_cents;
  const isConfirmable = (option: Option): boolean =>
    option.kind === 'equal'
      ? option.cost <= MARGIN
      : isComplete(option) && option.cost <= MARGIN + COST.otherAmount;
  return new Map([...answers].filter(([, option]) => isConfirmable(option)));
}
