import type { LineClass, World } from '../model/world.ts';
import type { Judgement, LineOutcome, WrongMatch } from './judge.ts';

export type OutcomeCounts = Record<LineOutcome, number>;

/** Which lines an oracle can answer, per line of a world. */
export interface Answerable {
  /** Lines whose match is in all consistent assignments of an enumerated component. */
  readonly forced: ReadonlySet<number>;
  /** Lines with one candidate that has no other line, in components of any size. */
  readonly unique: ReadonlySet<number>;
  /** Lines for which the evidence forces an answer that the label contradicts. */
  readonly misleading: ReadonlySet<number>;
  readonly components: number;
  readonly tooLarge: number;
  /** Number of lines in components that are too large. */
  readonly linesInLarge: number;
}

/** Number of answerable lines, and of the confirmed ones among them. */
export interface Recall {
  lines: number;
  confirmed: number;
}

export type ClassCounts = OutcomeCounts & { readonly forced: Recall };

export interface Tally {
  worlds: number;
  lines: number;
  payments: number;
  readonly outcomes: OutcomeCounts;
  readonly classes: Map<LineClass, ClassCounts>;
  readonly forced: Recall;
  readonly unique: Recall;
  misleading: number;
  components: number;
  tooLarge: number;
  linesInLarge: number;
}

export interface ReportedWrong extends WrongMatch {
  readonly generator: string;
  readonly seed: number;
  /** Number of lines in the world. */
  readonly lines: number;
  readonly classes: readonly LineClass[];
  readonly misleading: boolean;
}

export const createTally = (): Tally => ({
  worlds: 0,
  lines: 0,
  payments: 0,
  outcomes: createCounts(),
  classes: new Map(),
  forced: { lines: 0, confirmed: 0 },
  unique: { lines: 0, confirmed: 0 },
  misleading: 0,
  components: 0,
  tooLarge: 0,
  linesInLarge: 0,
});

const createCounts = (): OutcomeCounts => ({ right: 0, wrong: 0, suggested: 0, ambiguous: 0, open: 0 });

/** Adds the result of one world. */
export function addToTally(tally: Tally, world: World, { outcomes }: Judgement, answers: Answerable): void {
  tally.worlds += 1;
  tally.lines += world.lines.length;
  tally.payments += world.payments.length;
  for (const [n, label] of world.labels.entries()) {
    const outcome = outcomes[n] as LineOutcome;
    tally.outcomes[outcome] += 1;
    const forced = answers.forced.has(label.line);
    for (const each of label.classes) {
      const counts = findClass(tally.classes, each);
      counts[outcome] += 1;
      if (forced) addRecall(counts.forced, outcome);
    }
    if (forced) addRecall(tally.forced, outcome);
    if (answers.unique.has(label.line)) addRecall(tally.unique, outcome);
  }
  tally.misleading += answers.misleading.size;
  tally.components += answers.components;
  tally.tooLarge += answers.tooLarge;
  tally.linesInLarge += answers.linesInLarge;
}

function findClass(classes: Tally['classes'], key: LineClass): ClassCounts {
  const counts = classes.get(key) ?? { ...createCounts(), forced: { lines: 0, confirmed: 0 } };
  classes.set(key, counts);
  return counts;
}

function addRecall(recall: Recall, outcome: LineOutcome): void {
  recall.lines += 1;
  if (outcome === 'right') recall.confirmed += 1;
}

/**
 * Returns the upper limit of the error rate at 95 % confidence. Without errors that is the rule of three, 3 / n;
 * otherwise a normal approximation of the Poisson limit.
 */
export function boundErrorRate(wrong: number, confirmed: number): number {
  if (confirmed === 0) return 1;
  const limit = wrong === 0 ? 3 : wrong + 1 + 1.645 * Math.sqrt(wrong + 1);
  return Math.min(1, limit / confirmed);
}
