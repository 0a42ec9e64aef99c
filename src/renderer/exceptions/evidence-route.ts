import type { ExceptionEvidence } from '../../contract/index.ts';
import { type RecordLocation, recordLocations } from '../navigation/record-location.ts';

/** Returns the location in the window of a record that supports an exception. */
export function evidenceRoute(evidence: ExceptionEvidence): RecordLocation {
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
export function evidenceKey(evidence: ExceptionEvidence): string {
  return evidence.kind === 'allocation'
    ? `allocation ${evidence.component_id} ${evidence.text}`
    : `${evidence.kind} ${evidence.id}`;
}
