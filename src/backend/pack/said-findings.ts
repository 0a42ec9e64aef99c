import type { PackDecisions } from '../../contract/index.ts';
import { addAudit } from '../store/books/audit.ts';
import { addEntry, heldByKey, setAssigned, setStatus } from '../store/checks/exception.ts';
import { assignedOf, payoutOf, peoplesEntries } from '../store/periods/pack-places.ts';
import { isItemHeld } from '../store/periods/period-carried.ts';
import { addSaid, saidOf } from '../store/periods/period-item.ts';
import { COMING, type Finding, finding, firstDecided, type Ground, placeOfLine } from './finding.ts';

type Exception = PackDecisions['exceptions'][number];
type Item = PackDecisions['items'][number];

/** Each exception that somebody did something about. */
export function* exceptionFindings(ground: Ground, exceptions: readonly Exception[]): Generator<Finding> {
  for (const exception of exceptions) yield exceptionFinding(ground, exception);
}

function exceptionFinding({ open: { books }, period }: Ground, exception: Exception): Finding {
  const { key, status, accepted_evidence, assigned } = exception;
  const decided = exception.entries.filter(({ who }) => who !== null);
  const last = decided.at(-1);
  const held = heldByKey(books, key);
  const text = `${status} ${exception.rule}: ${held?.message ?? key}`;
  const told = finding('exceptions', {
    text,
    amount_in_cents: null,
    at: last?.at ?? null,
    who: last?.who ?? null,
  });
  if (held === null) return told.notHeld('It is not found here: check first, if that was not done.');
  const isAccepting = status === 'accepted' && held.status !== 'accepted';
  if (status === 'accepted' && (isAccepting ? held.evidence : held.accepted_evidence) !== accepted_evidence)
    return told.otherwise('What it rests on is not what was accepted.');
  if (held.status === 'closed' && status !== 'closed') return told.otherwise('It is mended here.');
  if (held.status === 'accepted' && status === 'open') return told.otherwise('It is accepted here.');
  const before = peoplesEntries(books, held.id);
  const textOf = (entry: { what: string; who: string | null; text: string | null }, at: number) =>
    JSON.stringify([at, entry.who, entry.what, entry.text]);
  const known = new Set(before.map((entry) => textOf(entry, entry.at)));
  const named = new Set(decided.map((entry) => textOf(entry, Date.parse(entry.at))));
  const isOwn = before.some((entry) => entry.what === 'reopened' && !named.has(textOf(entry, entry.at)));
  if (isAccepting && isOwn) return told.otherwise('It was reopened here.');
  const here = assignedOf(books, held.id);
  if (assigned !== null && here !== null && here !== assigned)
    return told.otherwise(`Here it is assigned to ${here}.`);
  const isAssigning = assigned !== null && here === null;
  const more = decided.filter((entry) => !known.has(textOf(entry, Date.parse(entry.at))));
  if (!isAccepting && !isAssigning && more.length === 0) return told.same();
  return told.missing((by) => {
    const accepted = more.findLast(({ what }) => what === 'accepted');
    if (isAccepting)
      setStatus(books, held, 'accepted', accepted_evidence, Date.parse(accepted?.at ?? last!.at));
    if (isAssigning) setAssigned(books, held.id, assigned);
    for (const { at, who, what, text } of more) {
      addEntry(books, held.id, {
        at: Date.parse(at),
        who,
        what,
        text,
        job: null,
      });
    }
    const detail = {
      key,
      message: held.message,
      evidence: held.evidence,
      status,
      entries: more.map(({ at, who, what, text }) => `${at} ${who} ${what}: ${text}`),
      ...firstDecided(period, last === undefined ? null : Date.parse(last.at), last?.who ?? null),
    };
    addAudit(books, { ...by, action: 'exceptions.restore', subject: String(held.id), detail });
  });
}

/** What was said of each open item while the period was worked on. */
export function* itemFindings(ground: Ground, items: readonly Item[]): Generator<Finding> {
  for (const item of items) yield itemFinding(ground, item);
}

function itemFinding(ground: Ground, item: Item): Finding {
  const { open, period } = ground;
  const { books } = open;
  const { category, owner, explanation, expected_on } = item;
  const said = { category, owner, explanation, expected_on };
  const told = finding('items', {
    text: [item.key.replace(':', ' '), category, explanation].filter((word) => word !== null).join(', '),
    at: item.at ?? null,
    who: item.who ?? null,
  });
  const key = keyHere(ground, item);
  if (key === null) return told.notHeld(`There is no ${item.key.replace(':', ' ')} of the pack here.`);
  const before = key === COMING ? undefined : saidOf(books, key).findLast((each) => each.period === period);
  if (before !== undefined) {
    const isSame = Object.entries(said).every(([name, value]) => before[name as keyof typeof said] === value);
    return isSame ? told.same() : told.otherwise(`${before.who} said otherwise of it here.`);
  }
  return told.missing((by) => {
    const at = item.at === undefined ? by.at : Date.parse(item.at);
    const who = item.who ?? by.who;
    addSaid(books, String(key), { at, who, period, ...said });
    const detail = { period, ...said, ...firstDecided(period, at, who) };
    addAudit(books, { ...by, action: 'periods.restore-item', subject: String(key), detail });
  });
}

/** The item’s key in these books, `COMING`, or null where it is not held. */
function keyHere(ground: Ground, { key, line, payout }: Item): string | typeof COMING | null {
  const { open, coming } = ground;
  const [kind, id] = key.split(':');
  if (kind === 'line' || kind === 'payout') {
    const place =
      line !== null
        ? placeOfLine(ground, line)
        : payout == null
          ? null
          : (payoutOf(open.books, payout) ?? (coming.lines.size > 0 ? COMING : null));
    return place === null || place === COMING ? place : `${kind}:${place}`;
  }
  if (isItemHeld(open, key)) return key;
  return kind === 'payment' && coming.payments.has(Number(id)) ? COMING : null;
}
