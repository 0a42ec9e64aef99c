import { type Command, Option } from 'commander';
import type { Client } from '../../contract/contract.ts';
import type { CarriedItem } from '../../contract/period-items.ts';
import type { DriftRow } from '../../contract/period-seals.ts';
import type { PeriodDetail, PeriodRow } from '../../contract/periods.ts';
import type { Act, Cli } from '../act.ts';
import { type Exit, exit } from '../exit.ts';
import { failureOf, wrongUsage } from '../failure.ts';
import { followJob } from '../follow.ts';
import { date, type ListOptions, listOptions, month, whole, words } from '../input/options.ts';
import { counted } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import type { Define } from '../verbs.ts';
import {
  carriedColumns,
  detailLines,
  driftColumns,
  itemLines,
  periodColumns,
  sealLines,
} from '../words/periods.ts';

interface Named {
  readonly period: string;
}
interface Signing extends Named {
  readonly by?: string;
  readonly comment?: string;
}
type Which = Named & { readonly closing?: number };

const versionOf = ({ period, closing }: Which) =>
  closing === undefined ? { period } : { period, version: closing };

export const define: Define = (command, act) => {
  command
    .command('list')
    .description('The periods, the newest first.')
    .action(
      act.list(async (cli) => {
        const { client, site } = await cli.session.local();
        const { periods, ...rest } = await client.periods.list({ site });
        await cli.out.list<PeriodRow>({
          columns: periodColumns,
          fields: ['period', 'first', 'last', 'state', 'version'],
          pages: [{ rows: periods, next: null, ...rest }],
          footer: () => (rest.locked_until === null ? undefined : `Locked up to ${rest.locked_until}.`),
          empty: `No period is opened yet.${rest.due === null ? '' : ` Begin with: tieout period open --period ${rest.due}`}`,
        });
      }),
    );

  of(command, 'show', 'A period: how far it is, what signing it would meet, its history.').action(
    act(async (cli, { period }: Named) => {
      const { client, site } = await cli.session.local();
      return shown(cli, await client.periods.get({ site, period }));
    }),
  );

  signing(command, 'open', 'Open a month for work.').action(
    act(async (cli, { period, ...said }: Signing) => {
      const { client, site } = await cli.session.local();
      return shown(cli, await client.periods.open({ site, period, ...said }));
    }),
  );
  signing(command, 'submit', 'Stand by the figures as the preparer, and hand them to a reviewer.').action(
    act(async (cli, { period, ...said }: Signing) => {
      const { client, site } = await cli.session.local();
      return shown(cli, await client.periods.submit({ site, period, ...said }));
    }),
  );
  signing(command, 'review', 'Agree to the figures as the reviewer, or send them back.')
    .addOption(new Option('--approve', 'agree').conflicts('reject'))
    .option('--reject', 'send it back; say why with --comment')
    .option('--self-review <reason>', 'why the preparer reviews his own work; recorded')
    .action(
      act(
        async (
          cli,
          {
            approve,
            reject,
            selfReview,
            ...rest
          }: Signing & { approve?: true; reject?: true; selfReview?: string },
        ) => {
          if (approve === undefined && reject === undefined) {
            throw wrongUsage('Say what came of the review.', 'Give --approve, or --reject with --comment.');
          }
          if (reject && rest.comment === undefined) {
            throw wrongUsage('Say why it is sent back.', 'Give --comment TEXT.');
          }
          const { client, site } = await cli.session.local();
          const verdict = approve ? ('approve' as const) : ('reject' as const);
          const self = selfReview === undefined ? {} : { self_review: selfReview };
          return shown(cli, await client.periods.review({ site, verdict, ...rest, ...self }));
        },
      ),
    );
  signing(command, 'close', 'Seal what a reviewed period rests on, and lock it.').action(
    act(async (cli, { period, ...said }: Signing) => {
      const { client, site } = await cli.session.local();
      const { job } = await client.periods.close({ site, period, ...said });
      await ended(cli, client, site, job);
      return shown(cli, await client.periods.get({ site, period }));
    }),
  );
  of(command, 'reopen', 'Open a closed period again, with the reason. Its seal stays on record.')
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'who does; default: the user of this computer')
    .action(
      act(async (cli, { period, ...said }: Named & { reason: string; by?: string }) => {
        const { client, site } = await cli.session.local();
        return shown(cli, await client.periods.reopen({ site, period, ...said }));
      }),
    );
  of(command, 'note', 'Add a note to a period.')
    .requiredOption('--text <text>', 'what')
    .option('--by <name>', 'who writes; default: the user of this computer')
    .action(
      act(async (cli, said: Named & { text: string; by?: string }) => {
        const { client, site } = await cli.session.local();
        const entry = await client.periods.note({ site, ...said });
        await cli.out.document(entry, () => [`Noted on ${said.period}.`]);
        return undefined;
      }),
    );

  lookingBack(command, act);
  items(command, act);
};

/** What was signed, and what is otherwise since. */
function lookingBack(command: Command, act: Act): void {
  of(command, 'seal', 'What was sealed when a period was closed.')
    .option('--closing <n>', 'which closing, by its number (the last)', whole(1))
    .action(
      act(async (cli, which: Which) => {
        const { client, site } = await cli.session.local();
        const seal = await client.periods.seal({ site, ...versionOf(which) });
        await cli.out.document(seal, () => sealLines(seal));
        return undefined;
      }),
    );
  of(command, 'signed', 'The figures as they were signed, word for word.')
    .option('--closing <n>', 'which closing, by its number (the last)', whole(1))
    .action(
      act(async (cli, which: Which) => {
        const { client, site } = await cli.session.local();
        await cli.out.write(`${(await client.periods.signed({ site, ...versionOf(which) })).json}\n`);
        return undefined;
      }),
    );
  listOptions(
    command
      .command('drift')
      .description('What is otherwise than it was signed. Ends with 1 where something is.'),
  )
    .option('--period <month>', 'only of this one, as 2026-10', month)
    .option('--ended', 'also what stands no more')
    .action(
      act.list(
        async (cli, { period, ended: also, ...place }: ListOptions & { period?: string; ended?: true }) => {
          const { client, site } = await cli.session.local();
          const filter = also ? { ended: true } : {};
          let stands = false;
          await cli.out.list<DriftRow>({
            columns: driftColumns,
            fields: [
              'id',
              'period',
              'kind',
              'row',
              'what',
              'text',
              'amount_in_cents',
              'currency',
              'noticed_at',
              'lands_in',
            ],
            pages: pagesOf(place, async (at) => {
              const page = await client.periods.drift({
                site,
                ...(period === undefined ? {} : { period }),
                filter,
                ...at,
              });
              stands ||= page.rows.some((row) => row.ended === null);
              return page;
            }),
            footer: pageFooter('changes'),
            empty:
              'Nothing is otherwise than it was signed, as far as is known. To look at every row: tieout period compare',
          });
          return stands ? exit.found : exit.done;
        },
      ),
    );
  command
    .command('compare')
    .description(
      'Hold every row of the closed periods against its seal, and what was signed against its digests. Ends with 1 where something is otherwise.',
    )
    .action(
      act(async (cli) => {
        const { client, site } = await cli.session.local();
        const job = await ended(cli, client, site, (await client.periods.compare({ site })).job);
        const { total, sums } = await client.periods.drift({ site, limit: 1 });
        const count = total?.count ?? 0;
        const damaged = await damageOf(client, site);
        await cli.out.document({ job: job.id, summary: job.summary, drift: count, sums, damaged }, () => [
          job.summary ?? '',
          ...(count === 0 ? [] : [`${counted(count, 'change')}; see: tieout period drift`]),
          ...(damaged.length === 0
            ? []
            : ['Restore a copy of the books that was made before: tieout restore']),
          ...(count + damaged.length === 0 ? ['Nothing is otherwise than it was signed.'] : []),
        ]);
        return count === 0 && damaged.length === 0 ? exit.done : exit.found;
      }),
    );
}

/** What is kept of the sign-offs in force and is damaged. */
async function damageOf(client: Client, site: string): Promise<{ period: string; message: string }[]> {
  const { periods } = await client.periods.list({ site });
  const found: { period: string; message: string }[] = [];
  for (const { period, state } of periods) {
    if (state !== 'closed') continue;
    const { remarks } = await client.periods.get({ site, period });
    found.push(...remarks.map(({ message }) => ({ period, message })));
  }
  return found;
}

function items(command: Command, act: Act): void {
  listOptions(of(command, 'carried', 'What is brought forward into a period, and what became of it.'))
    .option('--cleared', 'only what is cleared by now')
    .option('--outstanding', 'only what is not')
    .action(
      act.list(
        async (
          cli,
          {
            period,
            cleared,
            outstanding,
            ...place
          }: ListOptions & Named & { cleared?: true; outstanding?: true },
        ) => {
          const { client, site } = await cli.session.local();
          const filter = cleared === outstanding ? {} : { cleared: cleared === true };
          await cli.out.list<CarriedItem>({
            columns: carriedColumns,
            fields: ['key', 'dated_on', 'currency', 'amount_in_cents', 'text', 'age_days', 'carried_from'],
            pages: pagesOf(place, (at) => client.periods.carried({ site, period, filter, ...at })),
            footer: pageFooter('items'),
            empty: `Nothing is brought forward into ${period}.`,
          });
        },
      ),
    );
  of(
    command.command('explain'),
    null,
    'Say of outstanding items what they are, whose, and when they are expected to clear.',
  )
    .argument('<items...>', 'the items, as payment:17 or line:4', words)
    .option('--explanation <text>', 'what there is to say')
    .option('--category <word>', 'what it is put down to')
    .option('--owner <name>', 'whose it is to clear')
    .option('--expected <day>', 'when it is expected to clear', date)
    .action(
      act(
        async (
          cli,
          keys: string[],
          {
            period,
            expected,
            ...said
          }: Named & { expected?: string; explanation?: string; category?: string; owner?: string },
        ) => {
          const given = { ...said, ...(expected === undefined ? {} : { expected_on: expected }) };
          if (Object.keys(given).length === 0) {
            throw wrongUsage(
              'Say something of them.',
              'Give --explanation, --category, --owner or --expected.',
            );
          }
          const { client, site } = await cli.session.local();
          const rows = await client.periods.explain({ site, period, items: keys, ...given });
          await cli.out.document({ items: rows }, () => rows.flatMap(itemLines));
          return undefined;
        },
      ),
    );
}

/** A command of one period. */
function of(command: Command, name: string | null, description: string): Command {
  return (name === null ? command : command.command(name))
    .description(description)
    .requiredOption('--period <month>', 'as 2026-10', month);
}

/** A command by which somebody puts his name to something. */
function signing(command: Command, name: string, description: string): Command {
  return of(command, name, description)
    .option('--by <name>', 'who signs; default: the user of this computer')
    .option('--comment <text>', 'what there is to say');
}

async function shown(cli: Cli, period: PeriodDetail): Promise<Exit> {
  await cli.out.document(period, () => detailLines(period));
  return period.remarks.some(({ what }) => what === 'damaged') ? exit.found : exit.done;
}

async function ended(cli: Cli, client: Client, site: string, job: string): ReturnType<typeof followJob> {
  const last = await followJob(cli, client, { site, job });
  if (last.error) throw failureOf(last.error);
  return last;
}
