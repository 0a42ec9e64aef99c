/** File formats of a BagIt bag (RFC 8493). */

/** Content of `bagit.txt` (RFC 8493, section 2.1.1). */
export const BAGIT_TXT = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';

export const BAGIT_FILE = 'bagit.txt';
export const BAG_INFO_FILE = 'bag-info.txt';
export const MANIFEST_FILE = 'manifest-sha256.txt';
export const TAG_MANIFEST_FILE = 'tagmanifest-sha256.txt';
export const PAYLOAD_FOLDER = 'data/';

/** The tag files of a bag that Tieout writes. */
export const TAG_FILES: readonly string[] = [BAGIT_FILE, BAG_INFO_FILE, MANIFEST_FILE, TAG_MANIFEST_FILE];

/** Entry of a manifest. The path is relative to the bag and uses `/`. */
export interface ManifestEntry {
  readonly path: string;
  /** SHA-256 in lowercase hexadecimal. */
  readonly sha256: string;
}

/** Returns the path in the bag of a payload file. */
export const getPayloadPath = (path: string): string => `${PAYLOAD_FOLDER}${path}`;

/** Formats a line of a manifest. CR, LF and % in the path are percent-encoded (RFC 8493, section 2.1.3). */
export function formatManifestLine({ path, sha256 }: ManifestEntry): string {
  const encoded = path.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `${sha256}  ${encoded}\n`;
}

/** Parses a line of a manifest. Returns null if it is invalid. */
export function parseManifestLine(line: string): ManifestEntry | null {
  const [, sha256, path] = /^([0-9a-fA-F]{64})[ \t]+\*?(.+)$/.exec(line) ?? [];
  if (sha256 === undefined || path === undefined) return null;
  const decoded = path.replace(/%(0[dD]|0[aA]|25)/g, (code) => decodeURIComponent(code));
  return { path: decoded.replace(/^\.\//, ''), sha256: sha256.toLowerCase() };
}

/** Formats `bag-info.txt` (RFC 8493, section 2.2.2). Line breaks in values become spaces. */
export function formatBagInfo(fields: readonly (readonly [label: string, value: string])[]): string {
  return fields.map(([label, value]) => `${label}: ${value.replace(/\s+/g, ' ').trim()}\n`).join('');
}

/** Parses `bag-info.txt`. Returns the values by label. If a label is repeated, the last value wins. */
export function parseBagInfo(text: string): Map<string, string> {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : [];
    }),
  );
}
