import { brokenBalanceCause, brokenPeriodCause } from './broken-chain.ts';
import type { CauseDefinition } from './correction.ts';
import {
  duplicateAllocationCause,
  duplicateStatementCause,
  duplicateTransactionCause,
} from './duplicate-records.ts';
import { misplacedStatementCause } from './misplaced-statement.ts';
import { missingTransactionCause } from './missing-transaction.ts';
import { misplacedTransactionCause, wrongEventCause, wrongTransactionCause } from './wrong-transaction.ts';

/** Every cause. Of several causes that explain equally many findings, the first one is chosen. */
export const findingCauses: readonly CauseDefinition[] = [
  duplicateStatementCause,
  misplacedStatementCause,
  duplicateTransactionCause,
  misplacedTransactionCause,
  wrongTransactionCause,
  missingTransactionCause,
  brokenBalanceCause,
  brokenPeriodCause,
  wrongEventCause,
  duplicateAllocationCause,
];
