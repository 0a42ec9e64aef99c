import { contractError, type PlanRow, type RowVerdict } from '../../contract/index.ts';
import type { FileProblem } from '../../domain/bankfiles/index.ts';
import { currencyOf } from './identity.ts';
import type { Plan } from './plan.ts';

type PlannedLine = Pick<Plan, 'file' | 'verdicts' | 'foreign' | 'currency'>;

/** Every row of a plan in the order of the file: what became of it, and why. */
export function* planRows({ file, verdicts, foreign, currency }: PlannedLine): Generator<PlanRow> {
  const doubts = new Map<number, string[]>();
  const problems: FileProblem[] = [];
  for (const problem of file.problems) {
    const { effect, row, reason } = problem;
    if (row === null) continue;
    if (effect === 'failed' || effect === 'skipped') problems.push(problem);
    else doubts.set(row, [...(doubts.get(row) ?? []), reason]);
  }
  problems.sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  let next = 0;
  for (const [at, line] of file.lines.entries()) {
    for (; next < problems.length && (problems[next]!.row ?? 0) < line.row; next++) {
      yield problemRow(problems[next]!);
    }
    const held = verdicts.held[at] ?? 0;
    const isForeign = foreign.has(at);
    const said = doubts.get(line.row)?.join(' ') ?? null;
    yield {
      row: line.row,
      place: line.place,
      verdict: isForeign ? 'skipped' : verdicts.isNew[at] === 1 ? 'new' : 'duplicate',
      reason: isForeign
        ? `It is of account ${file.statements[line.statement]?.account ?? ''}.`
        : held > 0
          ? `The same line is held as ${held}.`
          : said,
      raw: null,
      booked_on: line.booked_on,
      value_on: line.value_on,
      amount_in_cents: line.amount_in_cents,
      currency: currencyOf(line, currency),
      kind: line.kind,
      description: line.description,
      reference: line.reference,
      counterparty: line.counterparty,
      bank_id: line.bank_id,
      held: held > 0 ? held : null,
    };
  }
  for (; next < problems.length; next++) yield problemRow(problems[next]!);
}

function problemRow({ effect, row, place, reason, raw }: FileProblem): PlanRow {
  return {
    row,
    place,
    verdict: effect === 'failed' ? 'failed' : 'skipped',
    reason,
    raw,
    booked_on: null,
    value_on: null,
    amount_in_cents: null,
    currency: null,
    kind: null,
    description: null,
    reference: null,
    counterparty: null,
    bank_id: null,
    held: null,
  };
}

/** New rows there is something to say of. */
export function countDoubtful(plan: PlannedLine): number {
  let count = 0;
  for (const { verdict, reason } of planRows(plan)) if (verdict === 'new' && reason !== null) count++;
  return count;
}

/** A page of a plan's rows. Its cursor is the number of rows before the next one. */
export function planPage(
  plan: Plan,
  {
    after,
    limit,
    verdict,
    remarked,
  }: {
    after?: string | undefined;
    limit: number;
    verdict?: RowVerdict[] | undefined;
    remarked?: true | undefined;
  },
): { rows: PlanRow[]; next: string | null; total: { count: number; exact: boolean } | null } {
  const start = startOf(after);
  const rows: PlanRow[] = [];
  let at = 0;
  let next: string | null = null;
  for (const row of planRows(plan)) {
    if (at++ < start || !(verdict?.includes(row.verdict) ?? true)) continue;
    if (remarked && row.reason === null) continue;
    if (rows.length === limit) {
      next = cursorOf(at - 1);
      break;
    }
    rows.push(row);
  }
  const { rows: all, doubtful } = plan.shown;
  const counts = remarked ? { ...all, new: doubtful } : all;
  const asked = verdict ?? (['new', 'duplicate', 'failed', 'skipped'] as const);
  const count = [...new Set(asked)].reduce((sum, each) => sum + counts[each], 0);
  return { rows, next, total: after === undefined ? { count, exact: true } : null };
}

const cursorOf = (at: number) => Buffer.from(`plan ${at}`).toString('base64url');

function startOf(after: string | undefined): number {
  if (after === undefined) return 0;
  const at = /^plan (\d{1,9})$/.exec(Buffer.from(after, 'base64url').toString())?.[1];
  if (at !== undefined) return Number(at);
  throw contractError({
    code: 'validation',
    message: 'That place in the rows is not known.',
    hint: 'Read them from the start.',
    errors: ['after: not a cursor of these rows'],
    retryable: false,
  });
}
