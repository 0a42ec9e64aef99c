import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).workpapers;

const loadSettings = () => import('../../workpaper/workpaper-settings.ts');

export function workpaperCommands({ stores, changes, now, user }: WriterContext) {
  return {
    saveSettings: on.saveSettings.handler(async ({ input: { site, settings: wanted } }) => {
      const { saveWorkpaperSettings } = await loadSettings();
      const saved = saveWorkpaperSettings(stores.open(site), wanted, { now: now(), user });
      changes.emit(site, 'periods', 'audit');
      return saved;
    }),
  };
}
