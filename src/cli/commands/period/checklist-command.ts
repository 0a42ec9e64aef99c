import type { Checklist, ChecklistStep } from '../../../contract/periods/checklist.ts';
import { checklistStateLabels } from '../../../domain/labels/periods.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { omitUndefined, parseDate, parseMonth } from '../../input/options.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';

interface ChecklistOptions {
  readonly add?: string;
  readonly step?: string;
  readonly title?: string;
  readonly owner?: string;
  readonly due?: string;
  readonly done?: true;
  readonly notDone?: true;
  readonly remove?: true;
  readonly by?: string;
}

export const defineChecklistCommand: DefineCommand = (command) => {
  command
    .subcommand('checklist', 'Show or change the month-end checklist of a period')
    .argument('<month>', 'period as YYYY-MM', parseMonth)
    .option('--add <title>', 'add a step of your own')
    .option('--step <step>', 'step to change, for example sync or own:1')
    .option('--title <title>', 'new title of an own step')
    .option('--owner <name>', 'person responsible for the step; none removes the owner')
    .option('--due <date>', 'due date; none restores the default', parseDueDate)
    .option('--done', 'mark an own step as done')
    .option('--not-done', 'mark an own step as not done')
    .option('--remove', 'remove an own step')
    .option('--by <name>', 'person who did the step (default: default person, or user of this computer)')
    .listOnSite(async (context, month: string, options: ChecklistOptions) => {
      const { steps, ...fields } = await saveChanges(context, month, options);
      const doneCount = steps.filter(({ state }) => state === 'done').length;
      await context.output.list({
        columns: checklistColumns,
        fields: ['step', 'title', 'state', 'reason', 'owner', 'due_on', 'done'],
        pages: [{ rows: steps, next: null, ...fields }],
        footer: () => `${doneCount} of ${steps.length} steps are done.`,
        empty: 'The checklist has no steps.',
      });
    });
};

const NONE = 'none';
const parseDueDate = (text: string): string => (text === NONE ? NONE : parseDate(text));
const toValue = (text: string | undefined) => (text === NONE ? null : text);

/** Makes the change that the options describe, if any, and returns the checklist. */
async function saveChanges(
  { client, site }: SiteContext,
  period: string,
  options: ChecklistOptions,
): Promise<Checklist> {
  const error = findOptionError(options);
  if (error !== null) throw createUsageError(...error);
  const { add, step, remove, title, owner, due, done, notDone, by } = options;
  const named = omitUndefined({ owner: toValue(owner), due_on: toValue(due) });
  if (add !== undefined) return client.periods.addChecklistStep({ site, period, title: add, ...named });
  if (step === undefined) return client.periods.checklist({ site, period });
  if (remove) return client.periods.removeChecklistStep({ site, period, step });
  const marked = done || notDone ? { done: done === true } : {};
  return client.periods.changeChecklistStep({
    ...{ site, period, step, ...named, ...marked },
    ...omitUndefined({ title, by }),
  });
}

/** Returns a message and a hint if the options do not describe one change; otherwise null. */
function findOptionError({
  add,
  step,
  remove,
  ...changes
}: ChecklistOptions): [message: string, hint: string] | null {
  const { owner: _owner, due: _due, ...ofOneStep } = omitUndefined(changes);
  const changeCount = Object.keys(omitUndefined(changes)).length;
  if (add !== undefined)
    return step !== undefined || remove || Object.keys(ofOneStep).length > 0
      ? ['--add cannot be combined with a change to a step.', 'Use it with --owner and --due only.']
      : null;
  if (step === undefined)
    return changeCount > 0 || remove
      ? ['No step was chosen.', 'Choose the step to change with --step, or add one with --add.']
      : null;
  if (remove)
    return changeCount > 0
      ? ['--remove cannot be combined with another change.', 'Give --step and --remove only.']
      : null;
  if (changeCount === 0)
    return ['There is nothing to save.', 'Add --owner, --due, --title, --done, --not-done or --remove.'];
  return changes.done && changes.notDone ? ['--done contradicts --not-done.', 'Give one of them.'] : null;
}

const checklistColumns: TableColumn<ChecklistStep>[] = [
  { header: 'step', cell: ({ step }) => step },
  { header: 'title', cell: ({ title }) => title, minWidth: 16 },
  { header: 'status', cell: ({ state }) => checklistStateLabels[state] },
  { header: 'owner', cell: ({ owner }) => owner },
  { header: 'due', cell: ({ due_on }) => due_on },
  { header: 'reason', cell: ({ reason }) => reason, minWidth: 24 },
];
