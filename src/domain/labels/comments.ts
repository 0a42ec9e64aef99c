import type { CommentSubjectKind } from '../../contract/index.ts';

/** Labels of the records that people comment on, shared by the window and the command line. */
export const commentSubjectLabels: Readonly<Record<CommentSubjectKind, string>> = {
  period: 'Period',
  exception: 'Exception',
  match: 'Match',
  line: 'Bank line',
  payment: 'Payment',
  payout: 'Payout',
  statement: 'Statement',
};
