/** Removes all known keys from texts before they are logged or shown. */
export type Redactor = ReturnType<typeof createRedactor>;

const REDACTED_TEXT = '[redacted]';
/** Minimum length of a key to be removed. Shorter ones would occur in ordinary words. */
const MIN_KEY_LENGTH = 4;
const BASIC_CREDENTIALS = /\bBasic\s+[A-Za-z0-9+/_-]{4,}={0,2}/gi;
/** Matches a token of the browser host in an address or a header. */
const BROWSER_HOST_TOKEN = /(#t=|\bBearer\s+)[\w-]{8,}/gi;

export function createRedactor() {
  const keys = new Set<string>();
  let known: RegExp | null = null;
  return {
    /** Adds a key to be removed from texts. */
    addKey(key: string): void {
      if (key.length < MIN_KEY_LENGTH || keys.has(key)) return;
      keys.add(key);
      known = new RegExp([...keys].flatMap(listKeyPatterns).join('|'), 'gi');
    },
    redact(text: string): string {
      const plain = text
        .replace(BASIC_CREDENTIALS, `Basic ${REDACTED_TEXT}`)
        .replace(BROWSER_HOST_TOKEN, `$1${REDACTED_TEXT}`);
      return known ? plain.replace(known, REDACTED_TEXT) : plain;
    },
  };
}

/** Returns regular expressions for all encodings of a key: plain, JSON, URL, hex, and Base64 followed by other data. */
function listKeyPatterns(key: string): string[] {
  const bytes = Buffer.from(key);
  const encodings = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), bytes.toString('hex')];
  const forms = [...new Set(encodings)].map(escapeRegExp);
  for (const name of ['base64', 'base64url'] as const) {
    const encoded = bytes.toString(name);
    // Three bytes become four characters. Only groups that consist entirely of the key are independent of later data.
    const stablePart = encoded.slice(0, Math.floor(bytes.length / 3) * 4);
    if (stablePart.length >= MIN_KEY_LENGTH) forms.unshift(`${escapeRegExp(stablePart)}[A-Za-z0-9+/_=-]*`);
  }
  return forms;
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
