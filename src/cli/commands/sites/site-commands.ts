import type { ContractOutputs } from '../../../contract/contract.ts';
import { describeServiceDetails } from '../../../domain/labels/service-details.ts';
import { createUsageError, formatConnectSiteHint } from '../../errors/cli-error.ts';
import { formatMinute } from '../../output/format-values.ts';
import { formatLabeledValues, type TableColumn } from '../../output/table.ts';
import { type CommandContext, connectSite, type DefineCommand, openSite } from '../../runtime/cli-command.ts';

interface AddOptions {
  readonly name: string;
  readonly url: string;
  readonly format: 'json' | 'xml';
  readonly currency?: string;
}

interface UpdateOptions extends Partial<Omit<AddOptions, 'name'>> {
  readonly title?: string;
}

type Site = ContractOutputs['sites']['get'];

const formats = ['json', 'xml'] as const;

export const defineSiteCommands: DefineCommand = (command) => {
  defineAddSite(command);
  command.subcommand('list', 'List sites').runList(async ({ session, output }) => {
    const client = await session.client();
    await output.list({
      columns,
      fields: async () => (await import('../../../contract/app/sites.ts')).siteSchema,
      pages: [{ rows: await client.sites.list({}), next: null }],
      empty: `No site is connected yet. ${formatConnectSiteHint}`,
    });
  });
  command
    .subcommand('test', 'Test the address and key of a site without changing anything')
    .argument('[name]', 'site (required if there are several)')
    .run(async (cli, name: string | undefined) => {
      const { client, site, output } = await connectSite(cli, toSiteName(cli, name));
      const result = await client.sites.test({ site });
      await output.document({ site, ...result }, () => [
        result.message,
        `Responded in ${Math.round(result.ms)} ms.`,
        result.utc_offset !== null && `The site uses the time zone UTC${result.utc_offset}.`,
      ]);
    });
  defineUpdateSite(command);
  defineSharedKey(command);
  command
    .subcommand('remove', 'Remove a site and its key; its data is set aside, not deleted')
    .argument('<name>', 'site')
    .run(async (cli, name: string) => {
      const { client, site, output } = await openSite(cli, toSiteName(cli, name));
      const { set_aside } = await client.sites.remove({ site });
      await output.document({ site, set_aside }, () => [
        `Site ${site} removed. Its data was moved to ${set_aside}`,
      ]);
    });
};

const defineAddSite: DefineCommand = (command) => {
  command
    .subcommand('add', 'Connect a site, which is saved only if the service accepts its address and key')
    .requiredOption('--name <name>', 'name of the site; the short name for --site is derived from it')
    .requiredOption('--url <url>', 'address of the site, or its subdomain, for example acme')
    .choiceOption('--format <format>', 'data format of requests', formats, 'json')
    .option(
      '--currency <code>',
      'currency of the amounts (default: the currency that the service reports, or USD)',
    )
    .addHelpText(
      'after',
      '\nThe key is read from TIEOUT_API_KEY or prompted for. It is stored in the system keychain.',
    )
    .run(async ({ session, environment, output }, { name: title, url, ...options }: AddOptions) => {
      const client = await session.client();
      const { readApiKey } = await import('../../input/api-key.ts');
      const api_key = await readApiKey(environment, title);
      const site = await client.sites.add({ title, base_url: url, ...options, api_key });
      await output.document(site, () => [
        formatSite(site),
        '',
        site.service_details !== null && describeServiceDetails(site.service_details),
        describeCurrencyMismatch(site),
        `Connected. Download its data with: tieout sync --site ${site.site}`,
      ]);
    });
};

const defineUpdateSite: DefineCommand = (command) => {
  command
    .subcommand('update', 'Change the settings of a site')
    .argument('[name]', 'site (required if there are several)')
    .option('--title <title>', 'display name')
    .option('--url <url>', 'address of the site')
    .choiceOption('--format <format>', 'data format of requests', formats)
    .option('--currency <code>', 'currency of the amounts, for example USD')
    .run(async (cli, name: string | undefined, { url, ...options }: UpdateOptions) => {
      const changes = url === undefined ? options : { ...options, base_url: url };
      if (Object.keys(changes).length === 0) {
        throw createUsageError('There is nothing to change.', 'Add --title, --url, --format or --currency.');
      }
      const { client, site, output } = await openSite(cli, toSiteName(cli, name));
      const updated = await client.sites.update({ site, ...changes });
      await output.document(updated, () => formatSite(updated));
    });

  command
    .subcommand('key', 'Replace the key of a site, if the service accepts the new key')
    .argument('[name]', 'site (required if there are several)')
    .addHelpText('after', '\nThe key is read from TIEOUT_API_KEY or prompted for.')
    .run(async (cli, name: string | undefined) => {
      const { client, site, details, output } = await openSite(cli, toSiteName(cli, name));
      const { readApiKey } = await import('../../input/api-key.ts');
      const api_key = await readApiKey(cli.environment, details.title);
      const updated = await client.sites.replaceKey({ site, api_key });
      await output.document(updated, () => ['The service accepted the new key. It is now stored.']);
    });
};

const defineSharedKey: DefineCommand = (command) => {
  command
    .subcommand('shared-key', 'Store the key that signs the site’s webhooks, for local deliveries')
    .argument('[name]', 'site (required if there are several)')
    .option('--new', 'store the key even if the stored webhooks were signed with an earlier key')
    .addHelpText('after', '\nThe key is read from TIEOUT_SHARED_KEY or prompted for. It is not the API key.')
    .run(async (cli, name: string | undefined, options: { readonly new?: true }) => {
      const { client, site, details, output } = await openSite(cli, toSiteName(cli, name));
      const { readSharedKey } = await import('../../input/api-key.ts');
      const shared_key = await readSharedKey(cli.environment, details.title);
      const accept_mismatch = options.new === true;
      const status = await client.sites.setSharedKey({ site, shared_key, accept_mismatch });
      await output.document({ site, ...status }, () => [
        'The shared key is stored.',
        status.signatures === 'match' && 'It reproduces the signature of the newest stored webhook.',
        status.signatures === 'differ' && 'The stored webhooks were signed with an earlier key.',
      ]);
    });
};

/** Returns the site name from the argument or from `--site`. Throws a usage error if they differ. */
function toSiteName({ flags }: CommandContext, name = flags.site): string | undefined {
  if (flags.site === undefined || flags.site === name) return name;
  const message = `The argument ${name} and --site ${flags.site} select different sites.`;
  throw createUsageError(message, 'Remove one of the two.');
}

/** Returns a warning if the service does not report the site's currency. */
function describeCurrencyMismatch({ currency, service_details }: Site): string | null {
  const reported = service_details?.currencies ?? [];
  if (reported.includes(currency)) return null;
  const reason =
    reported.length === 0
      ? 'The service did not report its currency.'
      : `The service reports ${reported.join(', ')}.`;
  return `${reason} Amounts are shown in ${currency}; to change that: tieout site update --currency CODE`;
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
