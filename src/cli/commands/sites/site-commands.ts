import type { Outputs } from '../../../contract/contract.ts';
import { usageError } from '../../errors/cli-error.ts';
import { createChoiceOption } from '../../input/options.ts';
import { formatMinute } from '../../output/format-values.ts';
import { formatLabeledValues, type TableColumn } from '../../output/table.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import { connectSiteHint } from '../../runtime/connect-hint.ts';

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
  defineAddSite(command, handle);
  command
    .command('list')
    .description('List sites')
    .action(
      handle.list(async (cli) => {
        const client = await cli.session.client();
        const { siteSchema } = await import('../../../contract/app/sites.ts');
        await cli.output.list<Site>({
          columns,
          fields: Object.keys(siteSchema.shape),
          pages: [{ rows: await client.sites.list({}), next: null }],
          empty: `No site is connected yet. ${connectSiteHint}`,
        });
      }),
    );
  command
    .command('test')
    .description('Test the address and key of a site without changing anything')
    .argument('[name]', 'site (required if there are several)')
    .action(
      handle(async (cli, name: string | undefined) => {
        const { client, site } = await cli.session.connectSite(toSiteName(cli, name));
        const result = await client.sites.test({ site });
        await cli.output.document({ site, ...result }, () => [
          result.message,
          `Responded in ${Math.round(result.ms)} ms.`,
          ...(result.utc_offset === null ? [] : [`The site uses the time zone UTC${result.utc_offset}.`]),
        ]);
      }),
    );
  defineUpdateSite(command, handle);
  command
    .command('remove')
    .description('Remove a site and its key; its data is set aside, not deleted')
    .argument('<name>', 'site')
    .action(
      handle(async (cli, name: string) => {
        const { client, site } = await cli.session.openSite(toSiteName(cli, name));
        const { set_aside } = await client.sites.remove({ site });
        await cli.output.document({ site, set_aside }, () => [
          `Site ${site} removed. Its data was moved to ${set_aside}`,
        ]);
      }),
    );
};

const defineAddSite: DefineCommand = (command, handle) => {
  command
    .command('add')
    .description('Connect a site; it is saved only if the service accepts its address and key')
    .requiredOption('--name <name>', 'name of the site; the short name for --site is derived from it')
    .requiredOption('--url <url>', 'address of the site, for example https://acme.example.com')
    .addOption(createChoiceOption('--format <format>', 'data format of requests', formats).default('json'))
    .option('--currency <code>', 'currency of the amounts', 'USD')
    .addHelpText(
      'after',
      '\nThe key is read from TIEOUT_API_KEY or prompted for. It is stored in the system keychain.',
    )
    .action(
      handle(async (cli, { name, url, format, currency }: AddOptions) => {
        const client = await cli.session.client();
        const { readApiKey } = await import('../../input/key.ts');
        const api_key = await readApiKey(cli.environment, name);
        const site = await client.sites.add({ title: name, base_url: url, format, currency, api_key });
        await cli.output.document(site, () => [
          ...formatSite(site),
          '',
          `Connected. Download its data with: tieout sync --site ${site.site}`,
        ]);
      }),
    );
};

const defineUpdateSite: DefineCommand = (command, handle) => {
  command
    .command('update')
    .description('Change the settings of a site')
    .argument('[name]', 'site (required if there are several)')
    .option('--title <title>', 'display name')
    .option('--url <url>', 'address of the site')
    .addOption(createChoiceOption('--format <format>', 'data format of requests', formats))
    .option('--currency <code>', 'currency of the amounts, for example USD')
    .action(
      handle(async (cli, name: string | undefined, { url, ...changes }: UpdateOptions) => {
        if (url === undefined && Object.keys(changes).length === 0) {
          throw usageError('There is nothing to change.', 'Add --title, --url, --format or --currency.');
        }
        const { client, site } = await cli.session.openSite(toSiteName(cli, name));
        const updated = await client.sites.update({
          site,
          ...changes,
          ...(url === undefined ? {} : { base_url: url }),
        });
        await cli.output.document(updated, () => formatSite(updated));
      }),
    );

  command
    .command('key')
    .description('Replace the key of a site, if the service accepts the new key')
    .argument('[name]', 'site (required if there are several)')
    .addHelpText('after', '\nThe key is read from TIEOUT_API_KEY or prompted for.')
    .action(
      handle(async (cli, name: string | undefined) => {
        const { client, site, details } = await cli.session.openSite(toSiteName(cli, name));
        const { readApiKey } = await import('../../input/key.ts');
        const updated = await client.sites.replaceKey({
          site,
          api_key: await readApiKey(cli.environment, details.title),
        });
        await cli.output.document(updated, () => ['The service accepted the new key. It is now stored.']);
      }),
    );
};

/** Returns the site name from the argument or from `--site`. Throws a usage error if they differ. */
function toSiteName({ flags }: CommandContext, name: string | undefined): string | undefined {
  if (name !== undefined && flags.site !== undefined && flags.site !== name) {
    throw usageError(
      `The argument ${name} and --site ${flags.site} select different sites.`,
      'Remove one of them.',
    );
  }
  return name ?? flags.site;
}

const columns: TableColumn<Site>[] = [
  { header: 'site', cell: ({ site }) => site },
  { header: 'title', cell: ({ title, demo }) => (demo ? `${title} (demo)` : title), minWidth: 12 },
  { header: 'address', cell: ({ base_url }) => base_url, minWidth: 20 },
  { header: 'format', cell: ({ format }) => format, isOptional: true },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'key', cell: ({ has_key, key_hint }) => (has_key ? `…${key_hint ?? ''}` : 'none') },
  { header: 'last sync (UTC)', cell: (site) => formatMinute(site.last_synced_at), isOptional: true },
];

function formatSite(site: Site): string[] {
  return formatLabeledValues([
    ['site', site.site],
    ['title', site.title],
    ['address', site.base_url],
    ['format', site.format],
    ['currency', site.currency],
    ['key', site.has_key ? `stored (…${site.key_hint ?? ''})` : 'none'],
    ['last sync', site.last_synced_at ?? 'never'],
  ]);
}
