import { ArrowLeft, ShieldAlert } from 'lucide-react';
import { useEffect } from 'react';
import type { PeriodDetail, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Segments } from '../controls/field.tsx';
import { Skeleton } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Screen } from '../frame/screen.tsx';
import { go } from '../view/view.ts';
import { monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { DriftPart } from './drift-part.tsx';
import { useFront } from './front.ts';
import { ItemsPart } from './items-part.tsx';
import { PeriodStatus } from './looks.tsx';
import { openPeriod, type PeriodPlace, periodParts } from './place.ts';
import { ReportPart } from './report-part.tsx';
import { SignOffPart } from './sign-off-part.tsx';
import { WorkpaperPart } from './workpaper-part.tsx';

const text = words.periods;

/** One period: its sheet, what is outstanding, who stands by it, what changed since, and what is handed in. */
export function PeriodPage({ site, place }: { readonly site: Site; readonly place: PeriodPlace }) {
  const { period, part } = place;
  const { data: detail, error } = useQuery('periods.get', { site: site.site, period });
  useEffect(() => useFront.setState({ period: detail ?? null }), [detail]);
  useEffect(() => () => useFront.setState({ period: null }), []);
  return (
    <Screen
      title={monthText(period)}
      actions={
        <>
          {detail && <PeriodStatus state={detail.state} pill />}
          <Moves />
        </>
      }
    >
      <div className="period-bar">
        <Button
          kind="quiet"
          size="small"
          icon={ArrowLeft}
          label={text.back}
          onPress={() => go({ screen: 'periods', item: null })}
        >
          {text.back}
        </Button>
        <Segments
          label={text.partsLabel}
          labelUnseen
          value={part}
          onChange={(value) => openPeriod(period, value)}
          options={periodParts.map((value) => ({ value, label: text.parts[value] }))}
        />
        {detail && <span className="fineprint">{text.stateTexts[detail.state]}</span>}
      </div>
      {error && !detail && (
        <div className="page">
          <div className="page-inner">
            <ErrorNote error={error} site={site.site} />
          </div>
        </div>
      )}
      {!detail && !error && (
        <div className="page">
          <Skeleton lines={10} />
        </div>
      )}
      {detail && <Damage detail={detail} />}
      {detail && <Part site={site} place={place} detail={detail} />}
    </Screen>
  );
}

/** What is kept of the sign-off and is not as it was sealed: whichever part is looked at must not be taken for what was signed. */
function Damage({ detail: { remarks } }: { readonly detail: PeriodDetail }) {
  const damaged = remarks.filter(({ what }) => what === 'damaged');
  if (damaged.length === 0) return null;
  return (
    <div className="callout callout-bad period-damage" role="alert">
      <ShieldAlert size={16} aria-hidden="true" />
      <div>
        <strong>{text.damaged}</strong>
        {damaged.map(({ message }) => (
          <span key={message}>{message}</span>
        ))}
        <span>{text.damagedHint}</span>
      </div>
    </div>
  );
}

interface PartProps {
  readonly site: Site;
  readonly place: PeriodPlace;
  readonly detail: PeriodDetail;
}

function Part({ site, place, detail }: PartProps) {
  switch (place.part) {
    case 'workpaper':
      return <WorkpaperPart site={site} place={place} detail={detail} />;
    case 'items':
      return <ItemsPart site={site} detail={detail} />;
    case 'signoff':
      return <SignOffPart site={site} detail={detail} />;
    case 'drift':
      return <DriftPart site={site} detail={detail} />;
    case 'report':
      return <ReportPart site={site} period={place.period} />;
  }
}

/** What can be done with the period as it stands; the decisive one last. */
function Moves() {
  const moves = useFront(({ period }) => period?.moves);
  const order = ['reopen', 'reject', 'submit', 'approve', 'close'] as const;
  const shown = order.filter((move) => moves?.includes(move));
  return shown.map((move, at) => (
    <CommandButton
      key={move}
      id={`periods.${move}`}
      kind={at === shown.length - 1 && move !== 'reopen' ? 'primary' : 'plain'}
    />
  ));
}
