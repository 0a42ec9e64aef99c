import type { Workpaper } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { periodEntries, periodNamed } from '../store/periods/period.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

type Standing = Pick<Workpaper['head'], 'state' | 'signatures'>;

const roles: Readonly<Partial<Record<string, Standing['signatures'][number]['role']>>> = {
  submitted: 'prepared',
  approved: 'reviewed',
  rejected: 'rejected',
  closed: 'closed',
  reopened: 'reopened',
};

/** Returns the state of the period and its signatures, oldest first. */
export function standingOf(books: ReadableDb, name: string): Standing {
  const period = periodNamed(books, name);
  if (period === null) return { state: 'none', signatures: [] };
  const signatures = periodEntries(books, period.id).flatMap(
    ({ action, name: user, at, text, is_self_review }) => {
      const role = roles[action];
      return role === undefined
        ? []
        : [{ role, user, at: formatTimestamp(at), text, self_review: is_self_review === 1 }];
    },
  );
  return { state: period.state, signatures };
}
