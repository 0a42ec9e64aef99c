import { CircleAlert, Info, MessageSquare } from 'lucide-react';
import type { SigningRemark } from '../../../contract/index.ts';
import { StatusLabel } from '../../controls/status-label.tsx';
import { texts } from '../../texts/texts.ts';

const text = texts.periods.signOff;
const remarkStyles = {
  fix: ['bad', CircleAlert],
  comment: ['warn', MessageSquare],
  nothing: ['calm', Info],
} as const;

/** Lists the remarks for the signer: problems to fix, remarks that require a comment, and information. */
export function SignOffRemarks({ remarks }: { readonly remarks: readonly SigningRemark[] }) {
  return (
    <ul className="remarks">
      {remarks.map(({ kind: what, message, requires }) => {
        const [tone, icon] = remarkStyles[requires];
        return (
          <li key={what + message}>
            <span>{message}</span>
            <StatusLabel tone={tone} icon={icon} text={text.remarkLabels[requires]} />
          </li>
        );
      })}
    </ul>
  );
}
