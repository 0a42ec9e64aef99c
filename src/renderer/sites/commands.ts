import { KeyRound, Pencil, Plug, PlugZap } from 'lucide-react';
import { probeService } from '../backend-client/service-availability.ts';
import { alwaysEnabled, type Command, type CommandContext, requireSite } from '../commands/command.ts';
import { openDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const requireOwnSite = ({ site }: CommandContext): true | string => {
  if (!site) return texts.frame.noSite;
  return site.demo ? texts.sites.demoIsFixed : true;
};

export const siteCommands: readonly Command[] = [
  {
    id: 'site.connect',
    title: texts.sites.connect,
    section: 'sites',
    icon: Plug,
    enabled: alwaysEnabled,
    run: () => openDialog({ kind: 'connect' }),
  },
  {
    id: 'site.test',
    title: texts.sites.test,
    section: 'sites',
    icon: PlugZap,
    enabled: requireSite,
    async run({ client, site }) {
      if (!site) return;
      const result = await client.sites
        .test({ site: site.site })
        .finally(() => probeService(client, site.site));
      showNotice(texts.sites.testResult(result.message, result.ms), 'good');
    },
  },
  ...(
    [
      ['edit', 'editSite', Pencil],
      ['replaceKey', 'replaceKey', KeyRound],
    ] as const
  ).map(
    ([name, kind, icon]): Command => ({
      id: `site.${name}`,
      title: texts.sites[name],
      section: 'sites',
      icon,
      enabled: requireOwnSite,
      run({ site }) {
        if (site) openDialog({ kind, site: site.site });
      },
    }),
  ),
];
