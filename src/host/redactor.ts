/** Removes every live key from text before it is logged or shown. */
export interface Redactor {
  /** Adds a key to remove. */
  learn(key: string): void;
  redact(text: string): string;
}

const MARK = '[redacted]';
/** Minimum length of a key. A shorter one would occur in ordinary words. */
const SHORTEST = 4;
const BASIC = /\bBasic\s+[A-Za-z0-9+/_-]{4,}={0,2}/gi;
/** A token in an address or a header of the browser host. */
const BEARER = /(#t=|\bBearer\s+)[\w-]{8,}/gi;

export function createRedactor(): Redactor {
  const keys = new Set<string>();
  let known: RegExp | null = null;
  return {
    learn(key) {
      if (key.length < SHORTEST || keys.has(key)) return;
      keys.add(key);
      known = new RegExp([...keys].flatMap(formsOf).join('|'), 'gi');
    },
    redact(text) {
      const plain = text.replace(BASIC, `Basic ${MARK}`).replace(BEARER, `$1${MARK}`);
      return known ? plain.replace(known, MARK) : plain;
    },
  };
}

/** Returns the possible encodings of a key, longest first: plain, JSON, URL, hex, and Base64 with anything after it. */
function formsOf(key: string): string[] {
  const plain = [
    key,
    JSON.stringify(key).slice(1, -1),
    encodeURIComponent(key),
    Buffer.from(key).toString('hex'),
  ];
  const forms = [...new Set(plain)].map(escaped);
  for (const name of ['base64', 'base64url'] as const) {
    const whole = Buffer.from(key).toString(name);
    // Three bytes become four Base64 characters. Groups filled by the key alone do not depend on what follows.
    const sure = whole.slice(0, Math.floor(Buffer.byteLength(key) / 3) * 4);
    if (sure.length >= SHORTEST) forms.unshift(`${escaped(sure)}[A-Za-z0-9+/_=-]*`);
  }
  return forms;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
