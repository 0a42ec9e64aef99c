import type { PackDecisions } from '../../contract/index.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { addEntry, setAssigned, setStatus, storedByKey } from '../store/checks/exception.ts';
import { assignedOf, payoutOf, peoplesEntries } from '../store/evidence-pack/pack-places.ts';
import { isItemStored } from '../store/periods/brought-forward.ts';
import { addSaid, saidOf } from '../store/periods/closed-outstanding-item.ts';
import {
  ADDED_BY_IMPORT,
  type ComparedDecision,
  createComparison,
  describeOriginalDecision,
  findLineId,
  type PackComparison,
} from './compared-decision.ts';

type PackException = PackDecisions['exceptions'][number];
type PackItem = PackDecisions['items'][number];

/** Compares the exceptions of the pack on which a person has worked. */
export function* compareExceptions(
  comparison: PackComparison,
  exceptions: readonly PackException[],
): Generator<ComparedDecision> {
  for (const exception of exceptions) yield compareException(comparison, exception);
}

function compareException(
  { open: { books }, period }: PackComparison,
  exception: PackException,
): ComparedDecision {
  const { key, status, accepted_evidence, assigned } = exception;
  const decided = exception.entries.filter(({ user }) => user !== null);
  const last = decided.at(-1);
  const stored = storedByKey(books, key);
  const text = `${status} ${exception.rule}: ${stored?.message ?? key}`;
  const result = createComparison('exceptions', {
    text,
    amount_in_cents: null,
    at: last?.at ?? null,
    user: last?.user ?? null,
  });
  if (stored === null) return result.notStored('It is not found here: check first, if that was not done.');
  const isAccepting = status === 'accepted' && stored.status !== 'accepted';
  if (
    status === 'accepted' &&
    (isAccepting ? stored.evidence : stored.accepted_evidence) !== accepted_evidence
  )
    return result.different('What it rests on is not what was accepted.');
  if (stored.status === 'closed' && status !== 'closed') return result.different('It is mended here.');
  if (stored.status === 'accepted' && status === 'open') return result.different('It is accepted here.');
  const before = peoplesEntries(books, stored.id);
  const formatEntry = (entry: { action: string; user: string | null; text: string | null }, at: number) =>
    JSON.stringify([at, entry.user, entry.action, entry.text]);
  const storedEntries = new Set(before.map((entry) => formatEntry(entry, entry.at)));
  const packEntries = new Set(decided.map((entry) => formatEntry(entry, Date.parse(entry.at))));
  const wasReopenedHere = before.some(
    (entry) => entry.action === 'reopened' && !packEntries.has(formatEntry(entry, entry.at)),
  );
  if (isAccepting && wasReopenedHere) return result.different('It was reopened here.');
  const storedAssignee = assignedOf(books, stored.id);
  if (assigned !== null && storedAssignee !== null && storedAssignee !== assigned)
    return result.different(`Here it is assigned to ${storedAssignee}.`);
  const isAssigning = assigned !== null && storedAssignee === null;
  const missingEntries = decided.filter(
    (entry) => !storedEntries.has(formatEntry(entry, Date.parse(entry.at))),
  );
  if (!isAccepting && !isAssigning && missingEntries.length === 0) return result.same();
  return result.missing((by) => {
    const accepted = missingEntries.findLast(({ action }) => action === 'accepted');
    if (isAccepting)
      setStatus(books, stored, 'accepted', accepted_evidence, Date.parse(accepted?.at ?? last!.at));
    if (isAssigning) setAssigned(books, stored.id, assigned);
    for (const { at, user, action, text } of missingEntries) {
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
      entries: missingEntries.map(({ at, user, action, text }) => `${at} ${user} ${action}: ${text}`),
      ...describeOriginalDecision(
        period,
        last === undefined ? null : Date.parse(last.at),
        last?.user ?? null,
      ),
    };
    addAudit(books, { ...by, action: 'exceptions.restore', subject: String(stored.id), detail });
  });
}

/** Compares the explanations of outstanding items with the books. */
export function* compareItemExplanations(
  comparison: PackComparison,
  items: readonly PackItem[],
): Generator<ComparedDecision> {
  for (const item of items) yield compareItem(comparison, item);
}

function compareItem(comparison: PackComparison, item: PackItem): ComparedDecision {
  const { open, period } = comparison;
  const { books } = open;
  const { category, owner, explanation, expected_on } = item;
  const explanationFields = { category, owner, explanation, expected_on };
  const result = createComparison('items', {
    text: [item.key.replace(':', ' '), category, explanation].filter((word) => word !== null).join(', '),
    at: item.at ?? null,
    user: item.user ?? null,
  });
  const key = findItemKey(comparison, item);
  if (key === null) return result.notStored(`There is no ${item.key.replace(':', ' ')} of the pack here.`);
  const before =
    key === ADDED_BY_IMPORT ? undefined : saidOf(books, key).findLast((each) => each.period === period);
  if (before !== undefined) {
    const isSame = Object.entries(explanationFields).every(
      ([name, value]) => before[name as keyof typeof explanationFields] === value,
    );
    return isSame ? result.same() : result.different(`${before.user} said otherwise of it here.`);
  }
  return result.missing((by) => {
    const at = item.at === undefined ? by.at : Date.parse(item.at);
    const user = item.user ?? by.user;
    addSaid(books, String(key), { at, user, period, ...explanationFields });
    const detail = { period, ...explanationFields, ...describeOriginalDecision(period, at, user) };
    addAudit(books, { ...by, action: 'periods.restore-item', subject: String(key), detail });
  });
}

/**
 * Returns the item's key in these books, `ADDED_BY_IMPORT` for an item that the pack's files add, or null if it is not
 * stored.
 */
function findItemKey(
  comparison: PackComparison,
  { key, line, payout }: PackItem,
): string | typeof ADDED_BY_IMPORT | null {
  const { open, coming } = comparison;
  const [kind, id] = key.split(':');
  if (kind === 'line' || kind === 'payout') {
    const place =
      line !== null
        ? findLineId(comparison, line)
        : payout == null
          ? null
          : (payoutOf(open.books, payout) ?? (coming.lines.size > 0 ? ADDED_BY_IMPORT : null));
    return place === null || place === ADDED_BY_IMPORT ? place : `${kind}:${place}`;
  }
  if (isItemStored(open, key)) return key;
  return kind === 'payment' && coming.payments.has(Number(id)) ? ADDED_BY_IMPORT : null;
}
