import { create } from 'zustand';
import type { ErrorGroup, Outage, WebhookFilter } from '../../contract/index.ts';
import { focusedGrid } from '../grid/lists/use-grid.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { texts } from '../texts/texts.ts';

const text = texts.outages;

/** What the screen's commands act on. */
interface CommandTargets {
  /** Filter for the webhooks of the selection, or null if nothing is selected. */
  readonly webhooks: WebhookFilter | null;
  /** Filter for the webhooks to replay. If null, `reason` says why there are none. */
  readonly replay: WebhookFilter | null;
  readonly reason: string | null;
}

/** Selection and zoom of the screen, shared with its commands. */
interface OutageScreenState extends CommandTargets {
  /** Time range whose errors are listed. Empty for the entire log. */
  readonly within: WebhookFilter;
  /** Null if the selection cannot be enlarged. */
  readonly zoomIn: (() => void) | null;
  /** Null if the entire log is shown. */
  readonly showAll: (() => void) | null;
}

const initialState: OutageScreenState = {
  webhooks: null,
  replay: null,
  reason: null,
  within: {},
  zoomIn: null,
  showAll: null,
};

export const useOutageScreenState = create<OutageScreenState>(() => initialState);

export function resetOutageScreenState(): void {
  useOutageScreenState.setState(initialState, true);
}

interface OutageSelection {
  readonly selected: Outage | null;
  /** Drawn or zoomed time range, or null for the entire log. */
  readonly within: WebhookFilter | null;
  /** True if a webhook in the range was not accepted. */
  readonly hasFailures: boolean;
}

/** Returns the targets for an outage or a time range. Without a selection, webhooks can be shown but not replayed. */
export function createCommandTargets({ selected, within, hasFailures }: OutageSelection): CommandTargets {
  if (selected) {
    return { webhooks: selected.filter ?? within, replay: selected.filter, reason: text.nothingToReplay };
  }
  const replay = within !== null && hasFailures ? { ...within, status: 'failed' as const } : null;
  return { webhooks: within ?? {}, replay, reason: hasFailures ? text.nothingSelected : text.nothingFailed };
}

/** Returns the filter for the webhooks of an error group within a time range. */
export function addErrorFilter({ error }: ErrorGroup, within: WebhookFilter): WebhookFilter {
  return { ...within, status: 'failed', error };
}

/** Returns the targets of the next command: the active error group if the list of errors has the focus, otherwise the selection. */
export function findCommandTargets(): CommandTargets {
  const state = useOutageScreenState.getState();
  const errors = focusedGrid('errorGroups') as GridController<ErrorGroup> | null;
  const group = errors?.activeRow();
  if (group === undefined) return state;
  const filter = addErrorFilter(group, state.within);
  return { webhooks: filter, replay: filter, reason: null };
}
