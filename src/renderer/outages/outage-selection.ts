import { create } from 'zustand';
import type {
  ContractInputs,
  MissingWebhookRange,
  Outage,
  WebhookErrorGroup,
  WebhookFilter,
} from '../../contract/index.ts';
import { getFocusedGrid } from '../grid/lists/use-grid.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { texts } from '../texts/texts.ts';

const text = texts.outages;

/** Webhooks that the commands of the outages screen act on. */
interface CommandTargets {
  /** Filter for the selected webhooks, or null if nothing is selected. */
  readonly webhooks: WebhookFilter | null;
  /** Filter for the webhooks to replay. If it is null, `reason` explains why none can be replayed. */
  readonly replay: WebhookFilter | null;
  readonly reason: string | null;
  /** Origin of a new incident, or null if nothing that was not accepted is selected. */
  readonly incident: ContractInputs['incidents']['add']['from'] | null;
  /** Time range whose missing webhooks are listed, or null if nothing is selected. */
  readonly missing: MissingWebhookRange | null;
}

/** Selection and zoom of the outages screen, shared with its commands. */
interface OutageScreenState extends CommandTargets {
  /** Filter for the time range whose errors are listed. Empty for the entire log. */
  readonly within: WebhookFilter;
  /** Function that zooms in to the selection, or null if zooming in is not possible. */
  readonly zoomIn: (() => void) | null;
  /** Function that zooms out to the entire log, or null if the entire log is already shown. */
  readonly showAll: (() => void) | null;
}

const initialState: OutageScreenState = {
  webhooks: null,
  replay: null,
  reason: null,
  incident: null,
  missing: null,
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
  /** Filter for the drawn or zoomed time range, or null for the entire log. */
  readonly within: WebhookFilter | null;
  /** True if any webhook in the time range was not accepted. */
  readonly hasFailures: boolean;
}

/** Returns the command targets for an outage or a time range. Without a selection, nothing can be replayed. */
export function createCommandTargets({ selected, within, hasFailures }: OutageSelection): CommandTargets {
  if (selected) {
    return {
      webhooks: selected.filter ?? within,
      replay: selected.filter,
      reason: text.nothingToReplay,
      incident: { outage: selected.id },
      missing: { outage: selected.id },
    };
  }
  const replay = within !== null && hasFailures ? { ...within, status: 'failed' as const } : null;
  return {
    webhooks: within ?? {},
    replay,
    reason: hasFailures ? text.nothingSelected : text.nothingFailed,
    incident: replay && { filter: replay },
    missing: toRange(within),
  };
}

/** Returns the time range of a filter, or null if the filter has none. */
function toRange(within: WebhookFilter | null): MissingWebhookRange | null {
  const { from, to } = within ?? {};
  return from === undefined || to === undefined ? null : { from, to };
}

/** Returns a filter for the webhooks of an error group within a time range. */
export function filterByErrorGroup({ error }: WebhookErrorGroup, within: WebhookFilter): WebhookFilter {
  return { ...within, status: 'failed', error };
}

/** Returns the targets for the next command: the active error group of a focused list, or else the selection. */
export function findCommandTargets(): CommandTargets {
  const state = useOutageScreenState.getState();
  const errors = getFocusedGrid('errorGroups') as GridController<WebhookErrorGroup> | null;
  const group = errors?.activeRow();
  if (group === undefined) return state;
  const filter = filterByErrorGroup(group, state.within);
  return { webhooks: filter, replay: filter, reason: null, incident: { filter }, missing: state.missing };
}
