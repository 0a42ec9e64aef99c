import { setImmediate as breathe } from 'node:timers/promises';
import { contractError, type Inputs, type MatchGroup, type MatchNote } from '../../contract/index.ts';
import { money } from '../../domain/ledger/index.ts';
import { ranges } from '../bank/ranges.ts';
import { alone, type BankTools } from '../bank/tools.ts';
import { refuseLockedGroups } from '../periods/locked.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit, type WritableDb } from '../store/database.ts';
import { idsOf, readPage } from '../store/keyset.ts';
import {
  addEntry,
  addNote,
  groupById,
  itemsOf,
  lineStanding,
  paymentStanding,
  type Standing,
  type StoredGroup,
  setGroupStatus,
} from '../store/matching/match-group.ts';
import { matchGroups } from '../store/matching/match-group-list.ts';
import { groupReading } from '../store/matching/match-group-reading.ts';
import { isoMoment } from '../store/moment.ts';

/** How many of each group's lines and payments a decision answers with. */
const SHOWN = 20;

interface Several {
  site: string;
  ids: readonly number[];
  reason?: string | undefined;
}

/** Confirms proposals. Throws `conflict` for one that is none, does not come to 0, or stands on what is claimed elsewhere. */
export function confirmGroups(tools: BankTools, several: Several): MatchGroup[] {
  return decide(tools, several, 'confirm', (books, group, at) => {
    const hindrance = hindranceOf(books, group);
    if (hindrance !== null) throw contractError(conflict(hindrance.message, hindrance.hint));
    stand(books, group, 'confirmed', { at, by: tools.user, why: several.reason ?? null });
  });
}

/** Says no to proposals. Throws `conflict` for one that is none. */
export function declineGroups(tools: BankTools, several: Several): MatchGroup[] {
  return decide(tools, several, 'decline', (books, group, at) => {
    if (!isProposal(group)) {
      throw contractError(
        conflict(
          `Match ${group.id} is ${group.status}.`,
          'Only a proposal can be declined; undo it instead.',
        ),
      );
    }
    stand(books, group, 'declined', { at, by: tools.user, why: several.reason ?? null });
  });
}

/** Takes back what was confirmed or declined. Throws `conflict` for another, `period_locked` for what is signed. */
export function undoGroups(tools: BankTools, several: Several & { reason: string }): MatchGroup[] {
  return decide(tools, several, 'undo', (books, group, at) => {
    if (group.status !== 'confirmed' && group.status !== 'declined') {
      const hint = isProposal(group) ? 'Decline it, if it is wrong.' : 'Nothing needs to be done.';
      throw contractError(conflict(`Match ${group.id} is ${group.status}.`, hint));
    }
    refuseLockedGroups(books, [group.id]);
    stand(books, group, 'undone', { at, by: tools.user, why: several.reason });
  });
}

/** Puts a group where a person said, with its history. What was confirmed and is undone is refused from then on. */
export function stand(
  books: WritableDb,
  group: StoredGroup,
  status: 'confirmed' | 'declined' | 'undone',
  change: { at: number; by: string; why: string | null },
): void {
  setGroupStatus(books, group.id, status, change, status === 'undone' && group.status === 'confirmed');
  addEntry(books, group.id, { at: change.at, who: change.by, what: status, text: change.why });
}

const isProposal = ({ status }: StoredGroup): boolean => status === 'suggested' || status === 'ambiguous';

/** Does the same to several groups, all or none, each with its entry in the audit log. */
function decide(
  tools: BankTools,
  { site, ids, reason }: Several,
  verb: 'confirm' | 'decline' | 'undo',
  apply: (books: WritableDb, group: StoredGroup, at: number) => void,
): MatchGroup[] {
  const { books } = tools.stores.open(site);
  const at = tools.now();
  const distinct = [...new Set(ids)];
  alone(tools, site, 'a decision about matches', () =>
    commit(books, () => {
      for (const id of distinct) {
        const group = wantedGroup(books, id);
        apply(books, group, at);
        addAudit(books, {
          at,
          who: tools.user,
          action: `match.${verb}`,
          subject: String(id),
          why: reason ?? null,
          detail: contentOf(books, group),
        });
      }
    }),
  );
  tools.changes.tell(site, 'match', 'bank', 'audit');
  return matchGroups(books, distinct, SHOWN);
}

export function wantedGroup(books: WritableDb, id: number): StoredGroup {
  const group = groupById(books, id);
  if (group !== null) return group;
  throw contractError({
    code: 'not_found',
    message: `There is no match ${id}.`,
    hint: 'A run may have made the proposals anew: see the list of matches.',
    retryable: false,
  });
}

/** What the audit log says of a group. */
export function contentOf(books: WritableDb, group: StoredGroup): Record<string, unknown> {
  const items = itemsOf(books, group.id);
  return {
    rule: group.rule,
    status: group.status,
    currency: group.currency,
    lines: ranges(items.flatMap(({ line_id }) => line_id ?? [])),
    transactions: ranges(items.flatMap(({ transaction_id }) => transaction_id ?? [])),
    lines_in_cents: group.lines_in_cents,
    transactions_in_cents: group.transactions_in_cents,
    adjustments: items.flatMap(({ category, allocated_in_cents }) =>
      category === null ? [] : [{ category, amount_in_cents: allocated_in_cents }],
    ),
  };
}

/** Why a group cannot be confirmed; null where it can. */
function hindranceOf(books: WritableDb, group: StoredGroup): { message: string; hint: string } | null {
  if (!isProposal(group)) {
    return { message: `Match ${group.id} is ${group.status}.`, hint: 'Only a proposal can be confirmed.' };
  }
  const items = itemsOf(books, group.id);
  const difference = group.lines_in_cents - group.transactions_in_cents - group.adjustments_in_cents;
  if (items.length < 2 || difference !== 0) {
    const left = `${money(difference)} ${group.currency}`;
    return {
      message:
        items.length < 2
          ? `Match ${group.id} names no payment: several fit alike.`
          : `Match ${group.id} leaves ${left} unexplained.`,
      hint: 'Put the lines and payments together by hand, and the difference down to a category.',
    };
  }
  for (const { line_id, transaction_id, allocated_in_cents } of items) {
    if (line_id === null && transaction_id === null) continue;
    const what = line_id === null ? `Payment ${transaction_id}` : `Line ${line_id}`;
    const standing =
      line_id === null ? paymentStanding(books, transaction_id!) : lineStanding(books, line_id);
    if (standing !== null && leaves(standing, allocated_in_cents)) continue;
    return {
      message:
        standing === null ? `${what} is not there any more.` : `${what} is explained by another match.`,
      hint: 'Undo that one first, or decline this one.',
    };
  }
  return null;
}

/** Whether so much of it is open. */
export function leaves({ amount_in_cents, claimed_in_cents }: Standing, wanted: number): boolean {
  const open = amount_in_cents - claimed_in_cents;
  return wanted !== 0 && Math.sign(wanted) === Math.sign(open) && Math.abs(wanted) <= Math.abs(open);
}

export function conflict(message: string, hint: string) {
  return { code: 'conflict' as const, message, hint, retryable: false };
}

/** Groups confirmed together. */
const BATCH = 500;

/** Confirms every suggested group of a rule that can be; gives how many were, and how many could not. */
export async function acceptRule(
  tools: BankTools,
  input: Inputs['match']['acceptRule'] & { filter: Parameters<typeof groupReading>[1]['filter'] },
): Promise<{ confirmed: number; left: number }> {
  const { site, rule, filter } = input;
  const { books } = tools.stores.open(site);
  const query = {
    filter: { ...filter, status: ['suggested' as const], rule: [rule] },
    sort: { by: 'dated_on' as const, direction: 'asc' as const },
  };
  const ids: number[] = [];
  for (let after: string | undefined; ; ) {
    const page = readPage(books, groupReading(books, query), { after, limit: 1000 });
    ids.push(...idsOf(page.keys));
    if (page.next === null) break;
    after = page.next;
  }
  const confirmed: number[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    await breathe();
    alone(tools, site, 'a decision about matches', () =>
      commit(books, () => {
        const at = tools.now();
        const why = `Every suggestion of ${rule} was accepted.`;
        const accepted: number[] = [];
        for (const id of ids.slice(from, from + BATCH)) {
          const group = groupById(books, id);
          if (group === null || hindranceOf(books, group) !== null) continue;
          stand(books, group, 'confirmed', { at, by: tools.user, why });
          accepted.push(id);
        }
        if (accepted.length === 0) return;
        const detail = { groups: ranges(accepted), count: accepted.length };
        addAudit(books, { at, who: tools.user, action: 'match.accept-rule', subject: rule, detail });
        confirmed.push(...accepted);
      }),
    );
    tools.changes.tell(site, 'match', 'bank', 'audit');
  }
  return { confirmed: confirmed.length, left: ids.length - confirmed.length };
}

/** Writes a note. Throws `not_found` for what is not there. */
export function writeNote(tools: BankTools, { site, on, text }: Inputs['match']['note']): MatchNote {
  const { books } = tools.stores.open(site);
  const { user: who } = tools;
  const at = tools.now();
  const [kind, id] = Object.entries(on)[0] as [string, number];
  const isThere =
    'group' in on
      ? groupById(books, on.group) !== null
      : 'line' in on
        ? lineStanding(books, on.line) !== null
        : paymentStanding(books, on.transaction) !== null;
  if (!isThere) {
    throw contractError({
      code: 'not_found',
      message: `There is no ${kind} ${id} to write about.`,
      hint: 'See the lists for those there are.',
      retryable: false,
    });
  }
  commit(books, () => {
    addNote(books, on, { at, who, text });
    addAudit(books, { at, who, action: 'match.note', subject: `${kind} ${id}`, detail: { text } });
  });
  tools.changes.tell(site, 'match', 'bank', 'audit');
  return { at: isoMoment(at), who, text };
}
