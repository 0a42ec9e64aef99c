import { contractError, type Inputs, type PeriodDetail, type PeriodEntry } from '../../contract/index.ts';
import { monthOf } from '../../domain/ledger/index.ts';
import {
  isRefusal,
  isSameName,
  moved,
  openingRefusal,
  type PeriodMove,
  type Refusal,
  reopeningRefusal,
} from '../../domain/periods/index.ts';
import { alone, type BankTools } from '../bank/tools.ts';
import { renewFor } from '../matching/renew.ts';
import type { OpenSite } from '../sites/stores.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import {
  addPeriod,
  addPeriodEntry,
  type NewPeriodEntry,
  periodEntries,
  type StoredPeriod,
  savePeriod,
  storedPeriods,
} from '../store/periods/period.ts';
import { endDriftOf } from '../store/periods/periodDrift.ts';
import { sealOf, sealReopened } from '../store/periods/periodSeal.ts';
import { workpaperOf } from '../workpaper/workpaper.ts';
import { remarksOf } from './remarks.ts';
import { periodDetail, shownEntry, wantedPeriod } from './show.ts';

export interface PeriodTools extends BankTools {
  readonly version: string;
}

/** Opens a month for work. Throws `conflict` where it is open already, or lies before one that is closed. */
export function openPeriod(
  tools: PeriodTools,
  { site, period, by, comment }: Inputs['periods']['open'],
): PeriodDetail {
  const { open, at } = begun(tools, site);
  const days = monthOf(`${period}-01`);
  commit(open.books, () => {
    refuse(openingRefusal(storedPeriods(open.books), period));
    const entry = entryOf(tools, at, by, 'opened', comment);
    addPeriod(open.books, { period, ...days }, entry);
    audited(open, tools, period, 'open', entry);
  });
  return shown(tools, open, period);
}

/**
 * The preparer stands by the figures as they are. Throws `conflict` where the period is not open, cannot be signed yet, or is to be commented on
 * and is not.
 */
export function submitPeriod(
  tools: PeriodTools,
  { site, period: name, by, comment }: Inputs['periods']['submit'],
): PeriodDetail {
  const { open, at } = begun(tools, site);
  alone(tools, site, 'a sign-off', () =>
    commit(open.books, () => {
      const period = wantedPeriod(open.books, name);
      const state = after(period, 'submit');
      const workpaper = workpaperOf(open, name, { now: at, version: tools.version });
      const remarks = remarksOf(
        name,
        workpaper,
        storedPeriods(open.books),
        new Date(at).toISOString().slice(0, 10),
      );
      const stands = remarks.find(({ asks }) => asks === 'mending');
      if (stands !== undefined)
        refuse({ message: stands.message, hint: `${name} can be submitted after that.` });
      const asking = remarks.filter(({ asks }) => asks === 'comment');
      if (asking.length > 0 && comment === undefined) {
        refuse({
          message: `${name} cannot be submitted without a comment: ${asking.map(({ message }) => message).join(' ')}`,
          hint: 'Mend it, or say in a comment why the figures can be relied on all the same.',
        });
      }
      const entry = { ...entryOf(tools, at, by, 'submitted', comment), figures: workpaper.digest };
      const submitted = addPeriodEntry(open.books, period.id, entry);
      savePeriod(open.books, { ...period, state, submitted, reviewed: null });
      audited(open, tools, name, 'submit', entry);
    }),
  );
  return shown(tools, open, name);
}

/**
 * The reviewer agrees to the figures that were submitted, or sends them back. Throws `conflict` where there is nothing to review, the figures are others
 * by now, or a preparer reviews his own work without saying why.
 */
export function reviewPeriod(
  tools: PeriodTools,
  { site, period: name, by, verdict, comment, self_review }: Inputs['periods']['review'],
): PeriodDetail {
  const { open, at } = begun(tools, site);
  alone(tools, site, 'a review', () =>
    commit(open.books, () => {
      const period = wantedPeriod(open.books, name);
      const state = after(period, verdict);
      const { submitted } = period;
      const prepared = periodEntries(open.books, period.id).find(({ seq }) => seq === submitted)!;
      if (verdict === 'reject') {
        const entry = { ...entryOf(tools, at, by, 'rejected', comment), figures: prepared.figures };
        addPeriodEntry(open.books, period.id, entry);
        savePeriod(open.books, { ...period, state, submitted: null, reviewed: null });
        audited(open, tools, name, 'reject', entry);
        return;
      }
      const isSelf = isSameName(by ?? tools.user, prepared.name);
      if (isSelf && self_review === undefined) {
        refuse({
          message: `${prepared.name} prepared ${name}: another person reviews it.`,
          hint: 'Where there is no other, say why it is reviewed by the preparer: that is recorded as a self-review.',
        });
      }
      refuseOtherFigures(tools, open, name, prepared.figures, at);
      const entry = {
        ...entryOf(tools, at, by, 'approved', isSelf ? joined(self_review, comment) : comment),
        figures: prepared.figures,
        is_self_review: Number(isSelf),
      };
      const reviewed = addPeriodEntry(open.books, period.id, entry);
      savePeriod(open.books, { ...period, state, reviewed });
      audited(open, tools, name, 'approve', entry);
    }),
  );
  return shown(tools, open, name);
}

/** Opens a closed period again. Throws `conflict` where it is not closed, or a later one is. */
export async function reopenPeriod(
  tools: PeriodTools,
  { site, period: name, by, reason }: Inputs['periods']['reopen'],
): Promise<PeriodDetail> {
  const { open, at } = begun(tools, site);
  alone(tools, site, 'the reopening of a period', () =>
    commit(open.books, () => {
      const period = wantedPeriod(open.books, name);
      const state = after(period, 'reopen');
      refuse(reopeningRefusal(storedPeriods(open.books), name));
      const seal = sealOf(open.books, period.id, period.version)!;
      sealReopened(open.books, seal.id, at);
      endDriftOf(open.books, seal.id, at);
      const entry = { ...entryOf(tools, at, by, 'reopened', reason), version: period.version };
      addPeriodEntry(open.books, period.id, entry);
      savePeriod(open.books, { ...period, state, submitted: null, reviewed: null, closed: null });
      audited(open, tools, name, 'reopen', entry, { seal: seal.sha256 });
    }),
  );
  // What the books kept as it was signed comes up to what the service says now.
  await renewFor(tools, open, { site, signal: new AbortController().signal }, 'reopen');
  tools.changes.tell(site, 'match', 'bank', 'exceptions');
  return shown(tools, open, name);
}

export function notePeriod(
  tools: PeriodTools,
  { site, period: name, by, text }: Inputs['periods']['note'],
): PeriodEntry {
  const { open, at } = begun(tools, site);
  const { books } = open;
  const entry = entryOf(tools, at, by, 'noted', text);
  const seq = commit(books, () => {
    const noted = addPeriodEntry(books, wantedPeriod(books, name).id, entry);
    audited(open, tools, name, 'note', entry);
    return noted;
  });
  tools.changes.tell(site, 'periods', 'audit');
  return shownEntry({ seq, ...entry });
}

const joined = (...texts: (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join(' ');

/** Throws `conflict` where the figures are not those that were signed. */
export function refuseOtherFigures(
  { version }: PeriodTools,
  open: OpenSite,
  name: string,
  figures: string | null,
  now: number,
): ReturnType<typeof workpaperOf> {
  const workpaper = workpaperOf(open, name, { now, version });
  if (workpaper.digest !== figures) {
    refuse({
      message: `The figures of ${name} are not those that were submitted: something changed since.`,
      hint: 'Send it back with a comment, look at what changed, and submit it again.',
    });
  }
  return workpaper;
}

/** The state after a move. Throws `conflict` where it is not possible, or the period is being closed. */
export function after({ period, state, sealing }: StoredPeriod, move: PeriodMove): StoredPeriod['state'] {
  if (sealing !== null)
    refuse({ message: `${period} is being closed.`, hint: 'Wait until that is done, or cancel it.' });
  const outcome = moved(period, state, move);
  if (!isRefusal(outcome)) return outcome;
  return refuse(outcome);
}

export function refuse(refusal: Refusal): never;
export function refuse(refusal: Refusal | null): void;
export function refuse(refusal: Refusal | null): void {
  if (refusal !== null) throw contractError({ code: 'conflict', ...refusal, retryable: false });
}

export function entryOf(
  { user }: Pick<PeriodTools, 'user'>,
  at: number,
  by: string | undefined,
  what: NewPeriodEntry['what'],
  text: string | undefined,
): NewPeriodEntry {
  const name = by ?? user;
  return { at, name, user, what, text: text ?? null, figures: null, is_self_review: 0, version: null };
}

/** Writes what was done into the audit log. */
export function audited(
  { books }: OpenSite,
  { user }: Pick<PeriodTools, 'user'>,
  period: string,
  verb: string,
  { at, name, text, figures, is_self_review, version }: NewPeriodEntry,
  more: Record<string, unknown> = {},
): void {
  const detail = { name, figures, is_self_review: is_self_review === 1, version, ...more };
  addAudit(books, { at, who: user, action: `periods.${verb}`, subject: period, why: text, detail });
}

function begun(tools: PeriodTools, site: string): { open: OpenSite; at: number } {
  return { open: tools.stores.open(site), at: tools.now() };
}

function shown(tools: PeriodTools, open: OpenSite, period: string): PeriodDetail {
  tools.changes.tell(open.file.site, 'periods', 'audit');
  return periodDetail(open, period, { now: tools.now(), version: tools.version });
}
