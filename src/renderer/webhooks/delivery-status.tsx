import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { Delivery } from '../../contract/index.ts';
import { Status, type Tone } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const looks: Record<Delivery, readonly [Tone, typeof CircleCheck]> = {
  accepted: ['good', CircleCheck],
  failed: ['bad', CircleX],
  pending: ['warn', CircleDashed],
};

/** Whether the merchant's endpoint took it. */
export function DeliveryStatus({
  delivery,
  pill = false,
}: {
  readonly delivery: Delivery;
  readonly pill?: boolean;
}) {
  const [tone, icon] = looks[delivery];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.webhooks.delivery[delivery]}
    </Status>
  );
}
