import type { FluxLine, PeriodDetail } from '../../../contract/index.ts';
import { FLUX_PARTS } from '../../../domain/flux/index.ts';
import { useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { Money } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { DataTable } from '../../controls/table-head.tsx';
import { openRecordLocation, recordLocations } from '../../navigation/record-location.ts';
import { formatMonth } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { CommentForm } from './figure-comments.tsx';

const text = texts.periods.flux;
/** Number of subscriptions shown. The command line and the report list all of them. */
const MAX_SUBSCRIPTIONS = 20;

interface FigureFluxProps {
  readonly site: string;
  readonly detail: PeriodDetail;
  readonly currency: string;
  readonly figure: string;
}

/** Shows the change in a figure from the previous month, split by cause and by subscription, with its explanation. */
export function FigureFlux({ site, detail, currency, figure }: FigureFluxProps) {
  const client = useContractClient();
  const { period, state } = detail;
  const { data } = useQuery('workpapers.flux', { site, period });
  const line = data?.lines.find((each) => each.currency === currency && each.figure === figure);
  if (data === undefined || line === undefined) return null;
  const { parts, explanation } = line;
  return (
    <details className="figure-flux">
      <summary>
        {text.title(formatMonth(data.previous))}{' '}
        <Money cents={line.difference_in_cents} currency={currency} />
      </summary>
      {parts === null ? (
        <p className="fineprint">{text.unknown(formatMonth(data.previous))}</p>
      ) : (
        <FluxParts line={line} parts={parts} />
      )}
      {parts !== null && <Subscriptions site={site} period={period} currency={currency} figure={figure} />}
      {explanation !== null && (
        <p>
          <b>{text.explanation}</b> {texts.periods.signOff.byPerson(explanation.name)}
          {explanation.period !== period && `, ${text.carried(formatMonth(explanation.period))}`}:{' '}
          {explanation.text}
        </p>
      )}
      {state === 'open' && (
        <CommentForm
          site={site}
          label={text.explanation}
          actions={[
            [
              text.explain,
              (typed) => client.periods.explainFlux({ site, period, currency, figure, text: typed }),
            ],
          ]}
        />
      )}
    </details>
  );
}

function FluxParts({
  line,
  parts,
}: {
  readonly line: FluxLine;
  readonly parts: NonNullable<FluxLine['parts']>;
}) {
  const rows = [
    { key: 'previous', cells: [text.previous, <Money key="amount" cents={line.previous_in_cents} />] },
    ...FLUX_PARTS.filter((part) => parts[part] !== 0).map((part) => ({
      key: part,
      cells: [text.parts[part], <Money key="amount" cents={parts[part]} />],
    })),
    {
      key: 'current',
      className: 'sheet-total',
      cells: [text.current, <Money key="amount" cents={line.current_in_cents} />],
    },
  ];
  return <DataTable className="table sheet-table" titles={[text.cause, { end: text.amount }]} rows={rows} />;
}

function Subscriptions({
  site,
  period,
  currency,
  figure,
}: Omit<FigureFluxProps, 'detail'> & { period: string }) {
  const query = { site, period, currency, figure, limit: MAX_SUBSCRIPTIONS };
  const { data } = useQuery('workpapers.fluxRows', query);
  const rows = (data?.rows ?? []).filter(({ parts }) => FLUX_PARTS.some((part) => parts[part] !== 0));
  if (rows.length === 0) return null;
  return (
    <DataTable
      className="table sheet-table"
      titles={[text.subscription, text.cause, { end: text.difference }]}
      rows={rows.map(({ subscription, customer, parts, previous_in_cents, current_in_cents }) => ({
        key: subscription ?? 'none',
        cells: [
          subscription === null ? (
            text.none
          ) : (
            <Link
              key="subscription"
              onPress={() => openRecordLocation(recordLocations.subscription(subscription))}
            >
              {customer} ({subscription})
            </Link>
          ),
          FLUX_PARTS.filter((part) => parts[part] !== 0)
            .map((part) => text.parts[part])
            .join(', '),
          <Money key="amount" cents={current_in_cents - previous_in_cents} />,
        ],
      }))}
    />
  );
}
