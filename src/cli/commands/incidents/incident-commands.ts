import type { ContractInputs } from '../../../contract/contract.ts';
import type { Incident, IncidentState } from '../../../contract/webhooks/incidents.ts';
import { CliError, createUsageError } from '../../errors/cli-error.ts';
import { formatIncident, incidentColumns } from '../../formatters/incidents.ts';
import { createIntegerParser, createListParser, omitUndefined } from '../../input/options.ts';
import type { CliCommand, DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { updateSearchIndex } from '../../runtime/search-index.ts';
import {
  addWebhookSelectionOptions,
  toWebhookSelection,
  type WebhookSelectionOptions,
} from '../shared/webhook-selection.ts';
import { type OutputOptions, prepareOutputFile } from '../shared/write-verified-file.ts';

const states = ['open', 'acknowledged', 'resolved'] as const satisfies IncidentState[];

interface DescriptionOptions {
  readonly name?: string;
  readonly cause?: string;
  readonly owner?: string;
}

type Update = ContractInputs['incidents']['update'];

export const defineIncidentCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List incidents, unresolved ones first')
    .option(
      '--state <list>',
      `only these states, comma-separated: ${states.join(', ')}`,
      createListParser(states),
    )
    .listOnSite(async ({ client, site, output }, { state }: { state?: IncidentState[] }) => {
      await output.list({
        columns: incidentColumns,
        fields: async () => (await import('../../../contract/webhooks/incidents.ts')).incidentSchema,
        pages: [{ rows: await client.incidents.list({ site, ...omitUndefined({ state }) }), next: null }],
        empty: 'There are no incidents. Tieout finds them in the webhook log with each: tieout sync',
      });
    });

  command
    .subcommand('show', 'Show an incident with its timeline and replays')
    .argument('<id>', 'ID of the incident', createIntegerParser(1))
    .runOnSite(async ({ client, site, output }, id: number) => {
      const incident = await client.incidents.get({ site, id });
      await output.document(incident, () => formatIncident(incident));
    });

  command
    .subcommand(
      'add',
      'Add an incident from an outage, an error group or other webhooks that were not accepted',
    )
    .with(addWebhookSelectionOptions)
    .with(addDescriptionOptions)
    .runOnSite(addIncident);

  defineDecisions(command);

  command
    .subcommand('report', 'Write the report of an incident for the post-mortem')
    .argument('<id>', 'ID of the incident', createIntegerParser(1))
    .choiceOption('--format <format>', 'file format', ['md', 'json'], 'md')
    .option('-o, --output <file>', 'file to write (default: print the report)')
    .option('--replace', 'overwrite an existing file')
    .runOnSite(writeReport);
};

function addDescriptionOptions(command: CliCommand): void {
  command
    .option('--name <text>', 'name of the incident')
    .option('--cause <text>', 'cause of the incident')
    .option('--owner <name>', 'person who is responsible');
}

async function addIncident(
  context: SiteContext,
  { name, cause, owner, ...options }: WebhookSelectionOptions & DescriptionOptions,
): Promise<void> {
  const { client, site } = context;
  const from = await toWebhookSelection(options);
  if ('filter' in from && Object.keys(from.filter).length === 0)
    throw createUsageError(
      'No webhooks are selected.',
      'Use --outage, --error, --ids-file or another filter.',
    );
  if ('filter' in from) await updateSearchIndex(context, 'webhooks', from.filter);
  const incident = await client.incidents.add({ site, from, ...omitUndefined({ name, cause, owner }) });
  await printIncident(context, incident, 'added');
}

const defineDecisions: DefineCommand = (command) => {
  const addCommand = (name: string, description: string) =>
    command.subcommand(name, description).argument('<id>', 'ID of the incident', createIntegerParser(1));

  addCommand('acknowledge', 'Record that someone works on an incident')
    .with(addDescriptionOptions)
    .runOnSite(async (context, id: number, options: DescriptionOptions) => {
      const { client, site } = context;
      await printIncident(
        context,
        await client.incidents.acknowledge({ site, id, ...options }),
        'acknowledged',
      );
    });
  addCommand('update', 'Change the name, cause or owner of an incident, or add a note to its timeline')
    .with(addDescriptionOptions)
    .option('--note <text>', 'note for the timeline')
    .runOnSite(async (context, id: number, options: Omit<Update, 'site' | 'id'>) => {
      const { client, site } = context;
      await printIncident(context, await client.incidents.update({ site, id, ...options }), 'changed');
    });
  addCommand('resolve', 'Resolve an incident although some of its webhooks have not been accepted')
    .with(addDescriptionOptions)
    .reasonOption()
    .addHelpText('after', '\nTieout resolves an incident itself once all of its webhooks have been accepted.')
    .runOnSite(async (context, id: number, options: DescriptionOptions & { reason: string }) => {
      const { client, site } = context;
      await printIncident(context, await client.incidents.resolve({ site, id, ...options }), 'resolved');
    });
  addCommand('reopen', 'Reopen an incident that a person resolved')
    .reasonOption()
    .runOnSite(async (context, id: number, { reason }: { reason: string }) => {
      const { client, site } = context;
      await printIncident(context, await client.incidents.reopen({ site, id, reason }), 'reopened');
    });
};

async function printIncident({ output }: SiteContext, incident: Incident, done: string): Promise<void> {
  const { id, name, webhooks, accepted } = incident;
  await output.document(incident, () => [
    `Incident ${id} ${done}: ${name} (${accepted} of ${webhooks} webhooks accepted).`,
  ]);
}

type ReportOptions = { readonly format: 'md' | 'json' } & Partial<OutputOptions>;

async function writeReport(context: SiteContext, id: number, options: ReportOptions): Promise<void> {
  const { client, site, session, output } = context;
  const { format, output: path, replace } = options;
  const file =
    path === undefined
      ? null
      : await prepareOutputFile(context, { output: path, ...(replace && { replace }) });
  const { blob } = await client.incidents.report({ site, id, format });
  const offered = await (await session.blobs()).take(blob);
  if (offered === null) throw new CliError('storage', `The report of incident ${id} is missing.`);
  const text = (await offered.stream.toArray()).join('');
  if (file === null) {
    await output.document({ incident: id, format, report: text }, () => text.trimEnd().split('\n'));
    return;
  }
  const { createHash } = await import('node:crypto');
  await file.writeText(text, createHash('sha256').update(text).digest('hex'));
  await output.document({ incident: id, format, file: file.path }, () => [`${file.path} saved.`]);
}
