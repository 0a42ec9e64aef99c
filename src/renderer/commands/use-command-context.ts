import { useCallback, useSyncExternalStore } from 'react';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useUnavailableReason } from '../backend-client/service-availability.ts';
import { useGridRegistry } from '../grid/lists/use-grid.ts';
import { useWindowState } from '../navigation/window-state.ts';
import type { CommandContext } from './command.ts';

/** Returns the current command context. It changes with the screen, the selection, and the network status. */
export function useCommandContext(): CommandContext {
  const client = useContractClient();
  const route = useWindowState((state) => state.route);
  const filters = useWindowState((state) => state.filters);
  const { data: sites = [] } = useQuery('sites.list', {});
  const site = sites.find((known) => known.site === route.site) ?? null;
  const { data: status } = useQuery('sync.status', site ? { site: site.site } : null);
  const away = useUnavailableReason(site);
  const grid = useGridRegistry((grids) => grids[route.screen] ?? null);
  const subscribe = useCallback(
    (listener: () => void) => grid?.state.subscribe(listener) ?? (() => undefined),
    [grid],
  );
  useSyncExternalStore(subscribe, () =>
    grid ? `${grid.selectedCount()} of ${grid.state.getState().total}` : '',
  );
  return {
    client,
    route,
    site,
    sites,
    unavailableReason: away,
    runningSyncJob: status?.running ?? null,
    filters,
    grid,
  };
}
