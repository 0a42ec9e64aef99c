import { CircleDashed, CircleX, Unplug } from 'lucide-react';
import type { OutageKind as Kind } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const kindStyles: Record<Kind, readonly [StatusTone, typeof CircleX]> = {
  failures: ['bad', CircleX],
  never_sent: ['warn', CircleDashed],
  hole: ['calm', Unplug],
};

export function OutageKindLabel({ kind }: { readonly kind: Kind }) {
  const [tone, icon] = kindStyles[kind];
  return (
    <StatusLabel tone={tone} icon={icon}>
      {texts.outages.kinds[kind]}
    </StatusLabel>
  );
}
