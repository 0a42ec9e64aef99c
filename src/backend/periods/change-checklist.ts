import { type Checklist, type ContractInputs, createNonRetryableError } from '../../contract/index.ts';
import { throwPeriodClosedError } from '../period-lock/period-lock.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  type ChecklistStepRow,
  formatChecklistSubject,
  listChecklistStepRows,
  saveChecklistStepRow,
} from '../store/periods/checklist-step.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { readChecklist } from './checklist.ts';
import { requirePeriod } from './period-detail.ts';
import { findUnsignedActor, type PeriodContext } from './period-sign-off-steps.ts';

/** Maximum number of own steps of a period. Chosen by judgment. */
const MAX_OWN_STEPS = 200;

interface StepOfPeriod {
  readonly site: string;
  readonly period: string;
}

/** Adds an own step to the checklist. Throws the errors of `periods.addChecklistStep`. */
export const addChecklistStep = (
  tools: PeriodContext,
  { title, owner = null, due_on = null, ...of }: ContractInputs['periods']['addChecklistStep'],
): Promise<Checklist> =>
  saveStep(tools, of, 'periods.add-step', (rows) => {
    const own = rows.filter((row) => row.title !== null);
    if (own.length >= MAX_OWN_STEPS)
      throw createNonRetryableError(
        'validation',
        `${of.period} already has ${MAX_OWN_STEPS} steps of your own.`,
        'Rename a step instead.',
      );
    // Removed steps keep their numbers, so that a number always means the same step in the audit log.
    return { ...EMPTY_STEP, step: `own:${own.length + 1}`, title, owner, due_on };
  });

const EMPTY_STEP = {
  title: null,
  owner: null,
  due_on: null,
  done_at: null,
  done_by: null,
  removed: 0,
} as const;

type ChangeInput = ContractInputs['periods']['changeChecklistStep'];

/** Changes a step of the checklist. Throws the errors of `periods.changeChecklistStep`. */
export async function changeChecklistStep(tools: PeriodContext, input: ChangeInput): Promise<Checklist> {
  const { site, period, step, title, done, by } = input;
  const actor = findUnsignedActor(tools, by);
  const { steps } = await readOpenChecklist(tools, input);
  return saveStep(tools, { site, period }, 'periods.change-step', (rows) => {
    const stored = findStep(rows, step);
    if (stored === undefined && !steps.some((each) => each.step === step)) throwStepNotFound(period, step);
    const before = stored ?? { ...EMPTY_STEP, step };
    if (before.title === null && (title !== undefined || done !== undefined))
      throw createNonRetryableError(
        'validation',
        `Tieout determines the title and state of the step ${step}.`,
        'Only steps that you added can be renamed or marked as done.',
      );
    return applyChange(before, input, actor);
  });
}

function applyChange(
  before: ChecklistStepRow,
  { title, owner, due_on, done }: ChangeInput,
  { at, name }: { readonly at: number; readonly name: string },
): ChecklistStepRow {
  const given = { title, owner, due_on };
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const isAsBefore = done === undefined || done === (before.done_at !== null);
  const marked = done ? { done_at: at, done_by: name } : { done_at: null, done_by: null };
  return { ...before, ...changed, ...(isAsBefore ? {} : marked) };
}

/** Removes an own step. Throws the errors of `periods.removeChecklistStep`. */
export async function removeChecklistStep(
  tools: PeriodContext,
  { step, ...of }: ContractInputs['periods']['removeChecklistStep'],
): Promise<Checklist> {
  const { steps } = await readOpenChecklist(tools, of);
  return saveStep(tools, of, 'periods.remove-step', (rows) => {
    const before = findStep(rows, step);
    if (before !== undefined && before.title !== null) return { ...before, removed: 1 };
    if (!steps.some((each) => each.step === step)) throwStepNotFound(of.period, step);
    throw createNonRetryableError(
      'validation',
      `The step ${step} belongs to every checklist.`,
      'Only steps that you added can be removed.',
    );
  });
}

const findStep = (rows: readonly ChecklistStepRow[], wanted: string): ChecklistStepRow | undefined =>
  rows.find(({ step, removed }) => step === wanted && removed === 0);

function throwStepNotFound(period: string, step: string): never {
  throw createNonRetryableError(
    'not_found',
    `The checklist of ${period} has no step ${step}.`,
    `Steps are listed by: tieout period checklist ${period}`,
  );
}

function readOpenChecklist(tools: PeriodContext, { site, period }: StepOfPeriod): Promise<Checklist> {
  return readChecklist(tools.stores.open(site), period, { now: tools.now(), version: tools.version });
}

/** Stores the step that `createRow` returns, with an audit log entry, and returns the checklist. */
async function saveStep(
  tools: PeriodContext,
  of: StepOfPeriod,
  action: string,
  createRow: (rows: readonly ChecklistStepRow[]) => ChecklistStepRow,
): Promise<Checklist> {
  const { books } = tools.stores.open(of.site);
  runInTransaction(books, () => {
    const { id, state, closing_job } = requirePeriod(books, of.period);
    if (state === 'closed' || closing_job !== null) throwPeriodClosedError(of.period);
    const row = createRow(listChecklistStepRows(books, id));
    saveChecklistStepRow(books, id, row);
    const { step, ...detail } = row;
    const subject = formatChecklistSubject(of.period, step);
    addAuditEntry(books, { at: tools.now(), user: tools.user, action, subject, detail });
  });
  tools.changes.emit(of.site, 'periods', 'audit');
  return readOpenChecklist(tools, of);
}
