import { KeyRound, Pencil, Plug, PlugZap } from 'lucide-react';
import { always, type Command, type CommandContext } from '../commands/command.ts';
import { probe } from '../frame/reach.ts';
import { notify, openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';

const ofOwnSite = ({ site }: CommandContext): true | string => {
  if (!site) return words.frame.noSite;
  return site.demo ? words.sites.demoHasNone : true;
};

export const siteCommands: readonly Command[] = [
  {
    id: 'site.connect',
    title: words.sites.connect,
    section: 'sites',
    icon: Plug,
    enabled: always,
    run: () => openDialog({ kind: 'connect' }),
  },
  {
    id: 'site.test',
    title: words.sites.test,
    section: 'sites',
    icon: PlugZap,
    enabled: ({ site }) => (site ? true : words.frame.noSite),
    async run({ client, site }) {
      if (!site) return;
      const found = await client.sites.test({ site: site.site }).finally(() => probe(client, site.site));
      notify(words.sites.answered(found.message, found.ms), 'good');
    },
  },
  {
    id: 'site.edit',
    title: words.sites.edit,
    section: 'sites',
    icon: Pencil,
    enabled: ofOwnSite,
    run({ site }) {
      if (site) openDialog({ kind: 'editSite', site: site.site });
    },
  },
  {
    id: 'site.replaceKey',
    title: words.sites.replaceKey,
    section: 'sites',
    icon: KeyRound,
    enabled: ofOwnSite,
    run({ site }) {
      if (site) openDialog({ kind: 'replaceKey', site: site.site });
    },
  },
];
