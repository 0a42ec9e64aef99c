import type { BankLineDetail, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/pieces.tsx';
import { Facts, Money } from '../controls/values.tsx';
import { DetailPending } from '../frame/detail-pending.tsx';
import { Detail } from '../frame/screen.tsx';
import { Explained } from '../matching/explained.tsx';
import { Notes } from '../matching/notes.tsx';
import { showFiltered } from '../view/view.ts';
import { dateText } from '../words/moments.ts';
import { amountText } from '../words/money.ts';
import { words } from '../words/words.ts';
import { MatchStatus } from './looks.tsx';
import { openImport } from './place.ts';

const text = words.bank;
const titles = text.columns;

/** One line as its file said it, and what explains it. */
export function LineDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: line, error } = useQuery('bank.getLine', { site: site.site, id });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" bare />;
  if (!line || error) {
    return <DetailPending title={text.detail(id)} actions={actions} error={error} notHeld={text.notHeld} />;
  }
  return (
    <Detail
      label={text.detail(id)}
      actions={actions}
      head={
        <>
          <h2>
            <Money cents={line.amount_in_cents} currency={line.currency} />
          </h2>
          <p>
            <MatchStatus state={line.state} pill />
            <span>{dateText(line.booked_on)}</span>
            <span>{line.account.name}</span>
          </p>
        </>
      }
    >
      <div className="detail-body" key={line.id}>
        <p className="finding">{line.description}</p>
        <Explained site={site.site} of={{ line: line.id }} money={line} />
        <Panel title={text.fromFile}>
          <Facts rows={factsOf(line)} />
          {Object.keys(line.extra).length > 0 && (
            <details className="bank-more">
              <summary>{text.extra}</summary>
              <Facts rows={Object.entries(line.extra)} />
            </details>
          )}
        </Panel>
        <Notes site={site.site} on={{ line: line.id }} noted={line.noted} />
      </div>
    </Detail>
  );
}

function factsOf(line: BankLineDetail): Parameters<typeof Facts>[0]['rows'] {
  const { reference, counterparty, bank_id, payout_id, gateway_transaction_id, foreign } = line;
  const optional = (label: string, value: string | null) =>
    value === null ? null : ([label, value] as const);
  return [
    [titles.kind, text.kinds[line.kind]],
    line.value_on === null ? null : [titles.value, dateText(line.value_on)],
    optional(titles.reference, reference),
    optional(titles.counterparty, counterparty),
    optional(titles.bankId, bank_id),
    payout_id === null
      ? null
      : [
          titles.payout,
          <Link
            key="payout"
            label={text.openPayout}
            onPress={() => showFiltered('bank', { account: [line.account.id], payout_id })}
          >
            {payout_id}
          </Link>,
        ],
    optional(titles.gateway, gateway_transaction_id),
    line.fee_in_cents === null ? null : [titles.fee, <Money key="fee" cents={line.fee_in_cents} />],
    line.net_in_cents === null ? null : [titles.net, <Money key="net" cents={line.net_in_cents} />],
    foreign === null
      ? null
      : [
          words.bank.kinds.fx,
          text.foreign(amountText(foreign.amount_in_cents), foreign.currency, foreign.rate),
        ],
    [
      titles.file,
      <Link key="file" onPress={() => openImport(line.import)}>
        {text.where(line.file, line.place)}
      </Link>,
    ],
  ];
}
