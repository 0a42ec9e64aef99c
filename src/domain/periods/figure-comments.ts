/** Event of a comment on a figure, as in the history of a period. */
export interface FigureCommentEvent {
  readonly seq: number;
  readonly action: string;
  /** Null for events that are not about a comment. */
  readonly about: {
    readonly currency: string;
    readonly figure: string;
    /** Number of the comment's first event; null for the first event itself. */
    readonly comment: number | null;
  } | null;
}

/** `open`: to be answered. `answered`: to be cleared by the reviewer. `cleared`: settled. */
export type FigureCommentStatus = 'open' | 'answered' | 'cleared';

export interface FigureComment<Event> {
  /** Number of the comment: that of its first event in the history. */
  readonly comment: number;
  readonly currency: string;
  readonly figure: string;
  readonly status: FigureCommentStatus;
  /** Events of the comment, oldest first. */
  readonly events: readonly Event[];
}

const STATUS_AFTER: Readonly<Record<string, FigureCommentStatus>> = {
  commented: 'open',
  answered: 'answered',
  cleared: 'cleared',
};

/** Returns the comments on figures in a period's history, oldest first. */
export function listFigureComments<Event extends FigureCommentEvent>(
  history: readonly Event[],
): FigureComment<Event>[] {
  const comments = new Map<number, FigureComment<Event>>();
  for (const event of history) {
    const status = STATUS_AFTER[event.action];
    if (event.about === null || status === undefined) continue;
    const { currency, figure } = event.about;
    const comment = event.about.comment ?? event.seq;
    const events = [...(comments.get(comment)?.events ?? []), event];
    comments.set(comment, { comment, currency, figure, status, events });
  }
  return [...comments.values()];
}

/** Returns the comments that prevent closing. */
export const listUnclearedComments = <Event extends FigureCommentEvent>(history: readonly Event[]) =>
  listFigureComments(history).filter(({ status }) => status !== 'cleared');
