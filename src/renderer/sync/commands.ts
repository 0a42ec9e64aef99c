import { CircleStop, RefreshCw, ShieldCheck } from 'lucide-react';
import type { SyncPart } from '../../contract/index.ts';
import { type Command, type CommandContext, createCommandFactory } from '../commands/command.ts';
import { announceToScreenReader } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

/** Returns true if a sync can start, otherwise the reason. A sync may start offline: it tests the service. */
function canSync({ site, runningSyncJob }: CommandContext): true | string {
  if (!site) return texts.frame.noSite;
  return runningSyncJob ? texts.sync.runsAlready : true;
}

async function startSync(
  { client, site }: CommandContext,
  options: { only?: SyncPart[]; full?: boolean },
): Promise<void> {
  if (!site) return;
  await client.sync.start({ site: site.site, full: false, ...options });
  announceToScreenReader(texts.sync.started);
}

const parts: readonly SyncPart[] = ['webhooks', 'statements', 'allocations', 'pdf'];
const defineCommand = createCommandFactory({ section: 'sync', icon: RefreshCw, enabled: canSync });

export const syncCommands: readonly Command[] = [
  defineCommand({ id: 'sync.start', title: texts.sync.start, keys: ['Shift+S'] }, (context) =>
    startSync(context, {}),
  ),
  ...parts.map((part) =>
    defineCommand({ id: `sync.${part}`, title: texts.sync.startPart(texts.sync.parts[part]) }, (context) =>
      startSync(context, { only: [part] }),
    ),
  ),
  defineCommand({ id: 'sync.full', title: texts.sync.full, icon: ShieldCheck }, (context) =>
    startSync(context, { full: true }),
  ),
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
