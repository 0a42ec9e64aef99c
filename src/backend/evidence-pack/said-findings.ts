import type { PackDecisions } from '../../contract/index.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { addEntry, setAssigned, setStatus, storedByKey } from '../store/checks/exception.ts';
import { assignedOf, payoutOf, peoplesEntries } from '../store/evidence-pack/pack-places.ts';
import { isItemStored } from '../store/periods/brought-forward.ts';
import { addSaid, saidOf } from '../store/periods/closed-outstanding-item.ts';
import {
  ADDED_BY_IMPORT,
  type ComparedDecision,
  comparedDecision,
  findLineId,
  originalDecision,
  type PackComparison,
} from './finding.ts';

type Exception = PackDecisions['exceptions'][number];
type Item = PackDecisions['items'][number];

/** Compares each exception that a person has worked on. */
export function* compareExceptions(
  ground: PackComparison,
  exceptions: readonly Exception[],
): Generator<ComparedDecision> {
  for (const exception of exceptions) yield exceptionFinding(ground, exception);
}

function exceptionFinding(
  { open: { books }, period }: PackComparison,
  exception: Exception,
): ComparedDecision {
  const { key, status, accepted_evidence, assigned } = exception;
  const decided = exception.entries.filter(({ user }) => user !== null);
  const last = decided.at(-1);
  const stored = storedByKey(books, key);
  const text = `${status} ${exception.rule}: ${stored?.message ?? key}`;
  const told = comparedDecision('exceptions', {
    text,
    amount_in_cents: null,
    at: last?.at ?? null,
    user: last?.user ?? null,
  });
  if (stored === null) return told.notStored('It is not found here: check first, if that was not done.');
  const isAccepting = status === 'accepted' && stored.status !== 'accepted';
  if (
    status === 'accepted' &&
    (isAccepting ? stored.evidence : stored.accepted_evidence) !== accepted_evidence
  )
    return told.different('What it rests on is not what was accepted.');
  if (stored.status === 'closed' && status !== 'closed') return told.different('It is mended here.');
  if (stored.status === 'accepted' && status === 'open') return told.different('It is accepted here.');
  const before = peoplesEntries(books, stored.id);
  const textOf = (entry: { action: string; user: string | null; text: string | null }, at: number) =>
    JSON.stringify([at, entry.user, entry.action, entry.text]);
  const known = new Set(before.map((entry) => textOf(entry, entry.at)));
  const named = new Set(decided.map((entry) => textOf(entry, Date.parse(entry.at))));
  const isOwn = before.some((entry) => entry.action === 'reopened' && !named.has(textOf(entry, entry.at)));
  if (isAccepting && isOwn) return told.different('It was reopened here.');
  const here = assignedOf(books, stored.id);
  if (assigned !== null && here !== null && here !== assigned)
    return told.different(`Here it is assigned to ${here}.`);
  const isAssigning = assigned !== null && here === null;
  const more = decided.filter((entry) => !known.has(textOf(entry, Date.parse(entry.at))));
  if (!isAccepting && !isAssigning && more.length === 0) return told.same();
  return told.missing((by) => {
    const accepted = more.findLast(({ action }) => action === 'accepted');
    if (isAccepting)
      setStatus(books, stored, 'accepted', accepted_evidence, Date.parse(accepted?.at ?? last!.at));
    if (isAssigning) setAssigned(books, stored.id, assigned);
    for (const { at, user, action, text } of more) {
      addEntry(books, stored.id, {
        at: Date.parse(at),
        user,
        action,
        text,
        job: null,
      });
    }
    const detail = {
      key,
      message: stored.message,
      evidence: stored.evidence,
      status,
      entries: more.map(({ at, user, action, text }) => `${at} ${user} ${action}: ${text}`),
      ...originalDecision(period, last === undefined ? null : Date.parse(last.at), last?.user ?? null),
    };
    addAudit(books, { ...by, action: 'exceptions.restore', subject: String(stored.id), detail });
  });
}

/** Compares the explanations of outstanding items. */
export function* compareItemExplanations(
  ground: PackComparison,
  items: readonly Item[],
): Generator<ComparedDecision> {
  for (const item of items) yield itemFinding(ground, item);
}

function itemFinding(ground: PackComparison, item: Item): ComparedDecision {
  const { open, period } = ground;
  const { books } = open;
  const { category, owner, explanation, expected_on } = item;
  const said = { category, owner, explanation, expected_on };
  const told = comparedDecision('items', {
    text: [item.key.replace(':', ' '), category, explanation].filter((word) => word !== null).join(', '),
    at: item.at ?? null,
    user: item.user ?? null,
  });
  const key = keyHere(ground, item);
  if (key === null) return told.notStored(`There is no ${item.key.replace(':', ' ')} of the pack here.`);
  const before =
    key === ADDED_BY_IMPORT ? undefined : saidOf(books, key).findLast((each) => each.period === period);
  if (before !== undefined) {
    const isSame = Object.entries(said).every(([name, value]) => before[name as keyof typeof said] === value);
    return isSame ? told.same() : told.different(`${before.user} said otherwise of it here.`);
  }
  return told.missing((by) => {
    const at = item.at === undefined ? by.at : Date.parse(item.at);
    const user = item.user ?? by.user;
    addSaid(books, String(key), { at, user, period, ...said });
    const detail = { period, ...said, ...originalDecision(period, at, user) };
    addAudit(books, { ...by, action: 'periods.restore-item', subject: String(key), detail });
  });
}

/** Returns the item's key in these books, `COMING`, or null if it is not stored. */
function keyHere(
  ground: PackComparison,
  { key, line, payout }: Item,
): string | typeof ADDED_BY_IMPORT | null {
  const { open, coming } = ground;
  const [kind, id] = key.split(':');
  if (kind === 'line' || kind === 'payout') {
    const place =
      line !== null
        ? findLineId(ground, line)
        : payout == null
          ? null
          : (payoutOf(open.books, payout) ?? (coming.lines.size > 0 ? ADDED_BY_IMPORT : null));
    return place === null || place === ADDED_BY_IMPORT ? place : `${kind}:${place}`;
  }
  if (isItemStored(open, key)) return key;
  return kind === 'payment' && coming.payments.has(Number(id)) ? ADDED_BY_IMPORT : null;
}
