import type { World } from '../model/world.ts';
import type { Answerable } from '../report/tally.ts';
import { splitIntoComponents } from './components.ts';
import { findForcedAnswers } from './enumerate.ts';
import { removeAnswered, separateIdentifiedLines } from './identified-lines.ts';
import { findAllLocalProofs } from './local-proofs.ts';
import { type LineOptions, type Option, OptionFinder } from './options.ts';
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
  const { answers, unique, ...counts } = solveWorld(world, listOptions(world));
  return { ...compareWithLabels(world, selectConfirmable(world, answers), unique), ...counts };
}

/** Lists the possible answers of all lines that the oracle judges. */
export function listOptions(world: World): LineOptions[] {
  const finder = new OptionFinder(world);
  return world.lines.filter(({ kind }) => !SKIPPED.has(kind)).map((line) => finder.find(line));
}

/** Finds all forced answers: local proofs first, then identified lines, then the remaining components. */
export function solveWorld(world: World, lines: readonly LineOptions[]): SolvedWorld {
  const proved = findAllLocalProofs(lines);
  const { identified, unpaidCosts } = separateIdentifiedLines(removeAnswered(lines, proved));
  const first = solveComponents(world, identified, unpaidCosts);
  const known = new Map([...proved, ...first.answers]);
  const second = solveComponents(world, removeAnswered(lines, known), new Map());
  return {
    answers: new Map([...known, ...second.answers]),
    unique: new Set(proved.keys()),
    components: first.components + second.components,
    tooLarge: second.tooLarge,
    linesInLarge: second.linesInLarge,
  };
}

/** All forced answers, and the lines whose answer has a local proof. */
type SolvedWorld = SolvedComponents & Pick<Answerable, 'unique'>;

interface SolvedComponents extends Pick<Answerable, 'components' | 'tooLarge' | 'linesInLarge'> {
  readonly answers: ReadonlyMap<number, Option>;
}

/** Enumerates all components that are not too large. */
function solveComponents(
  world: World,
  lines: readonly LineOptions[],
  unpaidCosts: ReadonlyMap<number, number>,
): SolvedComponents {
  const answers = new Map<number, Option>();
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
    for (const [line, option] of forced ?? []) answers.set(line, option);
  }
  return { answers, components: components.length - tooLarge, tooLarge, linesInLarge };
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
