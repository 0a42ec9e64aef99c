import { CircleDashed, CircleX, Unplug } from 'lucide-react';
import type { OutageKind as Kind } from '../../contract/index.ts';
import { Status, type Tone } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const looks: Record<Kind, readonly [Tone, typeof CircleX]> = {
  failures: ['bad', CircleX],
  never_sent: ['warn', CircleDashed],
  hole: ['calm', Unplug],
};

/** What kind of outage it was. */
export function OutageKind({ kind }: { readonly kind: Kind }) {
  const [tone, icon] = looks[kind];
  return (
    <Status tone={tone} icon={icon}>
      {words.outages.kinds[kind]}
    </Status>
  );
}
