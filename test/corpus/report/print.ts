import type { CorpusOptions, CorpusResult } from '../run.ts';
import { boundErrorRate, type OutcomeCounts, type Recall, type ReportedWrong, type Tally } from './tally.ts';

const WIDTH = 24;

/** Returns the report of a run as text. */
export function formatReport({ tallies, wrong, wrongLines }: CorpusResult): string {
  const parts = [...tallies].map(([name, tally]) => formatTally(name, tally));
  return [...parts, formatWrong(wrong, wrongLines)].join('\n');
}

/** Returns the report of a run as JSON. */
export function formatJson(
  { worlds, lines, seed }: CorpusOptions,
  { tallies, wrong, wrongLines }: CorpusResult,
): string {
  const generators = Object.fromEntries(
    [...tallies].map(([name, tally]) => [
      name,
      {
        ...tally,
        classes: Object.fromEntries(tally.classes),
        error_rate_bound: boundErrorRate(tally.outcomes.wrong, countConfirmed(tally.outcomes)),
      },
    ]),
  );
  return JSON.stringify({ worlds, lines, seed, generators, wrong_lines: wrongLines, wrong }, null, 2);
}

const countConfirmed = ({ right, wrong }: OutcomeCounts): number => right + wrong;

function formatTally(name: string, tally: Tally): string {
  const { outcomes, components, tooLarge, linesInLarge } = tally;
  const bound = boundErrorRate(outcomes.wrong, countConfirmed(outcomes));
  const rows = [...tally.classes].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `${name}: ${tally.worlds} worlds, ${tally.lines} lines, ${tally.payments} payments`,
    `  ${'class'.padEnd(WIDTH)}${['right', 'wrong', 'suggested', 'ambiguous', 'open', 'forced', 'recall'].map(pad).join('')}`,
    ...rows.map(([key, counts]) => formatCounts(key, counts, counts.forced)),
    formatCounts('total', outcomes, tally.forced),
    `  recall on forced lines: ${formatRecall(tally.forced)}`,
    `  recall on uniquely answerable lines: ${formatRecall(tally.unique)}`,
    `  components: ${components} enumerated, ${tooLarge} too large with ${linesInLarge} lines`,
    `  lines whose evidence misleads: ${tally.misleading}`,
    `  error rate at 95 % confidence: at most ${bound.toExponential(1)} of the confirmed lines`,
    '',
  ].join('\n');
}

const pad = (text: string): string => text.padStart(10);

function formatCounts(key: string, counts: OutcomeCounts, { lines, confirmed }: Recall): string {
  const { right, wrong, suggested, ambiguous, open } = counts;
  const recall = lines === 0 ? '-' : `${((confirmed / lines) * 100).toFixed(1)} %`;
  const columns = [right, wrong, suggested, ambiguous, open, lines, recall];
  return `  ${key.padEnd(WIDTH)}${columns.map((value) => pad(String(value))).join('')}`;
}

const formatRecall = ({ lines, confirmed }: Recall): string =>
  lines === 0 ? 'no such lines' : `${((confirmed / lines) * 100).toFixed(2)} % of ${lines}`;

function formatWrong(wrong: readonly ReportedWrong[], wrongLines: number): string {
  if (wrongLines === 0) return 'No confirmed match is wrong.';
  const rows = wrong.map(
    ({ generator, seed, line, confirmed, truth, pass, classes, misleading }) =>
      `  ${generator} seed ${seed} line ${line}: confirmed ${confirmed} by ${pass}, true answer ${truth} (${classes.join(', ')})${misleading ? ', evidence misleads' : ''}`,
  );
  const more = wrongLines > wrong.length ? [`  and ${wrongLines - wrong.length} more`] : [];
  return [`Confirmed wrongly: ${wrongLines} lines`, ...rows, ...more].join('\n');
}
