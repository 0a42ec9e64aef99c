import { CircleAlert, Info, MessageSquare } from 'lucide-react';
import type { PeriodRemark } from '../../contract/index.ts';
import { Status } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const text = words.periods.sign;
const looks = {
  mending: ['bad', CircleAlert],
  comment: ['warn', MessageSquare],
  nothing: ['calm', Info],
} as const;

/** What whoever signs meets: what must be mended, what asks for a comment, what is to be known. */
export function Remarks({ remarks }: { readonly remarks: readonly PeriodRemark[] }) {
  return (
    <ul className="remarks">
      {remarks.map(({ what, message, asks }) => {
        const [tone, icon] = looks[asks];
        return (
          <li key={what + message}>
            <span>{message}</span>
            <Status tone={tone} icon={icon}>
              {text.asks[asks]}
            </Status>
          </li>
        );
      })}
    </ul>
  );
}
