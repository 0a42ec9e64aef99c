import type { AllocationChange, AllocationDraft } from '../../contract/allocation-changes.ts';
import { type Exit, exit } from '../exit.ts';
import { count, minute } from '../output/figures.ts';
import { type Column, pairLines } from '../output/table.ts';

/** Whether something of a draft that was sent wants looking at. */
export function verdict({ outcomes, state }: AllocationDraft): Exit {
  const wrong = outcomes.refused + outcomes.moved + outcomes.undecided + outcomes.not_applied;
  return wrong > 0 || state !== 'done' ? exit.found : exit.done;
}

/** A draft for reading. */
export function draftLines(draft: AllocationDraft): string[] {
  const { problems, outcomes } = draft;
  const sent = draft.state !== 'draft' && draft.state !== 'discarded';
  const some = (number: number) => (number === 0 ? null : count(number));
  return pairLines([
    ['draft', draft.draft],
    ['site', draft.site],
    ['title', draft.title],
    ['state', draft.reason === null ? draft.state : `${draft.state}: ${draft.reason}`],
    ['made', `${minute(draft.created_at)} by ${draft.who}`],
    ['checked against the service', draft.checked_at === null ? 'no' : minute(draft.checked_at)],
    ['changes', count(draft.count)],
    ['can be sent', `${count(draft.ready)} (${count(draft.upgrades)} up, ${count(draft.downgrades)} down)`],
    ['changed since it was drafted', some(draft.changed_meanwhile)],
    ...Object.entries(problemWords).map(
      ([problem, word]) => [word, some(problems[problem as keyof typeof problemWords])] as const,
    ),
    ...(sent
      ? Object.entries(outcomeWords).map(
          ([outcome, word]) => [word, some(outcomes[outcome as keyof typeof outcomeWords])] as const,
        )
      : []),
  ]);
}

const problemWords: Record<NonNullable<AllocationChange['problem']>, string> = {
  unreadable: 'left out, cannot be read',
  unknown_pair: 'left out, nothing held of it',
  missing: 'left out, unknown to the service',
  duplicate: 'left out, named twice',
  contradiction: 'left out, contradict each other',
  no_change: 'left out, that is the quantity',
};

const outcomeWords: Record<AllocationChange['outcome'], string> = {
  applied: 'applied',
  waiting: 'waiting',
  sending: 'being sent',
  looking: 'being looked up',
  refused: 'refused',
  moved: 'not sent, changed meanwhile',
  undecided: 'to be decided',
  not_applied: 'not applied',
};

/** What would change, or what became of it. */
export const changeColumns: Column<AllocationChange>[] = [
  { header: '#', cell: ({ ordinal }) => ordinal + 1, align: 'right' },
  { header: 'line', cell: ({ line }) => line, align: 'right', spare: true },
  { header: 'subscription', cell: (change) => change.subscription_id, align: 'right' },
  { header: 'component', cell: (change) => change.component_id, align: 'right' },
  { header: 'name', cell: (change) => change.component_name, spare: true },
  { header: 'now', cell: (change) => change.current_quantity, align: 'right' },
  { header: 'new', cell: (change) => change.quantity, align: 'right' },
  { header: 'way', cell: ({ direction }) => direction },
  { header: 'scheme', cell: schemeText, least: 12 },
  { header: 'outcome', cell: (change) => (change.problem === null ? change.outcome : 'left out') },
  { header: 'why', cell: whyText, least: 16 },
];

/** The scheme that will apply, in words for a terminal. */
function schemeText({ scheme, scheme_seen, direction }: AllocationChange): string | null {
  if (direction === null || direction === 'none') return null;
  if (scheme !== null) return scheme;
  return scheme_seen === null ? "the site's own" : `the site's own (last ${scheme_seen})`;
}

function whyText({ problem_text, error, evidence, outcome, raw, problem }: AllocationChange): string | null {
  if (problem === 'unreadable') return `${problem_text} “${raw}”`;
  if (problem_text !== null) return problem_text;
  if (error !== null) return error.errors?.join(' ') ?? error.message;
  return outcome === 'undecided' || outcome === 'looking' ? (evidence?.verdict ?? null) : null;
}

export const draftColumns: Column<AllocationDraft>[] = [
  { header: 'draft', cell: ({ draft }) => draft },
  { header: 'made', cell: ({ created_at }) => minute(created_at) },
  { header: 'title', cell: ({ title }) => title, least: 16 },
  { header: 'changes', cell: (draft) => count(draft.count), align: 'right' },
  { header: 'can be sent', cell: (draft) => count(draft.ready), align: 'right' },
  { header: 'applied', cell: ({ outcomes }) => count(outcomes.applied), align: 'right' },
  {
    header: 'open',
    cell: ({ outcomes }) => count(outcomes.undecided + outcomes.looking + outcomes.sending),
    align: 'right',
  },
  { header: 'state', cell: ({ state }) => state },
];
