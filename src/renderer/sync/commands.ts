import { CircleStop, RefreshCw, ShieldCheck } from 'lucide-react';
import type { SyncPart } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import { announce } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

/**
 * Returns true if a sync can start, otherwise the reason. The service may seem unavailable, because the attempt shows
 * whether it responds again.
 */
function canSync({ site, runningSyncJob }: CommandContext): true | string {
  if (!site) return texts.frame.noSite;
  return runningSyncJob ? texts.sync.runsAlready : true;
}

async function startSync(
  { client, site }: CommandContext,
  options: { only?: SyncPart[]; full?: boolean },
): Promise<void> {
  if (!site) return;
  await client.sync.start({
    site: site.site,
    full: options.full ?? false,
    ...(options.only ? { only: options.only } : {}),
  });
  announce(texts.sync.started);
}

const parts: readonly SyncPart[] = ['webhooks', 'statements', 'allocations', 'pdf'];

export const syncCommands: readonly Command[] = [
  {
    id: 'sync.start',
    title: texts.sync.start,
    section: 'sync',
    icon: RefreshCw,
    keys: ['Shift+S'],
    enabled: canSync,
    run: (context) => startSync(context, {}),
  },
  ...parts.map(
    (part): Command => ({
      id: `sync.${part}`,
      title: texts.sync.startPart(texts.sync.parts[part]),
      section: 'sync',
      icon: RefreshCw,
      enabled: canSync,
      run: (context) => startSync(context, { only: [part] }),
    }),
  ),
  {
    id: 'sync.full',
    title: texts.sync.full,
    section: 'sync',
    icon: ShieldCheck,
    enabled: canSync,
    run: (context) => startSync(context, { full: true }),
  },
  {
    id: 'sync.cancel',
    title: texts.sync.cancel,
    section: 'sync',
    icon: CircleStop,
    enabled: ({ runningSyncJob }) => (runningSyncJob ? true : texts.sync.noneRuns),
    async run({ client, site, runningSyncJob }) {
      if (site && runningSyncJob) await client.jobs.cancel({ site: site.site, job: runningSyncJob });
    },
  },
];
