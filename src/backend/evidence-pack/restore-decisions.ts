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
import type { BankContext } from '../bank/bank-tools.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { requireIdle, runExclusively } from '../jobs/exclusive-change.ts';
import { refuseLockedPeriod } from '../period-lock/refuse-locked.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { backUp } from '../store/backups/backup.ts';
import { transactionsIn } from '../store/evidence-pack/pack-places.ts';
import { hasPayments } from '../store/matching/match-payment.ts';
import { lockedUntil } from '../store/period-lock/period-lock.ts';
import { periodNamed } from '../store/periods/period.ts';
import { commit, snapshot } from '../store/sqlite/connection.ts';
import type { ComparedDecision, PackComparison } from './finding.ts';
import { compareMatches, compareNotes, type MatchIds } from './match-findings.ts';
import { openVerifiedPack, type VerifiedPack } from './read-pack.ts';
import { compareRules } from './rule-findings.ts';
import { compareExceptions, compareItemExplanations } from './said-findings.ts';
import { compareSourceFiles, importMissingSourceFiles } from './source-findings.ts';

/** Number of decisions listed per state. */
const LISTED = 50;

type Tools = Pick<CommandContext, 'stores' | 'now'>;

/** Compares the decisions of a pack with the books, as specified by the contract's `compareDecisions`. */
export async function compareDecisions(
  tools: Tools,
  { site, path }: Inputs['packs']['compareDecisions'],
  signal: AbortSignal,
): Promise<DecisionsDifference> {
  const open = tools.stores.open(site);
  return await differenceOf(tools, open, await packOf(open, path, signal));
}

/** Restores missing decisions, as specified by the contract's `restoreDecisions`. */
export async function restoreDecisions(
  context: CommandContext & BankContext,
  { site, path, fingerprint: shown, reason }: Inputs['packs']['restoreDecisions'],
  signal: AbortSignal,
): Promise<Outputs['packs']['restoreDecisions']> {
  const { stores, now, user, changes } = context;
  const open = stores.open(site);
  const { books, folder } = open;
  const pack = await packOf(open, path, signal);
  const { period } = pack.decisions;
  if (isLocked(open, period)) refuseLockedPeriod(period);
  requireIdle(context, site);
  const before = await differenceOf(context, open, pack);
  if (before.fingerprint !== shown) throw contractError(changedMeanwhile());
  if (before.missing === 0) return { restored: 0, saved_as: null, difference: before };
  const saved_as = backUp(books, booksPath(folder), 'restore', now()).name;
  const imported = await importMissingSourceFiles(context, site, pack);
  const applied = runExclusively(context, site, 'restoring decisions', () =>
    commit(books, () => {
      if (isLocked(open, period)) refuseLockedPeriod(period);
      const by = { at: now(), user, reason };
      const counts = new Map<string, number>();
      for (const { part, apply } of findings(groundOf(open, pack, new Set()), pack)) {
        if (apply === null) continue;
        apply(by);
        counts.set(part, (counts.get(part) ?? 0) + 1);
      }
      const all = { imports: imported, ...Object.fromEntries(counts) };
      const detail = { period, made_at: pack.told.made_at, made_by: pack.told.made_by, saved_as, ...all };
      addAudit(books, { ...by, action: 'packs.restore', subject: pack.checksum, detail });
      return [...counts.values()].reduce((sum, each) => sum + each, 0);
    }),
  );
  changes.tell(site, 'match', 'bank', 'exceptions', 'periods', 'audit', 'backups');
  const difference = await differenceOf(context, open, pack);
  return { restored: imported + applied, saved_as, difference };
}

async function packOf({ file }: OpenSite, path: string, signal: AbortSignal): Promise<VerifiedPack> {
  const pack = await openVerifiedPack(resolve(path), signal);
  const { base_url, currency, site } = pack.decisions;
  if (base_url === file.base_url && currency === file.currency) return pack;
  throw contractError({
    code: 'validation',
    message: `The pack is of ${site} at ${base_url} in ${currency}; ${file.site} is at ${file.base_url} in ${file.currency}.`,
    hint: 'Choose a pack of this site, or the site it is of.',
    retryable: false,
  });
}

/**
 * Yields all decisions except files in the order of writing: rules before the matches that name them, notes after their
 * subjects.
 */
function* findings(ground: PackComparison, { decisions }: VerifiedPack): Generator<ComparedDecision> {
  const places: MatchIds = new Map();
  yield* compareRules(ground, decisions.rules);
  yield* compareMatches(ground, decisions.matches, places);
  yield* compareNotes(ground, decisions.notes, places);
  yield* compareExceptions(ground, decisions.exceptions);
  yield* compareItemExplanations(ground, decisions.items);
}

function groundOf(open: OpenSite, { decisions }: VerifiedPack, lines: ReadonlySet<string>): PackComparison {
  const { matches, notes, items, period } = decisions;
  // Books without payments receive them with the first lines.
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

async function differenceOf(tools: Tools, open: OpenSite, pack: VerifiedPack): Promise<DecisionsDifference> {
  const lines = new Set<string>();
  const sources = await compareSourceFiles(tools, open, pack, lines);
  const parts = new Map(
    decisionPart.options.map((part) => [
      part,
      { part, same: 0, missing: 0, different: 0, not_stored: 0, items: [] as PackDecision[] },
    ]),
  );
  const count = ({ part, apply: _apply, ...decision }: ComparedDecision) => {
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
    pack: { site, period, made_at, made_by, checksum: pack.checksum },
    locked: isLocked(open, pack.decisions.period),
    parts: [...parts.values()],
    missing: [...parts.values()].reduce((sum, { missing }) => sum + missing, 0),
  };
  return { ...told, fingerprint: hash('sha256', JSON.stringify(told), 'hex') };
}

function isLocked({ books }: OpenSite, period: string): boolean {
  const stored = periodNamed(books, period);
  return (
    (lockedUntil(books) ?? '') >= `${period}-01` || stored?.state === 'closed' || stored?.closing_job != null
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
