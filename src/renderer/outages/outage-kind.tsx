import { CircleDashed, CircleX, Unplug } from 'lucide-react';
import type { OutageKind as Kind } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const looks: Record<Kind, readonly [StatusTone, typeof CircleX]> = {
  failures: ['bad', CircleX],
  never_sent: ['warn', CircleDashed],
  hole: ['calm', Unplug],
};

/** What kind of outage it was. */
export function OutageKind({ kind }: { readonly kind: Kind }) {
  const [tone, icon] = looks[kind];
  return (
    <StatusLabel tone={tone} icon={icon}>
      {texts.outages.kinds[kind]}
    </StatusLabel>
  );
}
