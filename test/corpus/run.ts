import { runMatching } from '../../src/domain/matching/index.ts';
import { generateWorld } from './generators/index.ts';
import type { World } from './model/world.ts';
import { findAnswerable } from './oracle/index.ts';
import { judge } from './report/judge.ts';
import { type Answerable, addToTally, createTally, type ReportedWrong, type Tally } from './report/tally.ts';

export interface CorpusOptions {
  readonly worlds: number;
  /** Approximate number of lines per world. */
  readonly lines: number;
  /** Seed of the first world. The next worlds use the next seeds. */
  readonly seed: number;
}

export interface CorpusResult {
  /** Counts per generator and, as the last entry, of all worlds. */
  readonly tallies: ReadonlyMap<string, Tally>;
  /** The first 200 lines with a wrong match. */
  readonly wrong: readonly ReportedWrong[];
  readonly wrongLines: number;
}

const MAX_LISTED = 200;
const ALL = 'all';

/** Runs the app's matcher on generated worlds. */
export function runCorpus({ worlds, lines, seed }: CorpusOptions): CorpusResult {
  const run = new CorpusRun();
  for (let n = 0; n < worlds; n++) run.add(generateWorld(seed + n, lines));
  return run.result();
}

/** Replaces the oracle if only wrong matches are counted. */
export const answerNothing = (): Answerable => ({
  forced: new Set(),
  unique: new Set(),
  misleading: new Set(),
  components: 0,
  tooLarge: 0,
  linesInLarge: 0,
});

/** Runs the app's matcher on worlds and adds up the results. */
export class CorpusRun {
  readonly #tallies = new Map<string, Tally>();
  readonly #wrong: ReportedWrong[] = [];
  #wrongLines = 0;
  readonly #findAnswerable: (world: World) => Answerable;

  constructor(findAnswers: (world: World) => Answerable = findAnswerable) {
    this.#findAnswerable = findAnswers;
  }

  add(world: World): void {
    const { accounts, payments, lines, payouts, labels } = world;
    const judgement = judge(world, runMatching({ accounts, payments, lines, payouts }).groups());
    const answers = this.#findAnswerable(world);
    for (const key of [world.generator, ALL]) {
      const tally = this.#tallies.get(key) ?? createTally();
      this.#tallies.set(key, tally);
      addToTally(tally, world, judgement, answers);
    }
    if (judgement.wrong.length === 0) return;
    this.#wrongLines += judgement.wrong.length;
    const classes = new Map(labels.map((label) => [label.line, label.classes]));
    for (const each of judgement.wrong.slice(0, MAX_LISTED - this.#wrong.length)) {
      this.#wrong.push({
        ...each,
        generator: world.generator,
        seed: world.seed,
        lines: lines.length,
        classes: classes.get(each.line) ?? [],
        misleading: answers.misleading.has(each.line),
      });
    }
  }

  result(): CorpusResult {
    const names = [...this.#tallies.keys()].filter((name) => name !== ALL).sort();
    const tallies = new Map([...names, ALL].map((name) => [name, this.#tallies.get(name) ?? createTally()]));
    return { tallies, wrong: this.#wrong, wrongLines: this.#wrongLines };
  }
}
