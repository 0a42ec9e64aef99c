import { setImmediate } from 'node:timers/promises';
import { implement } from '@orpc/server';
import { backendContract, createContractError, type Site } from '../../../src/contract/index.ts';
import { log, readSites, serveRouter, shell, writeSites } from './serve-router.ts';

const on = implement(backendContract);

function getSite(name: string): Site {
  const site = readSites().find((kept) => kept.site === name);
  if (!site) throw createContractError({ code: 'not_found', message: `No site ${name}.`, retryable: false });
  return site;
}

serveRouter({
  sites: {
    add: on.sites.add.handler(async ({ input }) => {
      const name = input.site ?? input.title.toLowerCase();
      if (input.api_key) await shell.keychain.set({ site: name, api_key: input.api_key });
      log(`adding ${name}`, { leaked: input.api_key });
      const { key_hint, is_session_key } = await shell.keychain.hint({ site: name });
      const { title, base_url, format, currency, demo } = input;
      const siteFields = {
        site: name,
        title,
        base_url,
        format,
        currency: currency ?? 'USD',
        service_details: null,
        demo,
        has_key: key_hint !== null,
        key_hint,
        is_session_key,
      };
      const site: Site = {
        ...siteFields,
        created_at: '2026-11-01T00:00:00Z',
        time_zone: null,
        last_synced_at: null,
      };
      writeSites([...readSites(), site]);
      return site;
    }),
    update: on.sites.update.handler(({ input }) => {
      const site: Site = { ...getSite(input.site), ...(input.base_url ? { base_url: input.base_url } : {}) };
      writeSites(readSites().map((storedSite) => (storedSite.site === input.site ? site : storedSite)));
      return site;
    }),
  },
  sync: {
    start: on.sync.start.handler(({ input }) => {
      const at = '2026-11-02T00:00:00Z';
      const synced: Site = { ...getSite(input.site), last_synced_at: at };
      writeSites(readSites().map((kept) => (kept.site === input.site ? synced : kept)));
      return { job: 'job-1' };
    }),
  },
  /** Setting `crash` ends the thread immediately, `hang` blocks it forever. */
  settings: {
    set: on.settings.set.handler(({ input }) => {
      if (input.key === 'crash') process.exit(7);
      if (input.key === 'hang') for (;;);
      return { [input.key]: input.value };
    }),
  },
  changes: {
    watch: on.changes.watch.handler(async function* ({ signal }) {
      yield { site: null, topics: ['sites' as const] };
      while (!signal?.aborted) await setImmediate();
      log('the watcher went away');
    }),
  },
});
