import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { Delivery } from '../../contract/index.ts';
import { createStatusBadge } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

export const DeliveryStatus = createStatusBadge<Delivery>(
  { accepted: ['good', CircleCheck], failed: ['bad', CircleX], pending: ['warn', CircleDashed] },
  texts.webhooks.delivery,
);
