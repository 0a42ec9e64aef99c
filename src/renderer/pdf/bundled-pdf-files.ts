/** Standard fonts and character maps that a PDF may use without embedding them, loaded on demand. */
const files: Record<string, string> = {
  ...import.meta.glob<string>('../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
};

const urlsByName = new Map(
  Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
);

/** Loads bundled files for pdf.js, whose own loader can only load from a single folder. */
export class BundledPdfFiles {
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const url = urlsByName.get(filename);
    if (url === undefined) throw new Error(`not bundled: ${filename}`);
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`not readable: ${filename}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}
