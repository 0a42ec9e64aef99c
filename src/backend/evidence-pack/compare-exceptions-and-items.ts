import type { PackDecisions } from '../../contract/index.ts';
import { formatExceptionEntry } from '../books-verification/decision-subjects.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addExceptionEntry,
  findExceptionByKey,
  type StoredException,
  setExceptionAssignee,
  setExceptionStatus,
} from '../store/checks/exception.ts';
import {
  findExceptionAssignee,
  findPayoutByIdentity,
  listUserExceptionEntries,
} from '../store/evidence-pack/find-pack-rows.ts';
import { isOutstandingItemStored } from '../store/periods/brought-forward.ts';
import { addItemExplanation, listItemExplanations } from '../store/periods/closed-outstanding-item.ts';
import {
  ADDED_BY_PACK_IMPORT,
  type ComparedDecision,
  createDecisionComparisonFactory,
  describeOriginalDecision,
  findBankLineId,
  type PackComparison,
} from './decision-comparison.ts';

type PackException = PackDecisions['exceptions'][number];
type PackItem = PackDecisions['items'][number];

/** Compares an exception of the pack with the books, if a person has assigned, commented on or decided it. */
export function compareExceptionDecision(
  { open: { books }, period }: PackComparison,
  exception: PackException,
): ComparedDecision {
  const { key, status, accepted_evidence, assigned } = exception;
  const decided = exception.entries.filter(({ user }) => user !== null);
  const { at = null, user = null } = decided.at(-1) ?? {};
  const stored = findExceptionByKey(books, key);
  const text = `${status} ${exception.rule}: ${stored?.message ?? key}`;
  const result = createDecisionComparisonFactory('exceptions', { text, at, user });
  if (stored === null)
    return result.notStored('The exception is not stored on this site. Run a check if none has been run.');
  const storedEntries = listUserExceptionEntries(books, stored.id);
  const packKeys = new Set(decided.map(toEntryKey));
  const wasReopenedHere = storedEntries.some(
    (entry) => entry.action === 'reopened' && !packKeys.has(toEntryKey(entry)),
  );
  const storedAssignee = findExceptionAssignee(books, stored.id);
  const conflict = findExceptionConflict(exception, stored, wasReopenedHere, storedAssignee);
  if (conflict !== null) return result.different(conflict);
  const isAccepting = status === 'accepted' && stored.status !== 'accepted';
  const isAssigning = assigned !== null && storedAssignee === null;
  const storedKeys = new Set(storedEntries.map(toEntryKey));
  const missingEntries = decided.filter((entry) => !storedKeys.has(toEntryKey(entry)));
  if (!isAccepting && !isAssigning && missingEntries.length === 0) return result.same();
  return result.missing((by) => {
    const accepted = missingEntries.findLast(({ action }) => action === 'accepted');
    const acceptedAt = accepted?.at ?? at;
    if (isAccepting)
      setExceptionStatus(
        books,
        stored,
        { status: 'accepted', accepted_evidence },
        acceptedAt === null ? by.at : Date.parse(acceptedAt),
      );
    if (isAssigning) setExceptionAssignee(books, stored.id, assigned);
    for (const entry of missingEntries)
      addExceptionEntry(books, stored.id, { ...entry, at: Date.parse(entry.at), job: null });
    const detail = {
      key,
      message: stored.message,
      evidence: stored.evidence,
      status,
      entries: missingEntries.map((entry) => formatExceptionEntry({ ...entry, at: Date.parse(entry.at) })),
      ...describeOriginalDecision(period, at === null ? null : Date.parse(at), user),
    };
    addAuditEntry(books, { ...by, action: 'exceptions.restore', subject: String(stored.id), detail });
  });
}

/** Returns a key for comparing history entries of the pack and of the books. */
const toEntryKey = (entry: {
  at: string | number;
  action: string;
  user: string | null;
  text: string | null;
}): string => JSON.stringify([new Date(entry.at).getTime(), entry.user, entry.action, entry.text]);

/** Returns why the pack's exception cannot be restored, as one sentence, or null if it can be. */
function findExceptionConflict(
  { status, accepted_evidence, assigned }: PackException,
  stored: StoredException,
  wasReopenedHere: boolean,
  storedAssignee: string | null,
): string | null {
  const isAccepting = status === 'accepted' && stored.status !== 'accepted';
  const evidence = isAccepting ? stored.evidence : stored.accepted_evidence;
  if (status === 'accepted' && evidence !== accepted_evidence)
    return 'The exception’s supporting records differ from the accepted ones.';
  if (stored.status === 'closed' && status !== 'closed') return 'The exception is closed on this site.';
  if (stored.status === 'accepted' && status === 'open') return 'The exception is accepted on this site.';
  if (isAccepting && wasReopenedHere) return 'The exception was reopened on this site.';
  if (assigned !== null && storedAssignee !== null && storedAssignee !== assigned)
    return `The exception is assigned to ${storedAssignee} on this site.`;
  return null;
}

/** Compares the explanation of an outstanding item with the books. */
export function compareOutstandingItemDecision(comparison: PackComparison, item: PackItem): ComparedDecision {
  const { open, period } = comparison;
  const { books } = open;
  const { category, owner, explanation, expected_on } = item;
  const fields = { category, owner, explanation, expected_on };
  const name = item.key.replace(':', ' ');
  const result = createDecisionComparisonFactory('items', {
    text: [name, category, explanation].filter((word) => word !== null).join(', '),
    at: item.at ?? null,
    user: item.user ?? null,
  });
  const key = findItemKey(comparison, item);
  if (key === null) return result.notStored(`The pack’s ${name} is not stored on this site.`);
  const stored =
    key === ADDED_BY_PACK_IMPORT
      ? undefined
      : listItemExplanations(books, key).findLast((each) => each.period === period);
  if (stored !== undefined) {
    const isSame = Object.entries(fields).every(
      ([field, value]) => stored[field as keyof typeof fields] === value,
    );
    return isSame
      ? result.same()
      : result.different(`${stored.user} explained the item differently on this site.`);
  }
  return result.missing((by) => {
    const at = item.at === undefined ? by.at : Date.parse(item.at);
    const user = item.user ?? by.user;
    addItemExplanation(books, String(key), { at, user, period, ...fields });
    const detail = { period, ...fields, ...describeOriginalDecision(period, at, user) };
    addAuditEntry(books, { ...by, action: 'periods.restore-item', subject: String(key), detail });
  });
}

/**
 * Returns the item's key in these books, or `ADDED_BY_PACK_IMPORT` for an item that an import adds. Returns null if
 * neither applies.
 */
function findItemKey(
  comparison: PackComparison,
  item: PackItem,
): string | typeof ADDED_BY_PACK_IMPORT | null {
  const [kind, paymentId] = item.key.split(':');
  if (kind === 'line' || kind === 'payout') {
    const id = findLineOrPayoutId(comparison, item);
    return id === null || id === ADDED_BY_PACK_IMPORT ? id : `${kind}:${id}`;
  }
  if (isOutstandingItemStored(comparison.open, item.key)) return item.key;
  return kind === 'payment' && comparison.coming.payments.has(Number(paymentId))
    ? ADDED_BY_PACK_IMPORT
    : null;
}

function findLineOrPayoutId(comparison: PackComparison, { line, payout }: PackItem): number | null {
  if (line !== null) return findBankLineId(comparison, line);
  if (payout == null) return null;
  const hasNewLines = comparison.coming.lines.size > 0;
  return findPayoutByIdentity(comparison.open.books, payout) ?? (hasNewLines ? ADDED_BY_PACK_IMPORT : null);
}
