import { checklistStateLabels } from '../../domain/labels/periods.ts';
import { formatCount, formatCountWithNoun } from './numbers.ts';

/** Texts of the month-end checklist and of the progress of the last months. */
export const checklistTexts = {
  title: 'Month-end checklist',
  lead: (done: number, total: number) =>
    `${formatCount(done)} of ${formatCountWithNoun(total, 'step')} are done.`,
  states: checklistStateLabels,
  columns: { step: 'Step', state: 'Status', owner: 'Owner', due: 'Due', actions: 'Actions' },
  overdue: 'Overdue',
  closed: 'The period is closed or being closed, including its checklist.',
  add: 'Add step',
  edit: 'Edit',
  markDone: 'Mark as done',
  markNotDone: 'Mark as not done',
  addTitle: 'Add a step to the checklist',
  editTitle: 'Edit step',
  name: 'Step',
  ownerHint: 'Person responsible for the step',
  dueHint: 'If empty, a number of working days after the month’s end',
  untitled: 'Enter the step first.',
  nothing: 'Nothing has been changed.',
  save: 'Save',
  remove: 'Remove step',
  added: 'Step added.',
  saved: 'Step saved.',
  removed: 'Step removed.',
};
