/** Removes all known API keys from texts before they are logged or shown. */
export type Redactor = ReturnType<typeof createRedactor>;

const REDACTED_TEXT = '[redacted]';
/** Minimum length of an API key to redact. Shorter keys would also occur in ordinary words. */
const MIN_KEY_LENGTH = 4;
const BASIC_CREDENTIALS = /\bBasic\s+[A-Za-z0-9+/_-]{4,}={0,2}/gi;
/** Matches a browser host's token in an address or a header. */
const BROWSER_HOST_TOKEN = /(#t=|\bBearer\s+)[\w-]{8,}/gi;

export function createRedactor() {
  const keys = new Set<string>();
  let known: RegExp | null = null;
  return {
    /** Adds an API key to remove from texts. */
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
    // Base64 encodes three bytes as four characters. Only groups that lie entirely in the key do not depend on later
    // data.
    const stablePart = encoded.slice(0, Math.floor(bytes.length / 3) * 4);
    if (stablePart.length >= MIN_KEY_LENGTH) forms.unshift(`${escapeRegExp(stablePart)}[A-Za-z0-9+/_=-]*`);
  }
  return forms;
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
