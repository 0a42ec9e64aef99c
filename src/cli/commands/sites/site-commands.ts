import type { Outputs } from '../../../contract/contract.ts';
import { usageError } from '../../errors/cli-error.ts';
import { choiceOption } from '../../input/options.ts';
import { formatMinute } from '../../output/format-values.ts';
import { type Column, formatFields } from '../../output/table.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';

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

export const defineSiteCommands: DefineCommand = (command, handle) => {
  command
    .command('add')
    .description(
      'Connect a site: its address and key are tried first, and kept only when the service answers.',
    )
    .requiredOption('--name <name>', 'its name; the short form --site takes is made from it')
    .requiredOption('--url <url>', 'its address, as https://acme.example.com')
    .addOption(choiceOption('--format <format>', 'how the service is spoken to', formats).default('json'))
    .option('--currency <code>', 'of its amounts, as USD', 'USD')
    .addHelpText(
      'after',
      '\nThe key is read from TIEOUT_API_KEY, else asked for; it is kept in the system keychain.',
    )
    .action(
      handle(async (cli, { name, url, format, currency }: AddOptions) => {
        const client = await cli.session.client();
        const { readApiKey } = await import('../../input/key.ts');
        const api_key = await readApiKey(cli.environment, name);
        const site = await client.sites.add({ title: name, base_url: url, format, currency, api_key });
        await cli.output.document(site, () => [
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
      handle.list(async (cli) => {
        const client = await cli.session.client();
        const { site } = await import('../../../contract/app/sites.ts');
        await cli.output.list<Site>({
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
      handle(async (cli, name: string | undefined) => {
        const { client, site } = await cli.session.connectSite(siteNamed(cli, name));
        const tested = await client.sites.test({ site });
        await cli.output.document({ site, ...tested }, () => [
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
    .addOption(choiceOption('--format <format>', 'how the service is spoken to', formats))
    .option('--currency <code>', 'of its amounts, as USD')
    .action(
      handle(async (cli, name: string | undefined, { url, ...changes }: UpdateOptions) => {
        if (url === undefined && Object.keys(changes).length === 0) {
          throw usageError(
            'There is nothing to change.',
            'Give any of --title, --url, --format, --currency.',
          );
        }
        const { client, site } = await cli.session.openSite(siteNamed(cli, name));
        const updated = await client.sites.update({
          site,
          ...changes,
          ...(url === undefined ? {} : { base_url: url }),
        });
        await cli.output.document(updated, () => siteLines(updated));
      }),
    );

  command
    .command('key')
    .description('Replace the key of a site, once the service has accepted the new one.')
    .argument('[name]', 'the site, where there is more than one')
    .addHelpText('after', '\nThe key is read from TIEOUT_API_KEY, else asked for.')
    .action(
      handle(async (cli, name: string | undefined) => {
        const { client, site, details } = await cli.session.openSite(siteNamed(cli, name));
        const { readApiKey } = await import('../../input/key.ts');
        const updated = await client.sites.replaceKey({
          site,
          api_key: await readApiKey(cli.environment, details.title),
        });
        await cli.output.document(updated, () => ['The service accepted the new key, and it is kept.']);
      }),
    );

  command
    .command('remove')
    .description('Forget a site and its key. Its data is set aside, not deleted.')
    .argument('<name>', 'the site')
    .action(
      handle(async (cli, name: string) => {
        const { client, site } = await cli.session.openSite(siteNamed(cli, name));
        const { set_aside } = await client.sites.remove({ site });
        await cli.output.document({ site, set_aside }, () => [
          `Removed ${site}. Its data is set aside in ${set_aside}`,
        ]);
      }),
    );
};

/** The site a command names as its argument, with `--site` as another way to say it. */
function siteNamed({ flags }: CommandContext, name: string | undefined): string | undefined {
  if (name !== undefined && flags.site !== undefined && flags.site !== name) {
    throw usageError(`Two sites are named: ${name} and, by --site, ${flags.site}.`, 'Name one.');
  }
  return name ?? flags.site;
}

const columns: Column<Site>[] = [
  { header: 'site', cell: ({ site }) => site },
  { header: 'title', cell: ({ title, demo }) => (demo ? `${title} (demo)` : title), minWidth: 12 },
  { header: 'address', cell: ({ base_url }) => base_url, minWidth: 20 },
  { header: 'format', cell: ({ format }) => format, isOptional: true },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'key', cell: ({ has_key, key_hint }) => (has_key ? `…${key_hint ?? ''}` : 'none') },
  { header: 'synced (UTC)', cell: (site) => formatMinute(site.last_synced_at), isOptional: true },
];

function siteLines(site: Site): string[] {
  return formatFields([
    ['site', site.site],
    ['title', site.title],
    ['address', site.base_url],
    ['format', site.format],
    ['currency', site.currency],
    ['key', site.has_key ? `kept (…${site.key_hint ?? ''})` : 'none'],
    ['synced', site.last_synced_at ?? 'not yet'],
  ]);
}
