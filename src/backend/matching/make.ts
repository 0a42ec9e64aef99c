import { contractError, type Inputs, type MatchGroup } from '../../contract/index.ts';
import { money } from '../../domain/ledger/index.ts';
import { alone, type BankTools } from '../bank/tools.ts';
import { refuseLockedGroups } from '../periods/locked.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit, type WritableDb } from '../store/database.ts';
import {
  addEntry,
  addGroup,
  groupById,
  itemsOf,
  lineStanding,
  type NewAdjustment,
  paymentStanding,
  type Share,
  type Standing,
} from '../store/matching/match-group.ts';
import { matchGroups } from '../store/matching/match-group-list.ts';
import { conflict, contentOf, leaves, stand, wantedGroup } from './decisions.ts';

const SHOWN = 20;

/** What a person puts together. */
export interface Put {
  lines: readonly { id: number; allocated_in_cents?: number | undefined }[];
  transactions: readonly { id: number; allocated_in_cents?: number | undefined }[];
  adjustments: readonly NewAdjustment[];
}

/** Puts lines and payments together, confirmed. Throws `not_found`, and `conflict` where they do not come to 0 or are not open. */
export function makeGroup(
  tools: BankTools,
  { site, reason, ...put }: Put & { site: string; reason?: string | undefined },
): MatchGroup {
  const { books } = tools.stores.open(site);
  const id = alone(tools, site, 'a match by hand', () =>
    commit(books, () => add(tools, books, put, 'manual', reason ?? null)),
  );
  return shown(tools, site, [id])[0]!;
}

/**
 * Takes a group apart: it is undone, and the parts are made. Throws `conflict` for one that is not confirmed, or a part that cannot be,
 * `period_locked` for one that is signed.
 */
export function splitGroup(
  tools: BankTools,
  { site, id, parts, reason }: { site: string; id: number; parts: readonly Put[]; reason: string },
): MatchGroup[] {
  const { books } = tools.stores.open(site);
  const made = alone(tools, site, 'a match by hand', () =>
    commit(books, () => {
      const group = wantedGroup(books, id);
      if (group.status !== 'confirmed') {
        throw contractError(
          conflict(`Match ${id} is ${group.status}.`, 'Only a confirmed one can be split.'),
        );
      }
      refuseLockedGroups(books, [id]);
      const members = itemsOf(books, id);
      const lines = new Set(members.flatMap(({ line_id }) => line_id ?? []));
      const payments = new Set(members.flatMap(({ transaction_id }) => transaction_id ?? []));
      const stranger =
        parts.flatMap((part) => part.lines).find((line) => !lines.has(line.id)) ??
        parts.flatMap((part) => part.transactions).find((payment) => !payments.has(payment.id));
      if (stranger !== undefined) {
        throw contractError(
          conflict(
            `${stranger.id} is not in match ${id}.`,
            'Split what it holds, and match the rest by hand.',
          ),
        );
      }
      const at = tools.now();
      stand(books, group, 'undone', { at, by: tools.user, why: reason });
      const detail = contentOf(books, group);
      addAudit(books, {
        at,
        who: tools.user,
        action: 'match.split',
        subject: String(id),
        why: reason,
        detail,
      });
      return parts.map((part) => add(tools, books, part, 'manual', reason));
    }),
  );
  return shown(tools, site, made);
}

/** Puts what is open of each down to a category. Throws `conflict` where nothing is. */
export function writeOff(
  tools: BankTools,
  { site, lines = [], transactions = [], category, reason }: Inputs['match']['writeOff'],
): MatchGroup[] {
  if (lines.length + transactions.length === 0) {
    throw contractError({
      code: 'validation',
      message: 'Nothing was named to write off.',
      hint: 'Choose lines or payments.',
      retryable: false,
    });
  }
  const { books } = tools.stores.open(site);
  const made = alone(tools, site, 'a write-off', () =>
    commit(books, () => {
      const one = (put: Pick<Put, 'lines' | 'transactions'>, open: number) =>
        add(
          tools,
          books,
          { ...put, adjustments: [{ category, amount_in_cents: open, reason }] },
          'write-off',
          reason,
        );
      return [
        ...[...new Set(lines)].map((id) =>
          one({ lines: [{ id }], transactions: [] }, openOf(line(books, id))),
        ),
        ...[...new Set(transactions)].map((id) =>
          one({ lines: [], transactions: [{ id }] }, 0 - openOf(payment(books, id))),
        ),
      ];
    }),
  );
  return shown(tools, site, made);
}

function shown(tools: BankTools, site: string, ids: readonly number[]): MatchGroup[] {
  tools.changes.tell(site, 'match', 'bank', 'audit');
  return matchGroups(tools.stores.open(site).books, ids, SHOWN);
}

const openOf = ({ amount_in_cents, claimed_in_cents }: Standing) => amount_in_cents - claimed_in_cents;

/** Adds a confirmed group after a look at its law; the tables hold it too. */
function add(
  { user, now }: BankTools,
  books: WritableDb,
  put: Put,
  rule: 'manual' | 'write-off',
  reason: string | null,
): number {
  const lines = put.lines.map((each) => share('Line', each, line(books, each.id)));
  const payments = put.transactions.map((each) => share('Payment', each, payment(books, each.id)));
  const all = [...lines, ...payments];
  const [first] = all;
  if (
    first === undefined ||
    new Set(put.lines.map(({ id }) => id)).size < lines.length ||
    new Set(put.transactions.map(({ id }) => id)).size < payments.length
  ) {
    throw contractError({
      code: 'validation',
      message: first === undefined ? 'Nothing was chosen.' : 'A line or payment was named twice.',
      hint: 'Choose lines and payments, each once.',
      retryable: false,
    });
  }
  const other = all.find(({ currency }) => currency !== first.currency);
  if (other !== undefined) {
    throw contractError(
      conflict(
        `${first.what} is in ${first.currency}, ${other.what.toLowerCase()} in ${other.currency}.`,
        'A match has one currency: put each down to a category, with the rate in the reason.',
      ),
    );
  }
  const sum = (shares: readonly Share[]) =>
    shares.reduce((total, each) => total + each.allocated_in_cents, 0);
  const adjusted = put.adjustments.reduce((total, each) => total + each.amount_in_cents, 0);
  const difference = sum(lines) - sum(payments) - adjusted;
  if (difference !== 0) {
    throw contractError(
      conflict(
        `The lines come to ${money(sum(lines))} ${first.currency}, the payments to ${money(sum(payments))}: ${money(difference)} is left.`,
        'Choose others, allocate less, or put the difference down to a category.',
      ),
    );
  }
  const at = now();
  const days = (lines.length > 0 ? lines : payments).map(({ dated_on }) => dated_on).toSorted();
  const id = addGroup(books, {
    status: 'confirmed',
    rule,
    rule_version: 1,
    score: 100,
    currency: first.currency,
    dated_on: days[0]!,
    lines,
    payments,
    adjustments: put.adjustments,
    rivals: 0,
    reasons: [],
    key: null,
    user_rule: null,
    payout_id: null,
    reverses: null,
    run_id: null,
    at,
    by: user,
    why: reason,
  });
  addEntry(books, id, { at, who: user, what: 'made', text: reason });
  const detail = contentOf(books, groupById(books, id)!);
  const action = rule === 'manual' ? 'match.make' : 'match.write-off';
  addAudit(books, { at, who: user, action, subject: String(id), why: reason, detail });
  return id;
}

interface Part extends Share {
  what: string;
  currency: string;
  dated_on: string;
}

/** What of a line or payment is taken: so much as was said, else what is open of it. */
function share(
  what: string,
  { id, allocated_in_cents }: { id: number; allocated_in_cents?: number | undefined },
  standing: Standing,
): Part {
  const { currency, dated_on } = standing;
  const wanted = allocated_in_cents ?? openOf(standing);
  if (!leaves(standing, wanted)) {
    const open = `${money(openOf(standing))} ${currency}`;
    throw contractError(
      conflict(
        `${what} ${id} has ${open} open; ${money(wanted)} cannot be taken of it.`,
        'Undo the match that has the rest, or take less.',
      ),
    );
  }
  return { id, allocated_in_cents: wanted, what: `${what} ${id}`, currency, dated_on };
}

function line(books: WritableDb, id: number): Standing {
  return there(lineStanding(books, id), `line ${id}`);
}

function payment(books: WritableDb, id: number): Standing {
  return there(paymentStanding(books, id), `payment ${id}`);
}

function there(standing: Standing | null, what: string): Standing {
  if (standing !== null) return standing;
  throw contractError({
    code: 'not_found',
    message: `There is no ${what}.`,
    hint: 'See the list for those there are.',
    retryable: false,
  });
}
