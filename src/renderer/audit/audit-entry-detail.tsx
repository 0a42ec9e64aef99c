import type { AuditEntry, CommentSubject, Site } from '../../contract/index.ts';
import { findAuditRecord, listAuditDetails } from '../../domain/labels/audit-entries.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { DateTime, LabeledValueList } from '../controls/formatted-values.tsx';
import { JsonView } from '../controls/json-view.tsx';
import { Panel } from '../controls/panel.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { RecordPane } from '../list-screen/record-pane.tsx';
import { type RecordLocation, recordLocations } from '../navigation/record-location.ts';
import { texts } from '../texts/texts.ts';

const text = texts.audit;
const titles = text.columns;

/** Shows one entry of the audit log in plain language, with a link to its record. */
export function AuditEntryDetail({ site, seq }: { readonly site: Site; readonly seq: number }) {
  const { data, ...state } = useQuery('audit.get', { site: site.site, seq });
  return (
    <RecordPane
      title={text.detail(seq)}
      labelOf={(entry) => text.detail(entry.seq)}
      query={{ ...state, data }}
      notFoundText={text.notFound}
      head={({ action, at, user }) => (
        <>
          <h2>{text.action(action)}</h2>
          <p>
            <span>{user}</span>
            <DateTime at={at} precision="second" />
          </p>
        </>
      )}
    >
      {(entry) => <AuditEntryFacts key={entry.seq} entry={entry} />}
    </RecordPane>
  );
}

function AuditEntryFacts({ entry }: { readonly entry: AuditEntry }) {
  const record = findAuditRecord(entry);
  const details = listAuditDetails(entry.detail);
  return (
    <div className="detail-body">
      {entry.reason !== null && <p className="finding">{entry.reason}</p>}
      <LabeledValueList rows={[[titles.subject, text.subject(entry)]]} />
      {record !== null && (
        <p>
          <RecordLink to={toLocation(record)}>{text.openRecord}</RecordLink>
        </p>
      )}
      {details.length > 0 && (
        <Panel title={titles.detail}>
          <LabeledValueList rows={details} />
        </Panel>
      )}
      <Panel title={text.technical}>
        <LabeledValueList
          rows={[
            [titles.action, entry.action],
            [titles.subjectId, entry.subject],
            [titles.hash, <code key="hash">{entry.hash}</code>],
          ]}
        />
        <JsonView value={entry.detail} />
      </Panel>
    </div>
  );
}

function toLocation({ kind, id }: CommentSubject): RecordLocation {
  switch (kind) {
    case 'period':
      return { screen: 'periods', item: id };
    case 'payment':
      return { screen: 'matching', item: `payments-${id}` };
    case 'payout':
      return { screen: 'matching', item: `payouts-${id}` };
    case 'line':
      return recordLocations.bankLine(Number(id));
    default:
      return recordLocations[kind](Number(id));
  }
}
