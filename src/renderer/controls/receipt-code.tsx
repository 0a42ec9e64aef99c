import {
  createReceiptQrCode,
  formatQrCodePath,
  QR_CODE_QUIET_ZONE,
  QR_CODE_SIZE,
} from '../../domain/qr-code/index.ts';
import { texts } from '../texts/texts.ts';
import { CopyButton } from './copy-button.tsx';
import './receipt-code.css';

const text = texts.periods.signOff;
const SIZE = QR_CODE_SIZE + 2 * QR_CODE_QUIET_ZONE;

/** Shows a receipt as text with a copy button and as a QR code, to be stored on another device. */
export function ReceiptCode({ receipt }: { readonly receipt: string }) {
  return (
    <figure className="receipt-code">
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={text.receiptCode}>
        <rect width={SIZE} height={SIZE} fill="#fff" />
        <path d={formatQrCodePath(createReceiptQrCode(receipt))} fill="#000" shapeRendering="crispEdges" />
      </svg>
      <figcaption>
        <small className="entry-receipt">
          {text.receipt} <code>{receipt}</code>
          <CopyButton text={receipt} label={text.copyReceipt} />
        </small>
        <p className="fineprint">{text.receiptNote}</p>
      </figcaption>
    </figure>
  );
}
