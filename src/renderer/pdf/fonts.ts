/**
 * What a PDF may refer to without bringing it: the standard fonts and the character maps, shipped with the window as
 * files of its own and read when a document asks for one.
 */
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

const addresses = new Map(
  Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
);

/** In the place of pdf.js's own reader of such files, which knows only a folder. */
export class ShippedFiles {
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const address = addresses.get(filename);
    if (address === undefined) throw new Error(`not shipped: ${filename}`);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`not readable: ${filename}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}
