import { ArrowLeftRight, ChevronRight, FileText, Layers, type LucideIcon, Webhook, Zap } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { ExceptionDetail, ExceptionEvidence } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { KeyCaps } from '../controls/key-caps.tsx';
import { Panel } from '../controls/panel.tsx';
import { openRecordLocation, type RecordLocation, recordLocations } from '../navigation/record-location.ts';
import { StatementStatus } from '../statements/statement-status.tsx';
import { texts } from '../texts/texts.ts';
import { DeliveryStatus } from '../webhooks/delivery-status.tsx';

const text = texts.exceptions;
const INITIAL_ROWS = 12;

const icons: Record<ExceptionEvidence['kind'], LucideIcon> = {
  statement: FileText,
  transaction: ArrowLeftRight,
  event: Zap,
  webhook: Webhook,
  allocation: Layers,
};

/** Lists the supporting records of an exception. The digit keys 1 to 9 open the first nine records. */
export function EvidencePanel({ exception }: { readonly exception: ExceptionDetail }) {
  const [all, setAll] = useState(false);
  const { rows } = exception;
  const shown = all ? rows : rows.slice(0, INITIAL_ROWS);
  if (rows.length === 0) return null;
  return (
    <Panel title={text.evidence}>
      <ul className="evidence">
        {shown.map((row, index) => (
          <li key={getEvidenceKey(row)}>
            <EvidenceRow evidence={row} number={index + 1} />
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <Button kind="quiet" size="small" onPress={() => setAll(true)}>
          {text.moreRows(rows.length - shown.length)}
        </Button>
      )}
    </Panel>
  );
}

function EvidenceRow(props: { readonly evidence: ExceptionEvidence; readonly number: number }) {
  const { evidence, number } = props;
  const Icon = icons[evidence.kind];
  return (
    <AriaButton className="evidence-row" onPress={() => openRecordLocation(getEvidenceRoute(evidence))}>
      <Icon size={15} aria-hidden="true" />
      <span className="evidence-text">{evidence.text}</span>
      <CurrentState evidence={evidence} />
      {number <= 9 && <KeyCaps keys={String(number)} />}
      <ChevronRight size={14} aria-hidden="true" />
    </AriaButton>
  );
}

/** Shows the current state of a supporting record. */
function CurrentState({ evidence }: { readonly evidence: ExceptionEvidence }) {
  if (evidence.row === null) return <span className="fineprint">{text.recordMissing}</span>;
  switch (evidence.kind) {
    case 'statement':
      return <StatementStatus status={evidence.row.state} />;
    case 'webhook':
      return <DeliveryStatus status={evidence.row.delivery} />;
    default:
      return null;
  }
}

/** Returns the location in the window of a record that supports an exception. */
export function getEvidenceRoute(evidence: ExceptionEvidence): RecordLocation {
  switch (evidence.kind) {
    case 'statement':
      return recordLocations.statement(evidence.id);
    case 'transaction':
      return recordLocations.statement(evidence.statement_id, 'transactions');
    case 'event':
      return recordLocations.statement(evidence.statement_id, 'events');
    case 'webhook':
      return recordLocations.webhook(evidence.id);
    case 'allocation':
      return recordLocations.subscriptionComponent(evidence.subscription_id, evidence.component_id);
  }
}

/** Returns a React key for a record that supports an exception. */
export function getEvidenceKey(evidence: ExceptionEvidence): string {
  return evidence.kind === 'allocation'
    ? `allocation ${evidence.component_id} ${evidence.text}`
    : `${evidence.kind} ${evidence.id}`;
}
