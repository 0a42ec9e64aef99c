import { createQrCode, QR_CODE_SIZE, type QrCode } from './qr-code.ts';

/** Light modules around a QR code, which readers need (ISO/IEC 18004). */
export const QR_CODE_QUIET_ZONE = 4;

/** Returns the QR code of a receipt. Capital letters make it smaller; `tieout verify` accepts either case. */
export const createReceiptQrCode = (receipt: string): QrCode => createQrCode(receipt.toUpperCase());

/** Returns a QR code as lines of text, two rows per line. Light modules are drawn, as for a terminal with light text. */
export function formatQrCodeText(code: QrCode): string[] {
  const first = -QR_CODE_QUIET_ZONE / 2;
  const size = QR_CODE_SIZE + QR_CODE_QUIET_ZONE;
  const isLight = (row: number, column: number) => row < first + size && !code[row]?.[column];
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) => {
    const row = first + 2 * line;
    return Array.from({ length: size }, (__, at) => {
      const [upper, lower] = [isLight(row, first + at), isLight(row + 1, first + at)];
      return upper ? (lower ? '█' : '▀') : lower ? '▄' : ' ';
    }).join('');
  });
}

/** Returns the dark modules as an SVG path, one unit per module, with the quiet zone at the edges. */
export function formatQrCodePath(code: QrCode): string {
  return code
    .flatMap((cells, row) =>
      cells.map((isDark, column) =>
        isDark ? `M${column + QR_CODE_QUIET_ZONE} ${row + QR_CODE_QUIET_ZONE}h1v1h-1z` : '',
      ),
    )
    .join('');
}
