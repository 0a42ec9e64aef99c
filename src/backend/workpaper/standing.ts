import type { Workpaper } from '../../contract/index.ts';
import type { ReadableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { periodEntries, periodNamed } from '../store/periods/period.ts';

type Standing = Pick<Workpaper['head'], 'state' | 'signatures'>;

const roles: Readonly<Partial<Record<string, Standing['signatures'][number]['role']>>> = {
  submitted: 'prepared',
  approved: 'reviewed',
  rejected: 'rejected',
  closed: 'closed',
  reopened: 'reopened',
};

/** How the period stands, and who put his name to it, the oldest first. */
export function standingOf(books: ReadableDb, name: string): Standing {
  const period = periodNamed(books, name);
  if (period === null) return { state: 'none', signatures: [] };
  const signatures = periodEntries(books, period.id).flatMap(
    ({ what, name: who, at, text, is_self_review }) => {
      const role = roles[what];
      return role === undefined
        ? []
        : [{ role, who, at: isoMoment(at), text, self_review: is_self_review === 1 }];
    },
  );
  return { state: period.state, signatures };
}
