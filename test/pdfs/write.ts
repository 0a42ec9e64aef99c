/** Writes PDFs object by object, to create files that no library would write. */
export interface Made {
  /** Objects from number 1. The first is the catalog. */
  readonly objects: readonly (string | Uint8Array)[];
  /** Additional trailer entries. */
  readonly trailer?: string;
}

/** Returns a file with these objects and a correct cross-reference table. */
export function pdfOf({ objects, trailer = '' }: Made): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [ascii('%PDF-1.7\n')];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    places.push(length);
    add(ascii(`${index + 1} 0 obj\n`));
    add(typeof object === 'string' ? ascii(object) : object);
    add(ascii('\nendobj\n'));
  }
  const table = length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  add(ascii(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`));
  add(
    ascii(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${table}\n%%EOF\n`),
  );
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns a stream with its dictionary. */
export function stream(dictionary: string, content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? ascii(content) : content;
  return Buffer.concat([
    ascii(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    ascii('\nendstream'),
  ]);
}

/** Returns content with text at the top left of a page. */
export function textContent(text: string): Uint8Array {
  return stream('', `BT /F1 24 Tf 60 700 Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`);
}

export const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** Returns a one-page document with a text: objects 1 to 5, then `more`, with additional catalog and page entries. */
export function onePage(
  text: string,
  {
    catalog = '',
    page = '',
    content = textContent(text),
    more = [],
    trailer = '',
  }: {
    catalog?: string;
    page?: string;
    content?: Uint8Array;
    more?: readonly (string | Uint8Array)[];
    trailer?: string;
  } = {},
): Uint8Array<ArrayBuffer> {
  const box = page.includes('/MediaBox') ? '' : '/MediaBox [0 0 612 792]';
  return pdfOf({
    trailer,
    objects: [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R ${box} /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R ${page} >>`,
      content,
      FONT,
      ...more,
    ],
  });
}

/** Returns a document with one page per text. */
export function manyPages(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const first = 4;
  const kids = texts.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  return pdfOf({
    objects: [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
      FONT,
      ...texts.flatMap((text, index) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + index * 2 + 1} 0 R >>`,
        textContent(text),
      ]),
    ],
  });
}

function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Returns three pages with an outline entry for each. The last page contains a black square encoded like a fax image. */
export function bookOfThree(): Uint8Array<ArrayBuffer> {
  const page = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> /XObject << /Fax 13 0 R >> >> /Contents ${content} 0 R >>`;
  const title = (text: string, to: number, links: string) =>
    `<< /Title (${text}) /Parent 10 0 R /Dest [${to} 0 R /Fit] ${links} >>`;
  return pdfOf({
    objects: [
      '<< /Type /Catalog /Pages 2 0 R /Outlines 10 0 R >>',
      '<< /Type /Pages /Kids [4 0 R 5 0 R 6 0 R] /Count 3 >>',
      FONT,
      page(7),
      page(8),
      page(9),
      textContent('Chapter one'),
      textContent('Chapter two'),
      stream('', 'BT /F1 24 Tf 60 700 Td (Chapter three) Tj ET q 400 0 0 400 100 100 cm /Fax Do Q'),
      '<< /Type /Outlines /First 11 0 R /Last 12 0 R /Count 2 >>',
      title('To the second', 5, '/Next 12 0 R'),
      title('To the third', 6, '/Prev 11 0 R'),
      stream(
        '/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Decode [1 0] /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 8 /Rows 8 >>',
        Uint8Array.of(0xff, 0x00, 0x10, 0x01),
      ),
    ],
  });
}
