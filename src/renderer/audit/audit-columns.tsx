import type { AuditEntry } from '../../contract/index.ts';
import { listAuditDetails } from '../../domain/labels/audit-entries.ts';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.audit;
const column = createColumnFactories(text.columns);

/** Formats the details of an audit log entry on one line. */
const formatDetails = ({ detail }: AuditEntry): string =>
  listAuditDetails(detail)
    .map(([label, value]) => `${label}: ${value}`)
    .join(' · ');

/** Columns of the audit log. The technical subject and the hash are hidden at first. */
export const auditColumns: readonly GridColumn<AuditEntry>[] = [
  column.id('seq', 64, 'seq', { alignEnd: true }),
  column.dateTime('at', 158, 'at'),
  column.text('user', 100, 'user'),
  {
    ...column.head('action', 184),
    cell: ({ action }) => (
      <span className="grid-strong" title={action}>
        {text.action(action)}
      </span>
    ),
    copy: ({ action }) => ({ text: text.action(action) }),
  },
  {
    ...column.head('subject', 200),
    cell: (entry) => <span title={entry.subject}>{text.subject(entry)}</span>,
    copy: (entry) => ({ text: text.subject(entry) }),
  },
  column.text('reason', 180, 'reason', { fillsSpace: true }),
  {
    ...column.head('detail', 260),
    cell: (entry) => (
      <span className="grid-quiet" title={formatDetails(entry)}>
        {formatDetails(entry)}
      </span>
    ),
    copy: (entry) => ({ text: formatDetails(entry) }),
  },
  column.text('subjectId', 150, 'subject', { startsHidden: true }),
  {
    ...column.head('hash', 200, { startsHidden: true }),
    cell: ({ hash }) => <code className="grid-quiet">{hash}</code>,
    copy: ({ hash }) => ({ text: hash }),
  },
];
