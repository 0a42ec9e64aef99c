import { create } from 'zustand';
import type { ErrorGroup, Outage, WebhookFilter } from '../../contract/index.ts';
import { focusedGrid } from '../grid/lists/use-grid.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { texts } from '../texts/texts.ts';

const text = texts.outages;

/** What the commands of the screen act on. */
interface CommandTargets {
  /** The webhooks of the time looked at; null before anything is. */
  readonly webhooks: WebhookFilter | null;
  /** Those to replay; null where there are none, and why. */
  readonly replay: WebhookFilter | null;
  readonly reason: string | null;
}

/** What is in front on the timeline. */
interface OutageScreenState extends CommandTargets {
  /** The time looked at, whose errors are listed; empty for the whole log. */
  readonly within: WebhookFilter;
  /** Shows the time looked at, or all of it; null where that is shown already. */
  readonly zoom: (() => void) | null;
  readonly whole: (() => void) | null;
}

const initialState: OutageScreenState = {
  webhooks: null,
  replay: null,
  reason: null,
  within: {},
  zoom: null,
  whole: null,
};

export const useOutageScreenState = create<OutageScreenState>(() => initialState);

export function resetOutageScreenState(): void {
  useOutageScreenState.setState(initialState, true);
}

interface OutageSelection {
  readonly picked: Outage | null;
  /** A stretch that was drawn or looked at closer; null for the whole log. */
  readonly within: WebhookFilter | null;
  /** Whether any webhook of it was not accepted. */
  readonly failed: boolean;
}

/** An outage that was picked, or a stretch of time. The whole log is nobody's choice: it can be shown, and is not replayed. */
export function createCommandTargets({ picked, within, failed }: OutageSelection): CommandTargets {
  if (picked)
    return { webhooks: picked.filter ?? within, replay: picked.filter, reason: text.nothingToReplay };
  const replay = within !== null && failed ? { ...within, status: 'failed' as const } : null;
  return { webhooks: within ?? {}, replay, reason: failed ? text.nothingPicked : text.nothingFailed };
}

/** The webhooks of a kind of error, within the time looked at. */
export function addErrorFilter({ error }: ErrorGroup, within: WebhookFilter): WebhookFilter {
  return { ...within, status: 'failed', error };
}

/** Among the errors, keys act on the kind of error they are at; else on what is looked at. */
export function findCommandTargets(): CommandTargets {
  const front = useOutageScreenState.getState();
  const errors = focusedGrid('errorGroups') as GridController<ErrorGroup> | null;
  const at = errors?.activeRow();
  if (at === undefined) return front;
  const filter = addErrorFilter(at, front.within);
  return { webhooks: filter, replay: filter, reason: null };
}
