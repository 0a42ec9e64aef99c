import type { AllocationChange, AllocationDraft } from '../../contract/allocations/allocation-changes.ts';
import { changeOutcomeLabels, changeProblemLabels } from '../../domain/labels/allocations.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { formatMinute, formatNumber } from '../output/format-values.ts';
import { formatLabeledValues, type TableColumn } from '../output/table.ts';

/** Returns exit code 1 if a draft was not sent completely or if one of its changes requires action. */
export function toDraftExitCode({ outcomes, state }: AllocationDraft): ExitCode {
  const failed = outcomes.refused + outcomes.moved + outcomes.undecided + outcomes.not_applied;
  return failed > 0 || state !== 'done' ? exitCodes.findings : exitCodes.success;
}

/** Formats a draft with the numbers of its problems and outcomes. */
export function formatDraft(draft: AllocationDraft): string[] {
  const { problems, outcomes } = draft;
  const sent = draft.state !== 'draft' && draft.state !== 'discarded';
  const nonZero = (count: number) => (count === 0 ? null : formatNumber(count));
  return formatLabeledValues([
    ['draft', draft.draft],
    ['site', draft.site],
    ['title', draft.title],
    ['state', draft.reason === null ? draft.state : `${draft.state}: ${draft.reason}`],
    ['created', `${formatMinute(draft.created_at)} by ${draft.user}`],
    ['checked with the service', draft.checked_at === null ? 'no' : formatMinute(draft.checked_at)],
    ['changes', formatNumber(draft.count)],
    [
      'ready to send',
      `${formatNumber(draft.ready)} (${formatNumber(draft.upgrades)} increases, ${formatNumber(draft.downgrades)} decreases)`,
    ],
    ['changed since drafting', nonZero(draft.changed_since_drafted)],
    ...Object.entries(changeProblemLabels).map(
      ([problem, label]) =>
        [
          `excluded: ${label.toLowerCase()}`,
          nonZero(problems[problem as keyof typeof changeProblemLabels]),
        ] as const,
    ),
    ...(sent
      ? Object.entries(changeOutcomeLabels).map(
          ([outcome, label]) =>
            [label.toLowerCase(), nonZero(outcomes[outcome as keyof typeof changeOutcomeLabels])] as const,
        )
      : []),
  ]);
}

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
  if (scheme !== null) return scheme;
  return scheme_seen === null ? 'site default' : `site default (last ${scheme_seen})`;
}

function formatChangeReason({
  problem_text,
  error,
  evidence,
  outcome,
  raw,
  problem,
}: AllocationChange): string | null {
  if (problem === 'unreadable') return `${problem_text} “${raw}”`;
  if (problem_text !== null) return problem_text;
  if (error !== null) return error.errors?.join(' ') ?? error.message;
  return outcome === 'undecided' || outcome === 'looking' ? (evidence?.verdict ?? null) : null;
}

export const allocationDraftColumns: TableColumn<AllocationDraft>[] = [
  { header: 'draft', cell: ({ draft }) => draft },
  { header: 'created', cell: ({ created_at }) => formatMinute(created_at) },
  { header: 'title', cell: ({ title }) => title, minWidth: 16 },
  { header: 'changes', cell: (draft) => formatNumber(draft.count), align: 'right' },
  { header: 'ready to send', cell: (draft) => formatNumber(draft.ready), align: 'right' },
  { header: 'applied', cell: ({ outcomes }) => formatNumber(outcomes.applied), align: 'right' },
  {
    header: 'unresolved',
    cell: ({ outcomes }) => formatNumber(outcomes.undecided + outcomes.looking + outcomes.sending),
    align: 'right',
  },
  { header: 'state', cell: ({ state }) => state },
];
