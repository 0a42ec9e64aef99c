import {
  ClipboardList,
  ClipboardPlus,
  ListFilter,
  Repeat2,
  SearchX,
  TriangleAlert,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { type Command, requireSite } from '../commands/command.ts';
import { navigate, openDialog, openFilteredList, selectTab } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { findCommandTargets, useOutageScreenState } from './outage-selection.ts';

const text = texts.outages;

export const outageCommands: readonly Command[] = [
  {
    id: 'outages.plan',
    title: text.plan,
    section: 'webhooks',
    icon: Repeat2,
    keys: ['R'],
    screens: ['outages'],
    enabled() {
      const { replay, reason } = findCommandTargets();
      return replay !== null || (reason ?? text.nothingSelected);
    },
    run() {
      const { replay } = findCommandTargets();
      if (replay) openDialog({ kind: 'replay', selection: { filter: replay } });
    },
  },
  {
    id: 'outages.show',
    title: text.show,
    section: 'webhooks',
    icon: ListFilter,
    keys: ['W'],
    screens: ['outages'],
    enabled: () => findCommandTargets().webhooks !== null || text.nothingSelected,
    run() {
      const { webhooks } = findCommandTargets();
      if (webhooks) openFilteredList('webhooks', webhooks);
    },
  },
  {
    id: 'incidents.add',
    title: texts.incidents.add,
    section: 'webhooks',
    icon: ClipboardPlus,
    keys: ['I'],
    screens: ['outages'],
    enabled() {
      const { incident, reason } = findCommandTargets();
      return incident !== null || (reason ?? text.nothingSelected);
    },
    async run({ client, site }) {
      const { incident: from } = findCommandTargets();
      if (from === null || site === null) return;
      const { id } = await client.incidents.add({ site: site.site, from });
      openDialog({ kind: 'incident', id });
    },
  },
  {
    id: 'outages.missing',
    title: texts.missingWebhooks.open,
    section: 'webhooks',
    icon: SearchX,
    keys: ['M'],
    screens: ['outages'],
    enabled: () => useOutageScreenState.getState().missing !== null || text.nothingSelected,
    run() {
      const { missing } = useOutageScreenState.getState();
      if (missing) openDialog({ kind: 'missingWebhooks', range: missing });
    },
  },
  {
    id: 'outages.zoom',
    title: text.zoomIn,
    section: 'view',
    icon: ZoomIn,
    keys: ['+'],
    screens: ['outages'],
    enabled: () => useOutageScreenState.getState().zoomIn !== null || text.cannotZoomIn,
    run: () => useOutageScreenState.getState().zoomIn?.(),
  },
  {
    id: 'outages.whole',
    title: text.showAll,
    section: 'view',
    icon: ZoomOut,
    keys: ['-'],
    screens: ['outages'],
    enabled: () => useOutageScreenState.getState().showAll !== null || text.isAllShown,
    run: () => useOutageScreenState.getState().showAll?.(),
  },
  {
    id: 'outages.open',
    title: text.find,
    section: 'webhooks',
    icon: TriangleAlert,
    enabled: requireSite,
    run: () => navigate({ screen: 'outages' }),
  },
  {
    id: 'incidents.open',
    title: texts.incidents.find,
    section: 'webhooks',
    icon: ClipboardList,
    enabled: requireSite,
    run() {
      navigate({ screen: 'outages' });
      selectTab('outageLists', 'incidents');
    },
  },
];
