import type { PaymentTrail, TrailRecord, TrailStart } from '../../../contract/matching/payment-trail.ts';
import {
  describeTrailDetail,
  describeTrailTitle,
  emptyTrailSteps,
  trailLedgerNote,
  trailStepLabels,
} from '../../../domain/labels/payment-trail.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { createIntegerParser } from '../../input/options.ts';
import { formatMinute, formatMoney } from '../../output/format-values.ts';
import { formatTableLines, type TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

const kinds = (Object.keys(trailStepLabels) as (keyof typeof trailStepLabels)[]).filter(
  (kind): kind is TrailStart['kind'] => kind !== 'charge',
);
const KINDS = kinds.join(', ');

/** Parses a record, for example `payment:80169751`. Throws `usage` for an unknown kind or a malformed ID. */
function parseTrailStart(text: string): TrailStart {
  const [, word, id] = /^([a-z-]+):(\d{1,15})$/.exec(text) ?? [];
  const kind = kinds.find((each) => each === word);
  if (kind !== undefined) return { kind, id: Number(id) };
  throw createUsageError(
    `“${text}” does not name a record of a trail.`,
    `Enter a kind and an ID, for example payment:80169751. Kinds: ${KINDS}.`,
  );
}

const createColumns = (step: PaymentTrail['steps'][number]['step']): TableColumn<TrailRecord>[] => [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'date', cell: ({ dated_on, at }) => dated_on ?? formatMinute(at) },
  { header: 'amount', cell: ({ amount_in_cents }) => formatMoney(amount_in_cents), align: 'right' },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'title', cell: (record) => describeTrailTitle(step, record), minWidth: 12 },
  { header: 'detail', cell: ({ detail }) => (detail === null ? null : describeTrailDetail(step, detail)) },
];

/** Defines the command that shows the trail of a payment. */
export const defineTrailCommand: DefineCommand = (command) => {
  command
    .subcommand('trail', 'Show the trail of a payment from its charges to the ledger')
    .argument('<record>', `record, for example payment:80169751 or line:12; kinds: ${KINDS}`, parseTrailStart)
    .option('--payment <id>', 'payment, if the record belongs to several', createIntegerParser())
    .runOnSite(async ({ client, site, output }, from: TrailStart, options: { payment?: number }) => {
      const trail = await client.match.trail({ site, from, ...options });
      await output.document(trail, () => formatTrail(trail));
    });
};

function formatTrail(trail: PaymentTrail): string[] {
  if (trail.payment === null) return ['This record belongs to no payment.'];
  const others = trail.payments.filter(({ id }) => id !== trail.payment).map(({ id }) => id);
  return [
    `Payment ${trail.payment}`,
    ...(others.length === 0
      ? []
      : [`Other payments of the record (choose with --payment): ${others.join(', ')}`]),
    ...trail.steps.flatMap((step) => ['', ...formatStep(step)]),
  ];
}

function formatStep({ step, records, complete }: PaymentTrail['steps'][number]): string[] {
  return [
    trailStepLabels[step],
    ...(records.length === 0
      ? [`  ${emptyTrailSteps[step]}`]
      : formatTableLines(createColumns(step), records).map((line) => `  ${line}`)),
    ...(step === 'ledger-line' && records.length > 0 ? [`  ${trailLedgerNote}`] : []),
    ...(complete ? [] : ['  There are more records than shown.']),
  ];
}
