/** The files of a bag as RFC 8493 writes them. */

/** Section 2.1.1. */
export const BAGIT_TXT = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';

export const BAGIT = 'bagit.txt';
export const BAG_INFO = 'bag-info.txt';
export const MANIFEST = 'manifest-sha256.txt';
export const TAG_MANIFEST = 'tagmanifest-sha256.txt';
export const PAYLOAD = 'data/';

/** A file of a bag, by its path from the bag's folder on, with `/`. */
export interface ListedFile {
  readonly path: string;
  /** In hex, lower case. */
  readonly sha256: string;
}

/** A line of a manifest. Section 2.1.3: of a path CR, LF and % are percent-encoded. */
export function manifestLine({ path, sha256 }: ListedFile): string {
  const encoded = path.replace(
    /[%\r\n]/g,
    (sign) => ({ '%': '%25', '\r': '%0D', '\n': '%0A' })[sign] as string,
  );
  return `${sha256}  ${encoded}\n`;
}

/** The file of a manifest's line; null where it is none. */
export function readManifestLine(line: string): ListedFile | null {
  const [, sha256, path] = /^([0-9a-fA-F]{64})[ \t]+\*?(.+)$/.exec(line) ?? [];
  if (sha256 === undefined || path === undefined) return null;
  const decoded = path.replace(/%(0[dD]|0[aA]|25)/g, (code) => decodeURIComponent(code));
  return { path: decoded.replace(/^\.\//, ''), sha256: sha256.toLowerCase() };
}

/** `bag-info.txt`, section 2.2.2: a label and its value a line; what would break the line is a space. */
export function bagInfo(fields: readonly (readonly [label: string, value: string])[]): string {
  return fields.map(([label, value]) => `${label}: ${value.replace(/\s+/g, ' ').trim()}\n`).join('');
}

/** The values of `bag-info.txt` by label; of a label that stands twice, the last. */
export function readBagInfo(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) fields.set(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return fields;
}
