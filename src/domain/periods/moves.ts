/** How a period stands; see the contract for what each means. */
export type PeriodState = 'open' | 'submitted' | 'reviewed' | 'closed';
export type PeriodMove = 'submit' | 'approve' | 'reject' | 'close' | 'reopen';

/** Where each move leads from each state it is allowed in. */
const moves: Readonly<Record<PeriodMove, Partial<Readonly<Record<PeriodState, PeriodState>>>>> = {
  submit: { open: 'submitted' },
  approve: { submitted: 'reviewed' },
  reject: { submitted: 'open', reviewed: 'open' },
  close: { reviewed: 'closed' },
  reopen: { closed: 'open' },
};

/** Why a move is not possible, and what to do. */
export interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** The state after a move, or why there is none. */
export function moved(period: string, state: PeriodState, move: PeriodMove): PeriodState | Refusal {
  return moves[move][state] ?? { message: `${period} is ${stateWords[state]}.`, hint: hints[state] };
}

export const isRefusal = (outcome: PeriodState | Refusal): outcome is Refusal => typeof outcome !== 'string';

/** The moves that a state allows. */
export function movesFrom(state: PeriodState): PeriodMove[] {
  return (Object.keys(moves) as PeriodMove[]).filter((move) => moves[move][state] !== undefined);
}

/** To be read behind `2026-10 is`. */
const stateWords: Readonly<Record<PeriodState, string>> = {
  open: 'open',
  submitted: 'submitted and waits for its review',
  reviewed: 'reviewed and waits to be closed',
  closed: 'closed',
};

const hints: Readonly<Record<PeriodState, string>> = {
  open: 'It is worked on: submit it for review first.',
  submitted: 'Review it: approve it, or reject it with a comment so that it can be worked on.',
  reviewed: 'Close it, or reject it with a comment so that it can be worked on.',
  closed: 'Reopen it, with the reason, to work on it again.',
};
