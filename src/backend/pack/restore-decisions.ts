import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  contractError,
  type DecisionsDifference,
  decisionPart,
  type Inputs,
  type Outputs,
  type PackDecision,
} from '../../contract/index.ts';
import { booksPath } from '../backups/compare.ts';
import { alone, whileIdle } from '../bank/tools.ts';
import { refuseLockedPeriod } from '../periods/locked.ts';
import type { OpenSite } from '../sites/stores.ts';
import { addAudit } from '../store/books/audit.ts';
import { backUp } from '../store/books/backup.ts';
import { commit, snapshot } from '../store/database.ts';
import { hasPayments } from '../store/matching/match-payment.ts';
import { transactionsIn } from '../store/periods/pack-places.ts';
import { periodNamed } from '../store/periods/period.ts';
import { lockedUntil } from '../store/periods/period-lock.ts';
import type { WriterContext } from '../writer-context.ts';
import type { Finding, Ground } from './finding.ts';
import { matchFindings, noteFindings, type Places } from './match-findings.ts';
import { type ReadPack, readPack } from './read-pack.ts';
import { ruleFindings } from './rule-findings.ts';
import { exceptionFindings, itemFindings } from './said-findings.ts';
import { importSources, sourceFindings } from './source-findings.ts';

/** So many of each state are listed. */
const LISTED = 50;

type Tools = Pick<WriterContext, 'stores' | 'now'>;

/** Holds the decisions of a pack against the books, as the contract’s `compareDecisions` says. */
export async function compareDecisions(
  tools: Tools,
  { site, path }: Inputs['packs']['compareDecisions'],
  signal: AbortSignal,
): Promise<DecisionsDifference> {
  const open = tools.stores.open(site);
  return await differenceOf(tools, open, await packOf(open, path, signal));
}

/** Restores what is missing, as the contract’s `restoreDecisions` says. */
export async function restoreDecisions(
  context: WriterContext,
  { site, path, shown, reason: why }: Inputs['packs']['restoreDecisions'],
  signal: AbortSignal,
): Promise<Outputs['packs']['restoreDecisions']> {
  const { stores, now, user: who, changes } = context;
  const open = stores.open(site);
  const { books, folder } = open;
  const pack = await packOf(open, path, signal);
  const { period } = pack.decisions;
  if (isLocked(open, period)) refuseLockedPeriod(period);
  whileIdle(context, site);
  const before = await differenceOf(context, open, pack);
  if (before.shown !== shown) throw contractError(changedMeanwhile());
  if (before.missing === 0) return { restored: 0, kept_as: null, difference: before };
  const kept_as = backUp(books, booksPath(folder), 'restore', now()).name;
  const imported = await importSources(context, site, pack);
  const applied = alone(context, site, 'restoring decisions', () =>
    commit(books, () => {
      if (isLocked(open, period)) refuseLockedPeriod(period);
      const by = { at: now(), who, why };
      const counts = new Map<string, number>();
      for (const { part, apply } of findings(groundOf(open, pack, new Set()), pack)) {
        if (apply === null) continue;
        apply(by);
        counts.set(part, (counts.get(part) ?? 0) + 1);
      }
      const all = { imports: imported, ...Object.fromEntries(counts) };
      const detail = { period, made_at: pack.told.made_at, made_by: pack.told.made_by, kept_as, ...all };
      addAudit(books, { ...by, action: 'packs.restore', subject: pack.receipt, detail });
      return [...counts.values()].reduce((sum, each) => sum + each, 0);
    }),
  );
  changes.tell(site, 'match', 'bank', 'exceptions', 'periods', 'audit', 'backups');
  const difference = await differenceOf(context, open, pack);
  return { restored: imported + applied, kept_as, difference };
}

async function packOf({ file }: OpenSite, path: string, signal: AbortSignal): Promise<ReadPack> {
  const pack = await readPack(resolve(path), signal);
  const { base_url, currency, site } = pack.decisions;
  if (base_url === file.base_url && currency === file.currency) return pack;
  throw contractError({
    code: 'validation',
    message: `The pack is of ${site} at ${base_url} in ${currency}; ${file.site} is at ${file.base_url} in ${file.currency}.`,
    hint: 'Choose a pack of this site, or the site it is of.',
    retryable: false,
  });
}

/** Everything that is not a file, in the order in which it is to be written: rules before the matches that name them, notes after those that they are on. */
function* findings(ground: Ground, { decisions }: ReadPack): Generator<Finding> {
  const places: Places = new Map();
  yield* ruleFindings(ground, decisions.rules);
  yield* matchFindings(ground, decisions.matches, places);
  yield* noteFindings(ground, decisions.notes, places);
  yield* exceptionFindings(ground, decisions.exceptions);
  yield* itemFindings(ground, decisions.items);
}

function groundOf(open: OpenSite, { decisions }: ReadPack, lines: ReadonlySet<string>): Ground {
  const { matches, notes, items, period } = decisions;
  // Books that were never told of payments are, with the first lines.
  const wanted = hasPayments(open.books)
    ? []
    : [
        ...matches.flatMap(({ transactions }) => transactions.map(({ id }) => id)),
        ...notes.flatMap((note) => ('transaction' in note ? [note.transaction] : [])),
        ...items.flatMap(({ key }) => (key.startsWith('payment:') ? [Number(key.slice(8))] : [])),
      ];
  const payments = lines.size === 0 ? new Set<number>() : transactionsIn(open.cache, wanted);
  return { open, period, coming: { lines, payments } };
}

async function differenceOf(tools: Tools, open: OpenSite, pack: ReadPack): Promise<DecisionsDifference> {
  const lines = new Set<string>();
  const sources = await sourceFindings(tools, open, pack, lines);
  const parts = new Map(
    decisionPart.options.map((part) => [
      part,
      { part, same: 0, missing: 0, otherwise: 0, not_held: 0, items: [] as PackDecision[] },
    ]),
  );
  const count = ({ part, apply: _apply, ...decision }: Finding) => {
    const of = parts.get(part)!;
    of[decision.state]++;
    if (decision.state !== 'same' && of[decision.state] <= LISTED) of.items.push(decision);
  };
  for (const each of sources) count(each);
  snapshot(open.books, () => {
    for (const each of findings(groundOf(open, pack, lines), pack)) count(each);
  });
  const { site, period, made_at, made_by } = pack.told;
  const told = {
    pack: { site, period, made_at, made_by, receipt: pack.receipt },
    locked: isLocked(open, pack.decisions.period),
    parts: [...parts.values()],
    missing: [...parts.values()].reduce((sum, { missing }) => sum + missing, 0),
  };
  return { ...told, shown: hash('sha256', JSON.stringify(told), 'hex') };
}

function isLocked({ books }: OpenSite, period: string): boolean {
  const stored = periodNamed(books, period);
  return (
    (lockedUntil(books) ?? '') >= `${period}-01` || stored?.state === 'closed' || stored?.sealing != null
  );
}

function changedMeanwhile() {
  return {
    code: 'conflict' as const,
    message: 'The books or the pack are not as they were when the difference was shown.',
    hint: 'Look at the difference again; nothing was changed.',
    retryable: false,
  };
}
