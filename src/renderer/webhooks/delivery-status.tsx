import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { WebhookDeliveryState } from '../../contract/index.ts';
import { createStatusBadge } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

export const DeliveryStatus = createStatusBadge<WebhookDeliveryState>(
  { accepted: ['good', CircleCheck], failed: ['bad', CircleX], pending: ['warn', CircleDashed] },
  texts.webhooks.delivery,
);
