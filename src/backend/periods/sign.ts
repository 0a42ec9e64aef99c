import {
  contractError,
  type Inputs,
  type PeriodDetail,
  type PeriodEntry,
  type Workpaper,
} from '../../contract/index.ts';
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
import { alone, type BankTools, whileIdle } from '../bank/tools.ts';
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
import { endDriftOf } from '../store/periods/period-drift.ts';
import { sealOf, sealReopened } from '../store/periods/period-seal.ts';
import { workpaperOf } from '../workpaper/workpaper.ts';
import { siteStamp } from './kept-in-turns.ts';
import { remarksOf } from './remarks.ts';
import { periodDetail, shownEntry, wantedPeriod } from './show.ts';
import { workpaperInTurns, workpaperNow } from './workpaper-in-turns.ts';

export interface PeriodTools extends BankTools {
  readonly version: string;
}

/** Opens a month for work. Throws `conflict` where it is open already, or lies before one that is closed. */
export async function openPeriod(
  tools: PeriodTools,
  { site, period, by, comment }: Inputs['periods']['open'],
): Promise<PeriodDetail> {
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
export async function submitPeriod(
  tools: PeriodTools,
  { site, period: name, by, comment }: Inputs['periods']['submit'],
): Promise<PeriodDetail> {
  const { open, at } = begun(tools, site);
  const { books } = open;
  after(wantedPeriod(books, name), 'submit');
  const signed = await signing(tools, site, name, 'a sign-off', (workpaper) => {
    const period = wantedPeriod(books, name);
    const state = after(period, 'submit');
    const remarks = remarksOf(name, workpaper, storedPeriods(books), new Date(at).toISOString().slice(0, 10));
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
    const submitted = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state, submitted, reviewed: null });
    audited(open, tools, name, 'submit', entry);
  });
  return shown(tools, open, name, signed);
}

/**
 * The reviewer agrees to the figures that were submitted, or sends them back. Throws `conflict` where there is nothing to review, the figures are others
 * by now, or a preparer reviews his own work without saying why.
 */
export async function reviewPeriod(
  tools: PeriodTools,
  { site, period: name, by, verdict, comment, self_review }: Inputs['periods']['review'],
): Promise<PeriodDetail> {
  const { open, at } = begun(tools, site);
  const { books } = open;
  /** The period, how it stands after the verdict, and what is reviewed. */
  const reviewed = () => {
    const period = wantedPeriod(books, name);
    const state = after(period, verdict);
    const prepared = periodEntries(books, period.id).find(({ seq }) => seq === period.submitted)!;
    return { period, state, prepared };
  };
  if (verdict === 'reject') {
    alone(tools, site, 'a review', () =>
      commit(books, () => {
        const { period, state, prepared } = reviewed();
        const entry = { ...entryOf(tools, at, by, 'rejected', comment), figures: prepared.figures };
        addPeriodEntry(books, period.id, entry);
        savePeriod(books, { ...period, state, submitted: null, reviewed: null });
        audited(open, tools, name, 'reject', entry);
      }),
    );
    return shown(tools, open, name);
  }
  const isSelf = ({ name: preparer }: { name: string }) => isSameName(by ?? tools.user, preparer);
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
      ...entryOf(tools, at, by, 'approved', self ? joined(self_review, comment) : comment),
      figures: prepared.figures,
      is_self_review: Number(self),
    };
    const approved = addPeriodEntry(books, period.id, entry);
    savePeriod(books, { ...period, state, reviewed: approved });
    audited(open, tools, name, 'approve', entry);
  });
  return shown(tools, open, name, signed);
}

/** So often figures are made in turns with other work; where something changes each time, then at one go. */
const TRIES = 3;

/**
 * Signs the figures as they are at the instant of signing: they are made in turns with whatever else is to be done, and are signed only if nothing
 * has changed since; else they are made anew. Gives the workpaper that was signed.
 */
async function signing(
  tools: PeriodTools,
  site: string,
  period: string,
  what: string,
  sign: (workpaper: Workpaper) => void,
): Promise<Workpaper> {
  const made = { now: tools.now(), version: tools.version };
  for (let tries = 0; ; tries++) {
    whileIdle(tools, site);
    const open = tools.stores.open(site);
    const stamp = siteStamp(open);
    const early = tries < TRIES ? await workpaperNow(open, period, made) : null;
    const signed = alone(tools, site, what, () =>
      commit(open.books, () => {
        const isStale = early !== null && siteStamp(tools.stores.open(site)) !== stamp;
        if (isStale) return null;
        const workpaper = early ?? workpaperOf(open, period, made);
        sign(workpaper);
        return workpaper;
      }),
    );
    if (signed !== null) return signed;
  }
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

/** The period as it stands now; `signed` where its figures were made just now. */
async function shown(
  tools: PeriodTools,
  open: OpenSite,
  period: string,
  signed?: Workpaper,
): Promise<PeriodDetail> {
  tools.changes.tell(open.file.site, 'periods', 'audit');
  const at = { now: tools.now(), version: tools.version };
  return periodDetail(open, period, at, signed ?? (await workpaperInTurns(open, period, at)));
}
