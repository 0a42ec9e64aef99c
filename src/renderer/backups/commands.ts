import { DatabaseBackup, FileArchive } from 'lucide-react';
import type { Command } from '../commands/command.ts';
import { openDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.backups;

export const backupCommands: readonly Command[] = [
  {
    id: 'backups.make',
    title: text.make,
    section: 'sites',
    icon: DatabaseBackup,
    enabled: ({ site }) => (site ? true : texts.frame.noSite),
    async run({ client, site }) {
      if (!site) return;
      const { name } = await client.backups.make({ site: site.site });
      showNotice(text.made(name), 'good');
    },
  },
  {
    id: 'backups.restorePack',
    title: text.pack.open,
    section: 'sites',
    icon: FileArchive,
    enabled: ({ site }) => (site ? true : texts.frame.noSite),
    run: () => openDialog({ kind: 'restorePack' }),
  },
];
