import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { Delivery } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const deliveryStyles: Record<Delivery, readonly [StatusTone, typeof CircleCheck]> = {
  accepted: ['good', CircleCheck],
  failed: ['bad', CircleX],
  pending: ['warn', CircleDashed],
};

export function DeliveryStatus({
  delivery,
  pill = false,
}: {
  readonly delivery: Delivery;
  readonly pill?: boolean;
}) {
  const [tone, icon] = deliveryStyles[delivery];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.webhooks.delivery[delivery]}
    </StatusLabel>
  );
}
