import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).workpapers;

const settings = () => import('../../workpaper/settings.ts');

export function workpaperCommands({ stores, changes, now, user }: WriterContext) {
  return {
    saveSettings: on.saveSettings.handler(async ({ input: { site, settings: wanted } }) => {
      const { saveSettings } = await settings();
      const saved = saveSettings(stores.open(site), wanted, { now: now(), user });
      changes.tell(site, 'periods', 'audit');
      return saved;
    }),
  };
}
