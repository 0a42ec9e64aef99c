import {
  type ContractInputs,
  createContractError,
  type PeriodDetail,
  type Workpaper,
} from '../../contract/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import {
  findPeriodOpeningError,
  findPeriodReopeningError,
  isPeriodTransitionError,
  isSamePerson,
  listEntriesSinceReopening,
  type PeriodTransition,
  type PeriodTransitionError,
  transitionPeriod,
} from '../../domain/periods/index.ts';
import { runAllSteps } from '../../domain/work-steps/work-steps.ts';
import { findDecisionDamage } from '../books-verification/decision-damage.ts';
import { type DecisionContext, requireIdleSite, runExclusively } from '../jobs/exclusive-change.ts';
import { updatePaymentsAfterJob } from '../matching/update-payments.ts';
import { findPerson } from '../people/people-file.ts';
import { type ActingPerson, findSigner, type PeopleContext } from '../people/signers.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { findClosedFigures, recordReopening } from '../store/periods/closed-figures.ts';
import {
  addPeriod,
  listPeriodEntries,
  listStoredPeriods,
  type NewPeriodEntry,
  type StoredPeriod,
  type StoredPeriodEntry,
  savePeriod,
} from '../store/periods/period.ts';
import { isSignedAction, recordPeriodEntry } from '../store/periods/period-audit-entries.ts';
import { endAllSignOffChanges } from '../store/periods/sign-off-change.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { computeWorkpaper } from '../workpaper/workpaper.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';
import { readCurrentWorkpaper, readWorkpaper } from './cached-workpaper.ts';
import { type CertificationInput, certifySignOff } from './certify-sign-off.ts';
import { readPeriodDetail, requirePeriod } from './period-detail.ts';
import { findSignOffRemarks } from './sign-off-remarks.ts';
import { addDamageQualifications } from './signed-off-period.ts';
import { getSiteDataVersion } from './site-snapshot-cache.ts';

export interface PeriodContext extends DecisionContext, PeopleContext {
  readonly version: string;
}

/** Opens a month as a period. Throws `conflict` if the month is already open or precedes a closed period. */
export async function openPeriod(
  tools: PeriodContext,
  { site, period, by, comment }: ContractInputs['periods']['open'],
): Promise<PeriodDetail> {
  const open = tools.stores.open(site);
  const { books } = open;
  const signer = findUnsignedActor(tools, by);
  runInTransaction(books, () => {
    throwIfPeriodTransitionRefused(findPeriodOpeningError(listStoredPeriods(books), period));
    const entry = createPeriodHistoryEntry(signer, 'opened', comment);
    const id = addPeriod(books, { period, ...toMonthRange(`${period}-01`) });
    recordPeriodEntry(books, { id, period }, entry);
  });
  return publishPeriod(tools, open, period);
}

/** Records that the preparer submits the figures. Throws `conflict` if the period's state does not allow it. */
export async function submitPeriod(
  tools: PeriodContext,
  { site, period: name, by, comment, confirmed = [] }: ContractInputs['periods']['submit'],
): Promise<PeriodDetail> {
  const { open, books, signer } = await startAction(tools, site, by);
  requirePeriodTransition(requirePeriod(books, name), 'submit');
  const signed = await signCurrentFigures(tools, { site, name, noun: 'a sign-off' }, (workpaper) => {
    const period = requirePeriod(books, name);
    const state = requirePeriodTransition(period, 'submit');
    const today = new Date(signer.at).toISOString().slice(0, 10);
    const damage = runAllSteps(findDecisionDamage(books));
    const qualified = addDamageQualifications(workpaper, damage);
    const remarks = findSignOffRemarks(name, qualified, listStoredPeriods(books), today);
    const blocker = remarks.find(({ requires }) => requires === 'fix');
    if (blocker !== undefined)
      throwIfPeriodTransitionRefused({
        message: blocker.message,
        hint: `${name} can be submitted after that.`,
      });
    const commentRemarks = remarks.filter(({ requires }) => requires === 'comment');
    if (commentRemarks.length > 0 && comment === undefined) {
      throwIfPeriodTransitionRefused({
        message: `${name} cannot be submitted without a comment: ${commentRemarks.map(({ message }) => message).join(' ')}`,
        hint: 'Fix this, or explain in a comment why the figures are still reliable.',
      });
    }
    throwIfCommentsWereClearedBy(signer, listPeriodEntries(books, period.id));
    const statements = requireCertification(books, { role: 'prepared', period: name, confirmed });
    const fields = { figures: workpaper.digest, statements };
    const entry = createPeriodHistoryEntry(signer, 'submitted', comment, fields);
    const submitted = recordPeriodEntry(books, period, entry, signer);
    savePeriod(books, { ...period, state, submitted, reviewed: null });
  });
  return publishPeriod(tools, open, name, signed);
}

/** Throws `conflict` if a signer would prepare figures whose comments the same person has cleared as a reviewer. */
function throwIfCommentsWereClearedBy(
  { name, signer }: PeriodSigner,
  history: readonly StoredPeriodEntry[],
): void {
  const cleared = listEntriesSinceReopening(history).find(
    (entry) =>
      entry.action === 'cleared' &&
      entry.is_self_review === 0 &&
      isSamePerson(entry, { name, key: signer?.key ?? null }),
  );
  if (cleared !== undefined)
    throwIfPeriodTransitionRefused({
      message: `${name} cleared a comment on a figure as its reviewer, and so cannot prepare the figures.`,
      hint: 'Another person must submit them.',
    });
}

/** Number of attempts to compute the figures in time slices. Later attempts compute them without yielding. */
const MAX_TRIES_IN_TIME_SLICES = 3;

/** Signs the current figures and returns their workpaper. Recomputes them if the site has changed. */
export async function signCurrentFigures(
  tools: PeriodContext,
  { site, name, noun }: { site: string; name: string; noun: string },
  sign: (workpaper: Workpaper) => void,
): Promise<Workpaper> {
  const stamp = { now: tools.now(), version: tools.version };
  for (let tries = 0; ; tries++) {
    requireIdleSite(tools, site);
    const open = tools.stores.open(site);
    const siteVersion = getSiteDataVersion(open);
    const precomputed =
      tries < MAX_TRIES_IN_TIME_SLICES ? await readCurrentWorkpaper(open, name, stamp) : null;
    const signed = runExclusively(tools, site, noun, () =>
      runInTransaction(open.books, () => {
        if (precomputed !== null && getSiteDataVersion(tools.stores.open(site)) !== siteVersion) return null;
        const workpaper = precomputed ?? computeWorkpaper(open, name, stamp);
        sign(workpaper);
        return workpaper;
      }),
    );
    if (signed !== null) return signed;
  }
}

/** Reopens a closed period. Throws `conflict` if it is not closed or a later period is closed. */
export async function reopenPeriod(
  tools: PeriodContext,
  { site, period: name, by, reason }: ContractInputs['periods']['reopen'],
): Promise<PeriodDetail> {
  const { open, books, signer } = await startAction(tools, site, by);
  runExclusively(tools, site, 'reopening a period', () =>
    runInTransaction(books, () => {
      const period = requirePeriod(books, name);
      const state = requirePeriodTransition(period, 'reopen');
      throwIfPeriodTransitionRefused(findPeriodReopeningError(listStoredPeriods(books), name));
      const closedFigures = findClosedFigures(books, period.id, period.version)!;
      recordReopening(books, closedFigures.id, signer.at);
      endAllSignOffChanges(books, closedFigures.id, signer.at);
      const entry = createPeriodHistoryEntry(signer, 'reopened', reason, { version: period.version });
      recordPeriodEntry(books, period, entry, {
        ...signer,
        detail: { closedFigures: closedFigures.sha256 },
      });
      savePeriod(books, { ...period, state, submitted: null, reviewed: null, closed: null });
    }),
  );
  // Updates the payments that were stored as signed to the service's current data.
  await updatePaymentsAfterJob(tools, open, { site, signal: new AbortController().signal }, 'reopen');
  tools.changes.emit(site, 'match', 'bank', 'exceptions');
  return publishPeriod(tools, open, name);
}

/** Returns the statements that a signer confirms, as canonical JSON. Throws `conflict` as `certifySignOff` states. */
export function requireCertification(
  books: ReadableDb,
  input: Omit<CertificationInput, 'certification'>,
): string {
  const { certification } = readWorkpaperSettings(books);
  const certified = certifySignOff({ ...input, certification });
  return typeof certified === 'string' ? certified : throwIfPeriodTransitionRefused(certified);
}

/** Throws `conflict` if the figures differ from the submitted ones. */
export function throwIfFiguresChanged(
  { digest }: Pick<Workpaper, 'digest'>,
  name: string,
  figures: string | null,
): void {
  if (digest === figures) return;
  throwIfPeriodTransitionRefused({
    message: `The figures of ${name} have changed since they were submitted.`,
    hint: 'Send the period back with a comment, review the changes, and submit it again.',
  });
}

/** Returns the period's state after a transition. Throws `conflict` if it is not allowed or a closing is running. */
export function requirePeriodTransition(
  { period, state, closing_job }: StoredPeriod,
  move: PeriodTransition,
): StoredPeriod['state'] {
  if (closing_job !== null)
    throwIfPeriodTransitionRefused({
      message: `${period} is being closed.`,
      hint: 'Wait until it is closed, or cancel closing.',
    });
  const outcome = transitionPeriod(period, state, move);
  return isPeriodTransitionError(outcome) ? throwIfPeriodTransitionRefused(outcome) : outcome;
}

export function throwIfPeriodTransitionRefused(refusal: PeriodTransitionError): never;
export function throwIfPeriodTransitionRefused(refusal: PeriodTransitionError | null): void;
export function throwIfPeriodTransitionRefused(refusal: PeriodTransitionError | null): void {
  if (refusal !== null) throw createContractError({ code: 'conflict', ...refusal, retryable: false });
}

/** The person who acts on a period, the user of this computer, and the time in UTC milliseconds. */
export interface PeriodSigner extends ActingPerson {
  readonly at: number;
  readonly user: string;
}

export function createPeriodHistoryEntry(
  { at, user, name, signer }: PeriodSigner,
  action: NewPeriodEntry['action'],
  text: string | undefined,
  fields: Partial<
    Pick<NewPeriodEntry, 'figures' | 'is_self_review' | 'version' | 'statements' | 'about'>
  > = {},
): NewPeriodEntry {
  const key = isSignedAction(action) ? (signer?.key ?? null) : null;
  return {
    ...{ at, name, user, action, text: text ?? null, key },
    ...{ figures: null, is_self_review: 0, version: null, statements: null, about: null, ...fields },
  };
}

/** Returns the person who performs an action that needs no signature. */
export function findUnsignedActor({ home, user, now }: PeriodContext, by: string | undefined): PeriodSigner {
  return { name: findPerson(home, by)?.name ?? by ?? user, signer: null, at: now(), user };
}

/** Opens the site for an action that `by` signs now. */
export async function startAction(tools: PeriodContext, site: string, by: string | undefined) {
  const { books } = tools.stores.open(site);
  const signer = await findPeriodSigner(tools, books, by);
  // The databases may have been closed while the key was being read.
  const open = tools.stores.open(site);
  return { open, books: open.books, signer };
}

/** Returns the person who signs now, with the time. Throws the errors of `findSigner`. */
export async function findPeriodSigner(
  tools: PeriodContext,
  books: ReadableDb,
  by: string | undefined,
): Promise<PeriodSigner> {
  const person = await findSigner(tools, by, books);
  return { ...person, at: tools.now(), user: tools.user };
}

/** Emits a change event and returns the current period. `signed` is its workpaper if it has just been computed. */
export async function publishPeriod(
  tools: PeriodContext,
  open: OpenSite,
  period: string,
  signed?: Workpaper,
): Promise<PeriodDetail> {
  tools.changes.emit(open.file.site, 'periods', 'audit');
  const at = { now: tools.now(), version: tools.version };
  return readPeriodDetail(open, period, at, signed ?? (await readWorkpaper(open, period, at)));
}
