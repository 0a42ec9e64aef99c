import {
  contractError,
  type Inputs,
  type PeriodDetail,
  type PeriodEntry,
  type Workpaper,
} from '../../contract/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import {
  findOpeningError,
  findReopeningError,
  isSamePersonName,
  isTransitionError,
  type PeriodTransition,
  type PeriodTransitionError,
  transitionPeriod,
} from '../../domain/periods/index.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { requireIdleSite, runExclusively } from '../jobs/exclusive-change.ts';
import { updatePaymentsAfterJob } from '../matching/update-payments.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { closedFiguresOf, markClosedFiguresReopened } from '../store/periods/closed-figures.ts';
import {
  addPeriod,
  addPeriodEntry,
  type NewPeriodEntry,
  periodEntries,
  type StoredPeriod,
  savePeriod,
  storedPeriods,
} from '../store/periods/period.ts';
import { endSignOffChangesOf } from '../store/periods/sign-off-change.ts';
import { commit } from '../store/sqlite/connection.ts';
import { computeWorkpaper } from '../workpaper/workpaper.ts';
import { readCurrentWorkpaper, readWorkpaper } from './cached-workpaper.ts';
import { readPeriodDetail, requirePeriod, toPeriodEntry } from './period-detail.ts';
import { findSignOffRemarks } from './sign-off-remarks.ts';
import { getSiteVersion } from './snapshot-cache.ts';

export interface PeriodContext extends DecisionContext {
  readonly version: string;
}

/** Opens a month as a period. Throws `conflict` if it is already open or precedes a closed period. */
export async function openPeriod(
  tools: PeriodContext,
  { site, period, by, comment }: Inputs['periods']['open'],
): Promise<PeriodDetail> {
  const { open, at } = openSiteNow(tools, site);
  const days = toMonthRange(`${period}-01`);
  commit(open.books, () => {
    throwIfRefused(findOpeningError(storedPeriods(open.books), period));
    const entry = toPeriodEntryFields(tools, at, by, 'opened', comment);
    addPeriod(open.books, { period, ...days }, entry);
    addPeriodAudit(open, tools, period, 'open', entry);
  });
  return publishPeriod(tools, open, period);
}

/**
 * Records that the preparer submits the figures. Throws `conflict` if the period is not open, cannot be signed yet, or
 * lacks a required comment.
 */
export async function submitPeriod(
  tools: PeriodContext,
  { site, period: name, by, comment }: Inputs['periods']['submit'],
): Promise<PeriodDetail> {
  const { open, at } = openSiteNow(tools, site);
  const { books } = open;
  requireStateAfter(requirePeriod(books, name), 'submit');
  const signed = await signCurrentFigures(tools, site, name, 'a sign-off', (workpaper) => {
    const period = requirePeriod(books, name);
    const state = requireStateAfter(period, 'submit');
    const remarks = findSignOffRemarks(
      name,
      workpaper,
      storedPeriods(books),
      new Date(at).toISOString().slice(0, 10),
    );
    const blocker = remarks.find(({ requires }) => requires === 'mending');
    if (blocker !== undefined)
      throwIfRefused({ message: blocker.message, hint: `${name} can be submitted after that.` });
    const commentRemarks = remarks.filter(({ requires }) => requires === 'comment');
    if (commentRemarks.length > 0 && comment === undefined) {
      throwIfRefused({
        message: `${name} cannot be submitted without a comment: ${commentRemarks.map(({ message }) => message).join(' ')}`,
        hint: 'Mend it, or say in a comment why the figures can be relied on all the same.',
      });
    }
    const entry = { ...toPeriodEntryFields(tools, at, by, 'submitted', comment), figures: workpaper.digest };
    const submitted = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state, submitted, reviewed: null });
    addPeriodAudit(open, tools, name, 'submit', entry);
  });
  return publishPeriod(tools, open, name, signed);
}

/**
 * Records that the reviewer approves the submitted figures or sends them back. Throws `conflict` if there is nothing to
 * review, the figures have changed, or preparers review their own work without a reason.
 */
export async function reviewPeriod(
  tools: PeriodContext,
  { site, period: name, by, verdict, comment, self_review }: Inputs['periods']['review'],
): Promise<PeriodDetail> {
  const { open, at } = openSiteNow(tools, site);
  const { books } = open;
  /** Returns the period under review, its state after the decision, and the preparer's entry. */
  const reviewed = () => {
    const period = requirePeriod(books, name);
    const state = requireStateAfter(period, verdict);
    const prepared = periodEntries(books, period.id).find(({ seq }) => seq === period.submitted)!;
    return { period, state, prepared };
  };
  if (verdict === 'reject') {
    runExclusively(tools, site, 'a review', () =>
      commit(books, () => {
        const { period, state, prepared } = reviewed();
        const entry = {
          ...toPeriodEntryFields(tools, at, by, 'rejected', comment),
          figures: prepared.figures,
        };
        addPeriodEntry(books, period.id, entry);
        savePeriod(books, { ...period, state, submitted: null, reviewed: null });
        addPeriodAudit(open, tools, name, 'reject', entry);
      }),
    );
    return publishPeriod(tools, open, name);
  }
  const isSelf = ({ name: preparer }: { name: string }) => isSamePersonName(by ?? tools.user, preparer);
  const { prepared: preparedEntry } = reviewed();
  if (isSelf(preparedEntry) && self_review === undefined) {
    throwIfRefused({
      message: `${preparedEntry.name} prepared ${name}: another person reviews it.`,
      hint: 'Where there is no other, say why it is reviewed by the preparer: that is recorded as a self-review.',
    });
  }
  const signed = await signCurrentFigures(tools, site, name, 'a review', (workpaper) => {
    const { period, state, prepared } = reviewed();
    refuseChangedFigures(workpaper, name, prepared.figures);
    const self = isSelf(prepared);
    const entry = {
      ...toPeriodEntryFields(tools, at, by, 'approved', self ? joinTexts(self_review, comment) : comment),
      figures: prepared.figures,
      is_self_review: Number(self),
    };
    const approved = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state, reviewed: approved });
    addPeriodAudit(open, tools, name, 'approve', entry);
  });
  return publishPeriod(tools, open, name, signed);
}

/**
 * Number of attempts to compute the figures in time slices. If the site changes during every attempt, they are then
 * computed without yielding.
 */
const MAX_TRIES_IN_TIME_SLICES = 3;

/**
 * Signs the figures in the state in which they are at signing. They are computed in time slices, and computed again if
 * the site has changed since. Returns the signed workpaper.
 */
async function signCurrentFigures(
  tools: PeriodContext,
  site: string,
  period: string,
  action: string,
  sign: (workpaper: Workpaper) => void,
): Promise<Workpaper> {
  const made = { now: tools.now(), version: tools.version };
  for (let tries = 0; ; tries++) {
    requireIdleSite(tools, site);
    const open = tools.stores.open(site);
    const stamp = getSiteVersion(open);
    const precomputed =
      tries < MAX_TRIES_IN_TIME_SLICES ? await readCurrentWorkpaper(open, period, made) : null;
    const signed = runExclusively(tools, site, action, () =>
      commit(open.books, () => {
        const isStale = precomputed !== null && getSiteVersion(tools.stores.open(site)) !== stamp;
        if (isStale) return null;
        const workpaper = precomputed ?? computeWorkpaper(open, period, made);
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
  { site, period: name, by, reason }: Inputs['periods']['reopen'],
): Promise<PeriodDetail> {
  const { open, at } = openSiteNow(tools, site);
  runExclusively(tools, site, 'the reopening of a period', () =>
    commit(open.books, () => {
      const period = requirePeriod(open.books, name);
      const state = requireStateAfter(period, 'reopen');
      throwIfRefused(findReopeningError(storedPeriods(open.books), name));
      const closedFigures = closedFiguresOf(open.books, period.id, period.version)!;
      markClosedFiguresReopened(open.books, closedFigures.id, at);
      endSignOffChangesOf(open.books, closedFigures.id, at);
      const entry = { ...toPeriodEntryFields(tools, at, by, 'reopened', reason), version: period.version };
      addPeriodEntry(open.books, period.id, entry);
      savePeriod(open.books, { ...period, state, submitted: null, reviewed: null, closed: null });
      addPeriodAudit(open, tools, name, 'reopen', entry, { closedFigures: closedFigures.sha256 });
    }),
  );
  // Updates the payments that were stored as signed to the service's current data.
  await updatePaymentsAfterJob(tools, open, { site, signal: new AbortController().signal }, 'reopen');
  tools.changes.emit(site, 'match', 'bank', 'exceptions');
  return publishPeriod(tools, open, name);
}

export function addPeriodNote(
  tools: PeriodContext,
  { site, period: name, by, text }: Inputs['periods']['note'],
): PeriodEntry {
  const { open, at } = openSiteNow(tools, site);
  const { books } = open;
  const entry = toPeriodEntryFields(tools, at, by, 'noted', text);
  const seq = commit(books, () => {
    const noteSeq = addPeriodEntry(books, requirePeriod(books, name).id, entry);
    addPeriodAudit(open, tools, name, 'note', entry);
    return noteSeq;
  });
  tools.changes.emit(site, 'periods', 'audit');
  return toPeriodEntry({ seq, ...entry });
}

const joinTexts = (...texts: (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join(' ');

/** Throws `conflict` if the figures differ from the submitted ones. */
export function refuseChangedFigures(
  { digest }: Pick<Workpaper, 'digest'>,
  name: string,
  figures: string | null,
): void {
  if (digest === figures) return;
  throwIfRefused({
    message: `The figures of ${name} are not those that were submitted: something changed since.`,
    hint: 'Send it back with a comment, look at what changed, and submit it again.',
  });
}

/**
 * Returns the period's state after a transition. Throws `conflict` if the transition is not allowed or the period is
 * being closed.
 */
export function requireStateAfter(
  { period, state, closing_job }: StoredPeriod,
  move: PeriodTransition,
): StoredPeriod['state'] {
  if (closing_job !== null)
    throwIfRefused({ message: `${period} is being closed.`, hint: 'Wait until that is done, or cancel it.' });
  const outcome = transitionPeriod(period, state, move);
  if (!isTransitionError(outcome)) return outcome;
  return throwIfRefused(outcome);
}

export function throwIfRefused(refusal: PeriodTransitionError): never;
export function throwIfRefused(refusal: PeriodTransitionError | null): void;
export function throwIfRefused(refusal: PeriodTransitionError | null): void {
  if (refusal !== null) throw contractError({ code: 'conflict', ...refusal, retryable: false });
}

export function toPeriodEntryFields(
  { user }: Pick<PeriodContext, 'user'>,
  at: number,
  by: string | undefined,
  action: NewPeriodEntry['action'],
  text: string | undefined,
): NewPeriodEntry {
  const name = by ?? user;
  return { at, name, user, action, text: text ?? null, figures: null, is_self_review: 0, version: null };
}

/** Adds an action on a period to the audit log. */
export function addPeriodAudit(
  { books }: OpenSite,
  { user }: Pick<PeriodContext, 'user'>,
  period: string,
  verb: string,
  { at, name, text, figures, is_self_review, version }: NewPeriodEntry,
  more: Record<string, unknown> = {},
): void {
  const detail = { name, figures, is_self_review: is_self_review === 1, version, ...more };
  addAudit(books, { at, user: user, action: `periods.${verb}`, subject: period, reason: text, detail });
}

function openSiteNow(tools: PeriodContext, site: string): { open: OpenSite; at: number } {
  return { open: tools.stores.open(site), at: tools.now() };
}

/** Emits a change event and returns the current period. `signed` is its workpaper, if it has just been computed. */
async function publishPeriod(
  tools: PeriodContext,
  open: OpenSite,
  period: string,
  signed?: Workpaper,
): Promise<PeriodDetail> {
  tools.changes.emit(open.file.site, 'periods', 'audit');
  const at = { now: tools.now(), version: tools.version };
  return readPeriodDetail(open, period, at, signed ?? (await readWorkpaper(open, period, at)));
}
