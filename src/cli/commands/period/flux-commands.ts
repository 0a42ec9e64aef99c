import type { FluxLine, SubscriptionFlux } from '../../../contract/periods/flux.ts';
import { FLUX_PARTS } from '../../../domain/flux/flux-parts.ts';
import { fluxPartLabels } from '../../../domain/labels/periods.ts';
import type { PagingOptions } from '../../input/options.ts';
import { printList } from '../../output/print-list.ts';
import { createMoneyColumn, type TableColumn } from '../../output/table.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { addPeriodOption, type PeriodOptions, printPeriodDetail } from './period-options.ts';

type FluxOptions = PagingOptions & PeriodOptions & { readonly figure?: string; readonly currency?: string };
type ExplainOptions = PeriodOptions & {
  readonly by?: string;
  readonly currency?: string;
  readonly text: string;
};

export const defineFluxCommands: DefineCommand = (command) => {
  command
    .subcommand('flux', 'Compare every figure with the previous month, or one figure by subscription')
    .with(addPeriodOption)
    .option('--figure <figure>', 'figure to split by subscription, for example S1.charges')
    .option('--currency <code>', 'currency of the figure (default: currency of the site)')
    .pageOptions()
    .listOnSite(async (context, options: FluxOptions) => {
      if (options.figure !== undefined) return printSubscriptions(context, options.figure, options);
      const { client, site, output } = context;
      const { lines, previous } = await client.workpapers.flux({ site, period: options.period });
      return output.list({
        columns: lineColumns,
        fields: [...lineFields],
        pages: [{ rows: lines, next: null }],
        footer: () => `Compared with ${previous}.`,
        empty: 'The workpaper has no figures.',
      });
    });
  command
    .subcommand('explain-flux', 'Explain the change in a figure from the previous month')
    .argument('<figure>', 'figure, for example S1.charges')
    .with(addPeriodOption)
    .requiredOption('--text <text>', 'explanation')
    .option('--currency <code>', 'currency of the figure (default: currency of the site)')
    .option('--by <name>', 'name of the signer (default: default person, or user of this computer)')
    .runOnSite(async ({ client, site, details, output }, figure: string, options: ExplainOptions) => {
      const { currency = details.currency, ...signed } = options;
      return printPeriodDetail(
        output,
        await client.periods.explainFlux({ site, figure, currency, ...signed }),
      );
    });
};

function printSubscriptions(
  context: SiteContext,
  figure: string,
  { period, currency = context.details.currency, ...options }: FluxOptions,
): Promise<void> {
  const { client, site } = context;
  const { figure: _, ...paging } = options;
  return printList(context, paging, {
    columns: subscriptionColumns,
    fields: ['subscription', 'customer', 'previous_in_cents', 'current_in_cents', 'parts'],
    fetchPage: (page) => client.workpapers.fluxRows({ site, period, figure, currency, ...page }),
    noun: 'subscriptions',
    empty: 'This figure has no rows in either month.',
  });
}

const lineFields = [
  ...(['currency', 'schedule', 'figure', 'label', 'previous_in_cents', 'current_in_cents'] as const),
  ...(['difference_in_cents', 'parts', 'explanation'] as const),
] as const;

/** Columns of the parts that a list shows. */
const createPartColumns = <Row extends Pick<FluxLine, 'parts'>>(): TableColumn<Row>[] =>
  FLUX_PARTS.map((part) =>
    createMoneyColumn(fluxPartLabels[part].toLowerCase(), ({ parts }: Row) => parts?.[part] || null),
  );

const lineColumns: TableColumn<FluxLine>[] = [
  { header: 'figure', cell: ({ figure }) => figure },
  createMoneyColumn('previous', ({ previous_in_cents }) => previous_in_cents),
  createMoneyColumn('current', ({ current_in_cents }) => current_in_cents),
  createMoneyColumn('difference', ({ difference_in_cents }) => difference_in_cents),
  ...createPartColumns<FluxLine>(),
  { header: 'explanation', cell: ({ explanation }) => explanation?.text, minWidth: 12 },
];

const subscriptionColumns: TableColumn<SubscriptionFlux>[] = [
  { header: 'subscription', cell: ({ subscription }) => subscription },
  { header: 'customer', cell: ({ customer }) => customer, minWidth: 12 },
  createMoneyColumn('previous', ({ previous_in_cents }) => previous_in_cents),
  createMoneyColumn('current', ({ current_in_cents }) => current_in_cents),
  ...createPartColumns<SubscriptionFlux>(),
];
