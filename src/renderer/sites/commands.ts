import { KeyRound, Pencil, Plug, PlugZap } from 'lucide-react';
import { probeService } from '../backend-client/service-availability.ts';
import { alwaysEnabled, type Command, type CommandContext } from '../commands/command.ts';
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
    enabled: ({ site }) => (site ? true : texts.frame.noSite),
    async run({ client, site }) {
      if (!site) return;
      const result = await client.sites
        .test({ site: site.site })
        .finally(() => probeService(client, site.site));
      showNotice(texts.sites.testResult(result.message, result.ms), 'good');
    },
  },
  {
    id: 'site.edit',
    title: texts.sites.edit,
    section: 'sites',
    icon: Pencil,
    enabled: requireOwnSite,
    run({ site }) {
      if (site) openDialog({ kind: 'editSite', site: site.site });
    },
  },
  {
    id: 'site.replaceKey',
    title: texts.sites.replaceKey,
    section: 'sites',
    icon: KeyRound,
    enabled: requireOwnSite,
    run({ site }) {
      if (site) openDialog({ kind: 'replaceKey', site: site.site });
    },
  },
];
