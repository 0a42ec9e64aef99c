import type { AuditEntry, CommentSubjectKind } from '../../contract/index.ts';
import { capitalize } from '../text/capitalize.ts';
import { getAuditSubjectLabel } from './audit.ts';
import { commentSubjectLabels } from './comments.ts';

/** Labels of the areas of the audit log. An area is the first part of an action, for example `match`. */
const auditAreaLabels: ReadonlyMap<string, string> = new Map([
  ['allocations', 'Quantity changes'],
  ['archive', 'Archive'],
  ['audit', 'Audit log'],
  ['backups', 'Backups'],
  ['bank', 'Bank'],
  ['check', 'Checks'],
  ['comments', 'Comments'],
  ['exceptions', 'Exceptions'],
  ['incidents', 'Incidents'],
  ['journal', 'Journal entries'],
  ['ledger', 'General ledger'],
  ['match', 'Matching'],
  ['pack', 'Evidence packs'],
  ['packs', 'Restored packs'],
  ['people', 'People'],
  ['periods', 'Periods'],
  ['replay', 'Replays'],
  ['report', 'Reports'],
  ['sites', 'Site'],
  ['workpaper', 'Workpaper'],
]);

/** Returns the label of an area of the audit log, for example `Matching`. An unknown area is its own label. */
export const getAuditAreaLabel = (area: string): string => auditAreaLabels.get(area) ?? capitalize(area);

type Described = Pick<AuditEntry, 'action' | 'subject' | 'detail'>;

/** Name that an entry's details give its subject, for example the title of a rule or the name of a file. */
function findName({ title, name, label, file, description, account }: AuditEntry['detail']): string | null {
  const found = [title, name, label, file, description, account].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return found === undefined ? null : String(found);
}

/** Areas whose details name a person or a message, not the subject. */
const UNNAMED_AREAS: ReadonlySet<string> = new Set(['exceptions', 'journal', 'people', 'periods', 'sites']);

/** Returns a noun phrase for the record that an audit log entry is about, for example `Match rule 2: Rent`. */
export function describeAuditSubject({ action, subject, detail }: Described): string {
  const label = getAuditSubjectLabel(action, subject);
  const name = UNNAMED_AREAS.has(action.split('.')[0] ?? '') ? null : findName(detail);
  return name === null || name === subject ? label : `${label}: ${name}`;
}

/** Returns the record that an entry is about, or null if people cannot open the record. */
export function findAuditRecord({
  action,
  subject,
}: Described): { kind: CommentSubjectKind; id: string } | null {
  const [word = '', id] = subject.split(':');
  const kind = (Object.keys(commentSubjectLabels) as CommentSubjectKind[]).find((each) => each === word);
  if (kind !== undefined && id !== undefined) return { kind, id };
  if (/^\d{4}-\d\d$/.test(subject)) return { kind: 'period', id: subject };
  switch (getAuditSubjectLabel(action, subject)) {
    case `Exception ${subject}`:
      return { kind: 'exception', id: subject };
    case `Match ${subject}`:
      return { kind: 'match', id: subject };
    default:
      return null;
  }
}

/** Details that matter to programs only: digests, signatures and copies of other details. */
const TECHNICAL =
  /(^|_)(sha256|digest|hash|checksum|key|signature|evidence|fingerprint|log|figures)$|^closedFigures$/;

/** Returns an entry's details as labels with values, without technical ones. Amounts are in units with two decimals. */
export function listAuditDetails(detail: AuditEntry['detail']): (readonly [label: string, value: string])[] {
  return Object.entries(detail)
    .filter(([name, value]) => !TECHNICAL.test(name) && value !== null && value !== '')
    .map(([name, value]) => [toLabel(name), formatValue(name, value)] as const)
    .filter(([, value]) => value !== '');
}

const toLabel = (name: string): string => capitalize(name.replace(/_in_cents$/, '').replaceAll(/[_-]/g, ' '));

function formatValue(name: string, value: unknown): string {
  if (typeof value === 'number' && name.endsWith('_in_cents')) return (value / 100).toFixed(2);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((each) => formatValue(name, each)).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .filter(([key, each]) => !TECHNICAL.test(key) && each !== null && each !== '')
      .map(([key, each]) => `${toLabel(key).toLowerCase()} ${formatValue(key, each)}`)
      .join(', ');
  return String(value);
}
