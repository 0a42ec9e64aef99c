import type { Outputs } from '../../contract/contract.ts';
import type { Cli } from '../act.ts';
import { wrongUsage } from '../failure.ts';
import { choice } from '../input/options.ts';
import { minute } from '../output/figures.ts';
import { type Column, pairLines } from '../output/table.ts';
import type { Define } from '../verbs.ts';

interface AddOptions {
  readonly name: string;
  readonly url: string;
  readonly format: 'json' | 'xml';
  readonly currency: string;
  readonly title?: string;
}

interface UpdateOptions {
  readonly title?: string;
  readonly url?: string;
  readonly format?: 'json' | 'xml';
  readonly currency?: string;
}

type Site = Outputs['sites']['get'];

const formats = ['json', 'xml'] as const;

export const define: Define = (command, act) => {
  command
    .command('add')
    .description(
      'Connect a site: its address and key are tried first, and kept only when the service answers.',
    )
    .requiredOption('--name <name>', 'its name; the short form --site takes is made from it')
    .requiredOption('--url <url>', 'its address, as https://acme.example.com')
    .addOption(choice('--format <format>', 'how the service is spoken to', formats).default('json'))
    .option('--currency <code>', 'of its amounts, as USD', 'USD')
    .addHelpText(
      'after',
      '\nThe key is read from TIEOUT_API_KEY, else asked for; it is kept in the system keychain.',
    )
    .action(
      act(async (cli, { name, url, format, currency }: AddOptions) => {
        const client = await cli.session.client();
        const { givenKey } = await import('../input/key.ts');
        const api_key = await givenKey(cli.environment, name);
        const site = await client.sites.add({ title: name, base_url: url, format, currency, api_key });
        await cli.out.document(site, () => [
          ...siteLines(site),
          '',
          `Connected. Fetch its data with: tieout sync --site ${site.site}`,
        ]);
      }),
    );

  command
    .command('list')
    .description('List the sites of this home.')
    .action(
      act.list(async (cli) => {
        const client = await cli.session.client();
        const { site } = await import('../../contract/sites.ts');
        await cli.out.list<Site>({
          columns,
          fields: Object.keys(site.shape),
          pages: [{ rows: await client.sites.list({}), next: null }],
          empty:
            'No site is connected yet. Connect one with: tieout site add --name "My company" --url https://…',
        });
      }),
    );

  command
    .command('test')
    .description('Try the address and the key of a site. Changes nothing.')
    .argument('[name]', 'the site, where there is more than one')
    .action(
      act(async (cli, name: string | undefined) => {
        const { client, site } = await cli.session.remote(siteNamed(cli, name));
        const tested = await client.sites.test({ site });
        await cli.out.document({ site, ...tested }, () => [
          tested.message,
          `Answered in ${Math.round(tested.ms)} ms.`,
          ...(tested.utc_offset === null ? [] : [`Its times are written at UTC${tested.utc_offset}.`]),
        ]);
      }),
    );

  command
    .command('update')
    .description('Change what is kept of a site.')
    .argument('[name]', 'the site, where there is more than one')
    .option('--title <title>', 'the name people read')
    .option('--url <url>', 'its address')
    .addOption(choice('--format <format>', 'how the service is spoken to', formats))
    .option('--currency <code>', 'of its amounts, as USD')
    .action(
      act(async (cli, name: string | undefined, { url, ...changes }: UpdateOptions) => {
        if (url === undefined && Object.keys(changes).length === 0) {
          throw wrongUsage(
            'There is nothing to change.',
            'Give any of --title, --url, --format, --currency.',
          );
        }
        const { client, site } = await cli.session.local(siteNamed(cli, name));
        const updated = await client.sites.update({
          site,
          ...changes,
          ...(url === undefined ? {} : { base_url: url }),
        });
        await cli.out.document(updated, () => siteLines(updated));
      }),
    );

  command
    .command('key')
    .description('Replace the key of a site, once the service has accepted the new one.')
    .argument('[name]', 'the site, where there is more than one')
    .addHelpText('after', '\nThe key is read from TIEOUT_API_KEY, else asked for.')
    .action(
      act(async (cli, name: string | undefined) => {
        const { client, site, about } = await cli.session.local(siteNamed(cli, name));
        const { givenKey } = await import('../input/key.ts');
        const updated = await client.sites.replaceKey({
          site,
          api_key: await givenKey(cli.environment, about.title),
        });
        await cli.out.document(updated, () => ['The service accepted the new key, and it is kept.']);
      }),
    );

  command
    .command('remove')
    .description('Forget a site and its key. Its data is set aside, not deleted.')
    .argument('<name>', 'the site')
    .action(
      act(async (cli, name: string) => {
        const { client, site } = await cli.session.local(siteNamed(cli, name));
        const { set_aside } = await client.sites.remove({ site });
        await cli.out.document({ site, set_aside }, () => [
          `Removed ${site}. Its data is set aside in ${set_aside}`,
        ]);
      }),
    );
};

/** The site a command names as its argument, with `--site` as another way to say it. */
function siteNamed({ flags }: Cli, name: string | undefined): string | undefined {
  if (name !== undefined && flags.site !== undefined && flags.site !== name) {
    throw wrongUsage(`Two sites are named: ${name} and, by --site, ${flags.site}.`, 'Name one.');
  }
  return name ?? flags.site;
}

const columns: Column<Site>[] = [
  { header: 'site', cell: ({ site }) => site },
  { header: 'title', cell: ({ title, demo }) => (demo ? `${title} (demo)` : title), least: 12 },
  { header: 'address', cell: ({ base_url }) => base_url, least: 20 },
  { header: 'format', cell: ({ format }) => format, spare: true },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'key', cell: ({ has_key, key_hint }) => (has_key ? `…${key_hint ?? ''}` : 'none') },
  { header: 'synced (UTC)', cell: (site) => minute(site.last_synced_at), spare: true },
];

function siteLines(site: Site): string[] {
  return pairLines([
    ['site', site.site],
    ['title', site.title],
    ['address', site.base_url],
    ['format', site.format],
    ['currency', site.currency],
    ['key', site.has_key ? `kept (…${site.key_hint ?? ''})` : 'none'],
    ['synced', site.last_synced_at ?? 'not yet'],
  ]);
}
