import { DatabaseBackup, FileArchive } from 'lucide-react';
import { type Command, createCommandFactory, requireSite } from '../commands/command.ts';
import { openDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.backups;

const backupCommand = createCommandFactory({ section: 'sites', enabled: requireSite });

export const backupCommands: readonly Command[] = [
  backupCommand({ id: 'backups.make', title: text.make, icon: DatabaseBackup }, async ({ client, site }) => {
    if (!site) return;
    const { name } = await client.backups.make({ site: site.site });
    showNotice(text.made(name), 'good');
  }),
  backupCommand({ id: 'backups.restorePack', title: text.pack.open, icon: FileArchive }, () =>
    openDialog({ kind: 'restorePack' }),
  ),
];
