import { CircleDashed, CircleX, Unplug } from 'lucide-react';
import type { OutageKind } from '../../contract/index.ts';
import { createStatusBadge } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

export const OutageKindBadge = createStatusBadge<OutageKind>(
  { failures: ['bad', CircleX], never_sent: ['warn', CircleDashed], gap: ['calm', Unplug] },
  texts.outages.kinds,
);
