import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type ContractInputs,
  type ContractOutputs,
  createNonRetryableError,
  type DecisionDifference,
  type PackDecision,
  restorableDecisionPartSchema,
} from '../../contract/index.ts';
import { getBooksPath } from '../backups/compare-backup.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { requireIdleSite, runExclusively } from '../jobs/exclusive-change.ts';
import { throwPeriodClosedError } from '../period-lock/period-lock.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { backUpBooks } from '../store/backups/back-up-books.ts';
import { findStoredTransactions } from '../store/evidence-pack/find-pack-rows.ts';
import { isAnyPaymentStored } from '../store/matching/match-payment.ts';
import { findLastLockedDay } from '../store/period-lock/period-lock.ts';
import { findPeriod } from '../store/periods/period.ts';
import { runInTransaction, withReadSnapshot } from '../store/sqlite/connection.ts';
import { compareComment, restoreAttachedFiles } from './compare-comments.ts';
import { compareExceptionDecision, compareOutstandingItemDecision } from './compare-exceptions-and-items.ts';
import { compareMatchDecisions, type MatchIds } from './compare-matches.ts';
import { compareSourceFiles, importMissingSourceFiles } from './compare-source-files.ts';
import type { ComparedDecision, PackComparison } from './decision-comparison.ts';
import { openVerifiedPack, type VerifiedPack } from './read-pack.ts';

/** Maximum number of decisions listed per state. Chosen by judgment. */
const MAX_LISTED = 50;

type ComparisonContext = Pick<CommandContext, 'stores' | 'now'>;

/** Compares the decisions of a pack with the books. The contract's `compareDecisions` specifies the details. */
export async function compareDecisions(
  context: ComparisonContext,
  { site, path }: ContractInputs['packs']['compareDecisions'],
  signal: AbortSignal,
): Promise<DecisionDifference> {
  const open = context.stores.open(site);
  return await compareWithBooks(context, open, await openPackOfSite(open, path, signal));
}

/** Restores missing decisions from a pack. The contract's `restoreDecisions` specifies the details. */
export async function restoreDecisions(
  context: CommandContext & BankContext,
  { site, path, fingerprint: confirmedFingerprint, reason }: ContractInputs['packs']['restoreDecisions'],
  signal: AbortSignal,
): Promise<ContractOutputs['packs']['restoreDecisions']> {
  const { stores, now, user, changes } = context;
  const open = stores.open(site);
  const { books, folder } = open;
  const pack = await openPackOfSite(open, path, signal);
  const { period } = pack.decisions;
  if (isLocked(open, period)) throwPeriodClosedError(period);
  requireIdleSite(context, site);
  const before = await compareWithBooks(context, open, pack);
  if (before.fingerprint !== confirmedFingerprint)
    throw createNonRetryableError(
      'conflict',
      'The books or the pack changed after the comparison was shown.',
      'Nothing was changed. Review the comparison again.',
    );
  if (before.missing === 0) return { restored: 0, saved_as: null, difference: before };
  const saved_as = backUpBooks(books, getBooksPath(folder), 'restore', now()).name;
  // A damaged attached file stops the restore, so it must be found before the first import.
  await restoreAttachedFiles(open, pack);
  const imported = await importMissingSourceFiles(context, site, pack);
  const applied = runExclusively(context, site, 'restoring decisions', () =>
    runInTransaction(books, () => {
      if (isLocked(open, period)) throwPeriodClosedError(period);
      const by = { at: now(), user, reason };
      const counts: Record<string, number> = {};
      for (const { part, apply } of compareInWriteOrder(createPackComparison(open, pack, new Set()), pack)) {
        if (apply === null) continue;
        apply(by);
        counts[part] = (counts[part] ?? 0) + 1;
      }
      const { made_at, made_by } = pack.packInfo;
      const detail = { period, made_at, made_by, saved_as, imports: imported, ...counts };
      addAuditEntry(books, { ...by, action: 'packs.restore', subject: pack.checksum, detail });
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    }),
  );
  changes.emit(site, 'match', 'bank', 'exceptions', 'comments', 'periods', 'audit', 'backups');
  const difference = await compareWithBooks(context, open, pack);
  return { restored: imported + applied, saved_as, difference };
}

async function openPackOfSite({ file }: OpenSite, path: string, signal: AbortSignal): Promise<VerifiedPack> {
  const pack = await openVerifiedPack(resolve(path), signal);
  const { base_url, currency, site } = pack.decisions;
  if (base_url === file.base_url && currency === file.currency) return pack;
  throw createNonRetryableError(
    'validation',
    `The pack is from ${site} at ${base_url} in ${currency}; ${file.site} is at ${file.base_url} in ${file.currency}.`,
    'Choose a pack of this site, or open the site of the pack.',
  );
}

/** Yields all decisions except source files, in the order in which they must be written. */
function* compareInWriteOrder(
  comparison: PackComparison,
  { decisions }: VerifiedPack,
): Generator<ComparedDecision> {
  const matchIds: MatchIds = new Map();
  yield* compareMatchDecisions(comparison, decisions, matchIds);
  for (const exception of decisions.exceptions) yield compareExceptionDecision(comparison, exception);
  for (const item of decisions.items) yield compareOutstandingItemDecision(comparison, item);
  for (const comment of decisions.comments) yield compareComment(comparison, comment, matchIds);
}

function createPackComparison(
  open: OpenSite,
  { decisions }: VerifiedPack,
  lines: ReadonlySet<string>,
): PackComparison {
  const { matches, comments, items, period } = decisions;
  // If the books have no payments yet, importing the first bank lines adds the payments.
  const paymentIds = isAnyPaymentStored(open.books)
    ? []
    : [
        ...matches.flatMap(({ transactions }) => transactions.map(({ id }) => id)),
        ...comments.flatMap((comment) => ('payment' in comment ? [comment.payment] : [])),
        ...items.flatMap(({ key }) => (key.startsWith('payment:') ? [Number(key.slice(8))] : [])),
      ];
  const payments = lines.size === 0 ? new Set<number>() : findStoredTransactions(open.cache, paymentIds);
  return { open, period, coming: { lines, payments } };
}

async function compareWithBooks(
  context: ComparisonContext,
  open: OpenSite,
  pack: VerifiedPack,
): Promise<DecisionDifference> {
  const lines = new Set<string>();
  const sources = await compareSourceFiles(context, open, pack, lines);
  const parts = new Map(
    restorableDecisionPartSchema.options.map((part) => [
      part,
      { part, same: 0, missing: 0, different: 0, not_stored: 0, items: [] as PackDecision[] },
    ]),
  );
  const count = ({ part, apply: _apply, ...decision }: ComparedDecision) => {
    const summary = parts.get(part)!;
    summary[decision.state]++;
    if (decision.state !== 'same' && summary[decision.state] <= MAX_LISTED) summary.items.push(decision);
  };
  for (const each of sources) count(each);
  withReadSnapshot(open.books, () => {
    for (const each of compareInWriteOrder(createPackComparison(open, pack, lines), pack)) count(each);
  });
  const { site, period, made_at, made_by } = pack.packInfo;
  const difference = {
    pack: { site, period, made_at, made_by, checksum: pack.checksum },
    locked: isLocked(open, pack.decisions.period),
    parts: [...parts.values()],
    missing: [...parts.values()].reduce((sum, { missing }) => sum + missing, 0),
  };
  return { ...difference, fingerprint: hash('sha256', JSON.stringify(difference), 'hex') };
}

function isLocked({ books }: OpenSite, period: string): boolean {
  const stored = findPeriod(books, period);
  return (
    (findLastLockedDay(books) ?? '') >= `${period}-01` ||
    stored?.state === 'closed' ||
    stored?.closing_job != null
  );
}
