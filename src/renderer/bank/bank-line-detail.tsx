import { ListPlus } from 'lucide-react';
import type { BankLineDetail, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommentsPanel } from '../comments/comments-panel.tsx';
import { Button } from '../controls/button.tsx';
import { LabeledValueList, Money } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { RecordPane } from '../list-screen/record-pane.tsx';
import { openRuleForLine } from '../matching/rules/suggested-rule-draft.ts';
import { RelatedMatches } from '../matching/shared/related-matches.tsx';
import { PaymentTrailPanel } from '../matching/trail/payment-trail-panel.tsx';
import { openFilteredList } from '../navigation/window-state.ts';
import { formatDate } from '../texts/date-times.ts';
import { formatAmount } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { openBankImport } from './bank-route.ts';
import { MatchStateBadge } from './status-badges.tsx';

const text = texts.bank;
const titles = text.columns;

/** Shows one bank line with its matches, its fields from the file, and its comments. */
export function BankLineDetailPane({ site, id }: { readonly site: Site; readonly id: number }) {
  return (
    <RecordPane
      title={text.detail(id)}
      query={useQuery('bank.getLine', { site: site.site, id })}
      notFoundText={text.notFound}
      head={({ amount_in_cents, currency, state, booked_on, account }) => (
        <>
          <h2>
            <Money cents={amount_in_cents} currency={currency} />
          </h2>
          <p>
            <MatchStateBadge status={state} pill />
            <span>{formatDate(booked_on)}</span>
            <span>{account.name}</span>
          </p>
        </>
      )}
    >
      {(line) => (
        <div className="detail-body" key={line.id}>
          <p className="finding">{line.description}</p>
          <RelatedMatches site={site.site} of={{ line: line.id }} money={line} />
          <div className="decisions">
            <Button size="small" icon={ListPlus} onPress={() => openRuleForLine(line)}>
              {text.ruleFromLine}
            </Button>
          </div>
          <Panel title={text.fromFile}>
            <LabeledValueList rows={factsOf(line)} />
            {Object.keys(line.extra).length > 0 && (
              <details className="bank-more">
                <summary>{text.otherFields}</summary>
                <LabeledValueList rows={Object.entries(line.extra)} />
              </details>
            )}
          </Panel>
          <PaymentTrailPanel site={site.site} from={{ kind: 'line', id: line.id }} />
          <CommentsPanel site={site.site} kind="line" id={line.id} />
        </div>
      )}
    </RecordPane>
  );
}

function factsOf(line: BankLineDetail): Parameters<typeof LabeledValueList>[0]['rows'] {
  const { reference, counterparty, bank_id, payout_id, gateway_transaction_id, foreign } = line;
  const optional = (label: string, value: string | null) =>
    value === null ? null : ([label, value] as const);
  return [
    [titles.kind, text.kinds[line.kind]],
    line.value_on === null ? null : [titles.value, formatDate(line.value_on)],
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
            onPress={() => openFilteredList('bank', { account: [line.account.id], payout_id })}
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
          texts.bank.kinds.fx,
          text.foreignAmount(formatAmount(foreign.amount_in_cents), foreign.currency, foreign.rate),
        ],
    [
      titles.file,
      <Link key="file" onPress={() => openBankImport(line.import)}>
        {text.fileLocation(line.file, line.location)}
      </Link>,
    ],
  ];
}
