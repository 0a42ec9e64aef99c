import type { ExceptionEvidence } from '../../contract/index.ts';
import { type Place, placeOf } from '../view/place.ts';

/** Where a row behind an exception is at home. */
export function homeOf(evidence: ExceptionEvidence): Place {
  switch (evidence.kind) {
    case 'statement':
      return placeOf.statement(evidence.id);
    case 'transaction':
      return placeOf.statement(evidence.statement_id, 'transactions');
    case 'event':
      return placeOf.statement(evidence.statement_id, 'events');
    case 'webhook':
      return placeOf.webhook(evidence.id);
    case 'allocation':
      return placeOf.pair(evidence.subscription_id, evidence.component_id);
  }
}

/** Names a row, for lists. */
export function evidenceKey(evidence: ExceptionEvidence): string {
  return evidence.kind === 'allocation'
    ? `allocation ${evidence.component_id} ${evidence.text}`
    : `${evidence.kind} ${evidence.id}`;
}
