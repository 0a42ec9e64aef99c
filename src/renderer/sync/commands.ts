import { CircleStop, RefreshCw, ShieldCheck } from 'lucide-react';
import type { SyncPart } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import { say } from '../view/view.ts';
import { words } from '../words/words.ts';

/** Syncing may be tried while the service is thought away: trying is how one learns that it is back. */
function canSync({ site, syncing }: CommandContext): true | string {
  if (!site) return words.frame.noSite;
  return syncing ? words.sync.runsAlready : true;
}

async function start(
  { client, site }: CommandContext,
  how: { only?: SyncPart[]; full?: boolean },
): Promise<void> {
  if (!site) return;
  await client.sync.start({
    site: site.site,
    full: how.full ?? false,
    ...(how.only ? { only: how.only } : {}),
  });
  say(words.sync.started);
}

const parts: readonly SyncPart[] = ['webhooks', 'statements', 'allocations', 'pdf'];

export const syncCommands: readonly Command[] = [
  {
    id: 'sync.start',
    title: words.sync.start,
    section: 'sync',
    icon: RefreshCw,
    keys: ['Shift+S'],
    enabled: canSync,
    run: (context) => start(context, {}),
  },
  ...parts.map(
    (part): Command => ({
      id: `sync.${part}`,
      title: words.sync.startPart(words.sync.parts[part]),
      section: 'sync',
      icon: RefreshCw,
      enabled: canSync,
      run: (context) => start(context, { only: [part] }),
    }),
  ),
  {
    id: 'sync.full',
    title: words.sync.full,
    section: 'sync',
    icon: ShieldCheck,
    enabled: canSync,
    run: (context) => start(context, { full: true }),
  },
  {
    id: 'sync.cancel',
    title: words.sync.cancel,
    section: 'sync',
    icon: CircleStop,
    enabled: ({ syncing }) => (syncing ? true : words.sync.noneRuns),
    async run({ client, site, syncing }) {
      if (site && syncing) await client.jobs.cancel({ site: site.site, job: syncing });
    },
  },
];
