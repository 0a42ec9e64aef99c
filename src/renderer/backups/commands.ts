import { DatabaseBackup, FileArchive } from 'lucide-react';
import type { Command } from '../commands/command.ts';
import { notify, openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.backups;

export const backupCommands: readonly Command[] = [
  {
    id: 'backups.make',
    title: text.make,
    section: 'sites',
    icon: DatabaseBackup,
    enabled: ({ site }) => (site ? true : words.frame.noSite),
    async run({ client, site }) {
      if (!site) return;
      const { name } = await client.backups.make({ site: site.site });
      notify(text.made(name), 'good');
    },
  },
  {
    id: 'backups.restorePack',
    title: text.pack.open,
    section: 'sites',
    icon: FileArchive,
    enabled: ({ site }) => (site ? true : words.frame.noSite),
    run: () => openDialog({ kind: 'restorePack' }),
  },
];
