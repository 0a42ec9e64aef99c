import type { AllocationChange, AllocationDraft } from '../../contract/allocations/allocation-changes.ts';
import {
  allocationOutcomeLabels,
  allocationProblemLabels,
  formatProrationScheme,
} from '../../domain/labels/allocations.ts';
import { type ExitCode, getSuccessExitCode } from '../errors/exit-codes.ts';
import { formatMinute, formatNumber } from '../output/format-values.ts';
import {
  createCountColumn,
  formatLabeledValues,
  type LabeledValue,
  type TableColumn,
} from '../output/table.ts';

/** Returns exit code 1 if a draft was not sent completely or if one of its changes requires action. */
export function getDraftExitCode({ outcomes, state }: AllocationDraft): ExitCode {
  const failed = outcomes.refused + outcomes.quantity_changed + outcomes.undecided + outcomes.not_applied;
  return getSuccessExitCode(failed === 0 && state === 'done');
}

export function formatAllocationDraft(draft: AllocationDraft): string[] {
  const { problems, outcomes } = draft;
  const isSent = draft.state !== 'draft' && draft.state !== 'discarded';
  const upgrades = `${formatNumber(draft.upgrades)} increases`;
  const downgrades = `${formatNumber(draft.downgrades)} decreases`;
  const nonZero = (count: number) => (count === 0 ? null : formatNumber(count));
  return formatLabeledValues([
    ['draft', draft.draft],
    ['site', draft.site],
    ['title', draft.title],
    ['state', draft.reason === null ? draft.state : `${draft.state}: ${draft.reason}`],
    ['created', `${formatMinute(draft.created_at)} by ${draft.user}`],
    ['checked with the service', draft.checked_at === null ? 'no' : formatMinute(draft.checked_at)],
    ['changes', formatNumber(draft.count)],
    ['ready to send', `${formatNumber(draft.ready)} (${upgrades}, ${downgrades})`],
    ['changed since drafting', nonZero(draft.changed_since_drafted)],
    ...listKeys(allocationProblemLabels).map((problem): LabeledValue => {
      return [`excluded: ${allocationProblemLabels[problem].toLowerCase()}`, nonZero(problems[problem])];
    }),
    ...(isSent ? listKeys(allocationOutcomeLabels) : []).map((outcome): LabeledValue => {
      return [allocationOutcomeLabels[outcome].toLowerCase(), nonZero(outcomes[outcome])];
    }),
  ]);
}

const listKeys = <Labels extends object>(labels: Labels) => Object.keys(labels) as (keyof Labels)[];

/** Table columns for the changes in a draft. They include outcomes once the draft has been sent. */
export const allocationChangeColumns: TableColumn<AllocationChange>[] = [
  { header: '#', cell: ({ ordinal }) => ordinal + 1, align: 'right' },
  { header: 'line', cell: ({ line }) => line, align: 'right', isOptional: true },
  { header: 'subscription', cell: (change) => change.subscription_id, align: 'right' },
  { header: 'component', cell: (change) => change.component_id, align: 'right' },
  { header: 'name', cell: (change) => change.component_name, isOptional: true },
  { header: 'current', cell: (change) => change.current_quantity, align: 'right' },
  { header: 'new', cell: (change) => change.quantity, align: 'right' },
  { header: 'direction', cell: ({ direction }) => direction },
  { header: 'scheme', cell: formatScheme, minWidth: 12 },
  { header: 'outcome', cell: (change) => (change.problem === null ? change.outcome : 'excluded') },
  { header: 'reason', cell: formatChangeReason, minWidth: 16 },
];

/** Formats the proration scheme that applies to a change. */
function formatScheme({ scheme, scheme_seen, direction }: AllocationChange): string | null {
  if (direction === null || direction === 'none') return null;
  return formatProrationScheme(scheme, scheme_seen);
}

function formatChangeReason(change: AllocationChange): string | null {
  const { problem_text, error, evidence, outcome, raw, problem } = change;
  if (problem === 'unreadable') return `${problem_text} “${raw}”`;
  if (problem_text !== null) return problem_text;
  if (error !== null) return error.errors?.join(' ') ?? error.message;
  return outcome === 'undecided' || outcome === 'verifying' ? (evidence?.verdict ?? null) : null;
}

export const allocationDraftColumns: TableColumn<AllocationDraft>[] = [
  { header: 'draft', cell: ({ draft }) => draft },
  { header: 'created', cell: ({ created_at }) => formatMinute(created_at) },
  { header: 'title', cell: ({ title }) => title, minWidth: 16 },
  createCountColumn('changes', (draft) => draft.count),
  createCountColumn('ready to send', (draft) => draft.ready),
  createCountColumn('applied', ({ outcomes }) => outcomes.applied),
  createCountColumn(
    'unresolved',
    ({ outcomes }) => outcomes.undecided + outcomes.verifying + outcomes.sending,
  ),
  { header: 'state', cell: ({ state }) => state },
];
