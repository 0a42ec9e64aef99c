import { ArrowLeftRight, ChevronRight, FileText, Layers, type LucideIcon, Webhook, Zap } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { ExceptionDetail, ExceptionEvidence } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { Keys } from '../controls/keys.tsx';
import { Panel } from '../controls/pieces.tsx';
import { StateStatus } from '../statements/state-status.tsx';
import { openPlace } from '../view/place.ts';
import { DeliveryStatus } from '../webhooks/delivery-status.tsx';
import { words } from '../words/words.ts';
import { evidenceKey, homeOf } from './evidence.ts';

const text = words.exceptions;
const FEW = 12;

const icons: Record<ExceptionEvidence['kind'], LucideIcon> = {
  statement: FileText,
  transaction: ArrowLeftRight,
  event: Zap,
  webhook: Webhook,
  allocation: Layers,
};

/** Every row behind an exception, each one press or one key away. */
export function Evidence({ exception }: { readonly exception: ExceptionDetail }) {
  const [all, setAll] = useState(false);
  const { rows } = exception;
  const shown = all ? rows : rows.slice(0, FEW);
  if (rows.length === 0) return null;
  return (
    <Panel title={text.rows}>
      <ul className="evidence">
        {shown.map((row, place) => (
          <li key={evidenceKey(row)}>
            <Row evidence={row} place={place + 1} />
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <Button kind="quiet" size="small" onPress={() => setAll(true)}>
          {text.moreRows(rows.length - shown.length)}
        </Button>
      )}
    </Panel>
  );
}

function Row({ evidence, place }: { readonly evidence: ExceptionEvidence; readonly place: number }) {
  const Icon = icons[evidence.kind];
  return (
    <AriaButton className="evidence-row" onPress={() => openPlace(homeOf(evidence))}>
      <Icon size={15} aria-hidden="true" />
      <span className="evidence-text">{evidence.text}</span>
      <Now evidence={evidence} />
      {place <= 9 && <Keys keys={String(place)} />}
      <ChevronRight size={14} aria-hidden="true" />
    </AriaButton>
  );
}

/** The row as it stands now. */
function Now({ evidence }: { readonly evidence: ExceptionEvidence }) {
  if (evidence.row === null) return <span className="fineprint">{text.rowGone}</span>;
  switch (evidence.kind) {
    case 'statement':
      return <StateStatus state={evidence.row.state} />;
    case 'webhook':
      return <DeliveryStatus delivery={evidence.row.delivery} />;
    default:
      return null;
  }
}
