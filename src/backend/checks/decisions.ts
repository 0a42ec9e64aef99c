import { contractError, type ExceptionEntry, type ExceptionRow } from '../../contract/index.ts';
import type { Changes } from '../jobs/changes.ts';
import { refuseLockedException } from '../periods/locked.ts';
import type { OpenSite, Stores } from '../sites/stores.ts';
import { addAudit } from '../store/books/audit.ts';
import { addEntry, type HeldException, heldById, setAssigned, setStatus } from '../store/checks/exception.ts';
import { exceptionRows } from '../store/checks/exception-list.ts';
import { commit } from '../store/database.ts';

export interface DecisionTools {
  stores: Stores;
  changes: Changes;
  user: string;
  now: () => number;
}

interface Several {
  site: string;
  ids: readonly number[];
}

/** Says whose exceptions are to clear; null: nobody’s. */
export function assignExceptions(
  tools: DecisionTools,
  { assigned, ...several }: Several & { assigned: string | null },
): ExceptionRow[] {
  const text = assigned === null ? 'Assigned to nobody.' : `Assigned to ${assigned}.`;
  return decideOn(
    tools,
    several,
    { what: 'assigned', text, why: null, detail: { assigned } },
    ({ books }, held) => {
      setAssigned(books, held.id, assigned);
    },
  );
}

/** Adds a comment to each; their state stays. */
export function commentExceptions(
  tools: DecisionTools,
  { text, ...several }: Several & { text: string },
): ExceptionRow[] {
  return decideOn(tools, several, { what: 'commented', text, why: null, detail: { text } }, () => undefined);
}

/** Lets open exceptions stand as long as what they rest on stays as it is. Throws `conflict` for one that is not open,
 * `period_locked` for one that is signed. */
export function acceptExceptions(
  tools: DecisionTools,
  { reason, ...several }: Several & { reason: string },
): ExceptionRow[] {
  return decideOn(
    tools,
    several,
    { what: 'accepted', text: reason, why: reason, detail: {} },
    ({ books }, held, at) => {
      if (held.status !== 'open') {
        const hint =
          held.status === 'closed'
            ? 'It was mended; there is nothing to accept.'
            : 'Reopen it first to accept it for another reason.';
        throw contractError({
          code: 'conflict',
          message: `Exception ${held.id} is ${held.status}.`,
          hint,
          retryable: false,
        });
      }
      refuseLockedException(books, held.id);
      setStatus(books, held, 'accepted', held.evidence, at);
    },
  );
}

/** Takes acceptances back. Throws `conflict` for one that is not accepted, `period_locked` for one that is signed. */
export function reopenExceptions(
  tools: DecisionTools,
  { reason, ...several }: Several & { reason: string },
): ExceptionRow[] {
  return decideOn(
    tools,
    several,
    { what: 'reopened', text: reason, why: reason, detail: {} },
    ({ books }, held, at) => {
      if (held.status !== 'accepted') {
        const hint =
          held.status === 'closed'
            ? 'It comes back by itself when it is found again.'
            : 'It waits to be decided about.';
        throw contractError({
          code: 'conflict',
          message: `Exception ${held.id} is ${held.status}.`,
          hint,
          retryable: false,
        });
      }
      refuseLockedException(books, held.id);
      setStatus(books, held, 'open', null, at);
    },
  );
}

interface Decision {
  what: Extract<ExceptionEntry['what'], 'assigned' | 'commented' | 'accepted' | 'reopened'>;
  /** For the history of the exception. */
  text: string;
  /** For the audit log. */
  why: string | null;
  detail: Record<string, unknown>;
}

const verbs: Record<Decision['what'], string> = {
  assigned: 'assign',
  commented: 'comment',
  accepted: 'accept',
  reopened: 'reopen',
};

/** Does the same to several exceptions, all or none, each with its history and its entry in the audit log. */
function decideOn(
  { stores, changes, user, now }: DecisionTools,
  { site, ids }: Several,
  { what, text, why, detail }: Decision,
  apply: (open: OpenSite, held: HeldException, at: number) => void,
): ExceptionRow[] {
  const open = stores.open(site);
  const at = now();
  const distinct = [...new Set(ids)];
  commit(open.books, () => {
    for (const id of distinct) {
      const held = heldById(open.books, id);
      if (held === null) throw contractError(noSuchException(id));
      apply(open, held, at);
      addEntry(open.books, id, { at, who: user, what, text, job: null });
      const said = { key: held.key, message: held.message, evidence: held.evidence, ...detail };
      const action = `exceptions.${verbs[what]}`;
      addAudit(open.books, { at, who: user, action, subject: String(id), why, detail: said });
    }
  });
  changes.tell(site, 'exceptions', 'audit');
  return exceptionRows(open.cache, open.books, distinct);
}

function noSuchException(id: number) {
  return {
    code: 'not_found' as const,
    message: `There is no exception ${id}.`,
    hint: 'See the list of exceptions for those there are.',
    retryable: false,
  };
}
