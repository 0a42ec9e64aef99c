import {
  contractError,
  type Inputs,
  type PeriodDetail,
  type PeriodEntry,
  type Workpaper,
} from '../../contract/index.ts';
import { monthOf } from '../../domain/ledger/index.ts';
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
import { requireIdle, runExclusively } from '../jobs/exclusive-change.ts';
import { updatePaymentsAfterJob } from '../matching/renew.ts';
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
import { workpaperOf } from '../workpaper/workpaper.ts';
import { cachedWorkpaper, currentWorkpaper } from './cached-workpaper.ts';
import { signOffRemarks } from './remarks.ts';
import { periodDetail, requirePeriod, toPeriodEntry } from './show.ts';
import { siteVersion } from './snapshot-cache.ts';

export interface PeriodContext extends DecisionContext {
  readonly version: string;
}

/** Opens a month for work. Throws `conflict` if it is already open or precedes a closed one. */
export async function openPeriod(
  tools: PeriodContext,
  { site, period, by, comment }: Inputs['periods']['open'],
): Promise<PeriodDetail> {
  const { open, at } = begun(tools, site);
  const days = monthOf(`${period}-01`);
  commit(open.books, () => {
    refuse(findOpeningError(storedPeriods(open.books), period));
    const entry = periodEntryFields(tools, at, by, 'opened', comment);
    addPeriod(open.books, { period, ...days }, entry);
    auditPeriod(open, tools, period, 'open', entry);
  });
  return shown(tools, open, period);
}

/**
 * Records that the preparer stands by the figures. Throws `conflict` if the period is not open, cannot be signed yet, or
 * lacks a required comment.
 */
export async function submitPeriod(
  tools: PeriodContext,
  { site, period: name, by, comment }: Inputs['periods']['submit'],
): Promise<PeriodDetail> {
  const { open, at } = begun(tools, site);
  const { books } = open;
  stateAfter(requirePeriod(books, name), 'submit');
  const signed = await signing(tools, site, name, 'a sign-off', (workpaper) => {
    const period = requirePeriod(books, name);
    const state = stateAfter(period, 'submit');
    const remarks = signOffRemarks(
      name,
      workpaper,
      storedPeriods(books),
      new Date(at).toISOString().slice(0, 10),
    );
    const stands = remarks.find(({ requires }) => requires === 'mending');
    if (stands !== undefined)
      refuse({ message: stands.message, hint: `${name} can be submitted after that.` });
    const asking = remarks.filter(({ requires }) => requires === 'comment');
    if (asking.length > 0 && comment === undefined) {
      refuse({
        message: `${name} cannot be submitted without a comment: ${asking.map(({ message }) => message).join(' ')}`,
        hint: 'Mend it, or say in a comment why the figures can be relied on all the same.',
      });
    }
    const entry = { ...periodEntryFields(tools, at, by, 'submitted', comment), figures: workpaper.digest };
    const submitted = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state, submitted, reviewed: null });
    auditPeriod(open, tools, name, 'submit', entry);
  });
  return shown(tools, open, name, signed);
}

/**
 * Records that the reviewer approves the submitted figures or sends them back. Throws `conflict` if there is nothing to
 * review, the figures have changed, or a preparer reviews their own work without giving a reason.
 */
export async function reviewPeriod(
  tools: PeriodContext,
  { site, period: name, by, verdict, comment, self_review }: Inputs['periods']['review'],
): Promise<PeriodDetail> {
  const { open, at } = begun(tools, site);
  const { books } = open;
  /** Returns the period, its state after the decision, and the figures under review. */
  const reviewed = () => {
    const period = requirePeriod(books, name);
    const state = stateAfter(period, verdict);
    const prepared = periodEntries(books, period.id).find(({ seq }) => seq === period.submitted)!;
    return { period, state, prepared };
  };
  if (verdict === 'reject') {
    runExclusively(tools, site, 'a review', () =>
      commit(books, () => {
        const { period, state, prepared } = reviewed();
        const entry = { ...periodEntryFields(tools, at, by, 'rejected', comment), figures: prepared.figures };
        addPeriodEntry(books, period.id, entry);
        savePeriod(books, { ...period, state, submitted: null, reviewed: null });
        auditPeriod(open, tools, name, 'reject', entry);
      }),
    );
    return shown(tools, open, name);
  }
  const isSelf = ({ name: preparer }: { name: string }) => isSamePersonName(by ?? tools.user, preparer);
  const { prepared: asked } = reviewed();
  if (isSelf(asked) && self_review === undefined) {
    refuse({
      message: `${asked.name} prepared ${name}: another person reviews it.`,
      hint: 'Where there is no other, say why it is reviewed by the preparer: that is recorded as a self-review.',
    });
  }
  const signed = await signing(tools, site, name, 'a review', (workpaper) => {
    const { period, state, prepared } = reviewed();
    refuseOtherFigures(workpaper, name, prepared.figures);
    const self = isSelf(prepared);
    const entry = {
      ...periodEntryFields(tools, at, by, 'approved', self ? joined(self_review, comment) : comment),
      figures: prepared.figures,
      is_self_review: Number(self),
    };
    const approved = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state, reviewed: approved });
    auditPeriod(open, tools, name, 'approve', entry);
  });
  return shown(tools, open, name, signed);
}

/**
 * Number of attempts to compute figures in time slices. If the site changes each time, they are then computed in one go.
 */
const TRIES = 3;

/**
 * Signs the figures as they are at the instant of signing. They are computed in time slices and signed only if nothing
 * has changed since; otherwise they are computed again. Returns the signed workpaper.
 */
async function signing(
  tools: PeriodContext,
  site: string,
  period: string,
  action: string,
  sign: (workpaper: Workpaper) => void,
): Promise<Workpaper> {
  const made = { now: tools.now(), version: tools.version };
  for (let tries = 0; ; tries++) {
    requireIdle(tools, site);
    const open = tools.stores.open(site);
    const stamp = siteVersion(open);
    const early = tries < TRIES ? await currentWorkpaper(open, period, made) : null;
    const signed = runExclusively(tools, site, action, () =>
      commit(open.books, () => {
        const isStale = early !== null && siteVersion(tools.stores.open(site)) !== stamp;
        if (isStale) return null;
        const workpaper = early ?? workpaperOf(open, period, made);
        sign(workpaper);
        return workpaper;
      }),
    );
    if (signed !== null) return signed;
  }
}

/** Reopens a closed period. Throws `conflict` if it is not closed or a later one is. */
export async function reopenPeriod(
  tools: PeriodContext,
  { site, period: name, by, reason }: Inputs['periods']['reopen'],
): Promise<PeriodDetail> {
  const { open, at } = begun(tools, site);
  runExclusively(tools, site, 'the reopening of a period', () =>
    commit(open.books, () => {
      const period = requirePeriod(open.books, name);
      const state = stateAfter(period, 'reopen');
      refuse(findReopeningError(storedPeriods(open.books), name));
      const closedFigures = closedFiguresOf(open.books, period.id, period.version)!;
      markClosedFiguresReopened(open.books, closedFigures.id, at);
      endSignOffChangesOf(open.books, closedFigures.id, at);
      const entry = { ...periodEntryFields(tools, at, by, 'reopened', reason), version: period.version };
      addPeriodEntry(open.books, period.id, entry);
      savePeriod(open.books, { ...period, state, submitted: null, reviewed: null, closed: null });
      auditPeriod(open, tools, name, 'reopen', entry, { closedFigures: closedFigures.sha256 });
    }),
  );
  // Payments kept as signed are updated to the service's current data.
  await updatePaymentsAfterJob(tools, open, { site, signal: new AbortController().signal }, 'reopen');
  tools.changes.tell(site, 'match', 'bank', 'exceptions');
  return shown(tools, open, name);
}

export function addPeriodNote(
  tools: PeriodContext,
  { site, period: name, by, text }: Inputs['periods']['note'],
): PeriodEntry {
  const { open, at } = begun(tools, site);
  const { books } = open;
  const entry = periodEntryFields(tools, at, by, 'noted', text);
  const seq = commit(books, () => {
    const noted = addPeriodEntry(books, requirePeriod(books, name).id, entry);
    auditPeriod(open, tools, name, 'note', entry);
    return noted;
  });
  tools.changes.tell(site, 'periods', 'audit');
  return toPeriodEntry({ seq, ...entry });
}

const joined = (...texts: (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join(' ');

/** Throws `conflict` if the figures are not the signed ones. */
export function refuseOtherFigures(
  { digest }: Pick<Workpaper, 'digest'>,
  name: string,
  figures: string | null,
): void {
  if (digest === figures) return;
  refuse({
    message: `The figures of ${name} are not those that were submitted: something changed since.`,
    hint: 'Send it back with a comment, look at what changed, and submit it again.',
  });
}

/** Returns the state after a transition. Throws `conflict` if it is not allowed or the period is being closed. */
export function stateAfter(
  { period, state, closing_job }: StoredPeriod,
  move: PeriodTransition,
): StoredPeriod['state'] {
  if (closing_job !== null)
    refuse({ message: `${period} is being closed.`, hint: 'Wait until that is done, or cancel it.' });
  const outcome = transitionPeriod(period, state, move);
  if (!isTransitionError(outcome)) return outcome;
  return refuse(outcome);
}

export function refuse(refusal: PeriodTransitionError): never;
export function refuse(refusal: PeriodTransitionError | null): void;
export function refuse(refusal: PeriodTransitionError | null): void {
  if (refusal !== null) throw contractError({ code: 'conflict', ...refusal, retryable: false });
}

export function periodEntryFields(
  { user }: Pick<PeriodContext, 'user'>,
  at: number,
  by: string | undefined,
  action: NewPeriodEntry['action'],
  text: string | undefined,
): NewPeriodEntry {
  const name = by ?? user;
  return { at, name, user, action, text: text ?? null, figures: null, is_self_review: 0, version: null };
}

/** Adds an action to the audit log. */
export function auditPeriod(
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

function begun(tools: PeriodContext, site: string): { open: OpenSite; at: number } {
  return { open: tools.stores.open(site), at: tools.now() };
}

/** Returns the current period. `signed` is its workpaper if it was just computed. */
async function shown(
  tools: PeriodContext,
  open: OpenSite,
  period: string,
  signed?: Workpaper,
): Promise<PeriodDetail> {
  tools.changes.tell(open.file.site, 'periods', 'audit');
  const at = { now: tools.now(), version: tools.version };
  return periodDetail(open, period, at, signed ?? (await cachedWorkpaper(open, period, at)));
}
