/** Takes every live key out of text on its way to a log or a screen. */
export interface Redactor {
  /** Knows this key from now on. */
  learn(key: string): void;
  redact(text: string): string;
}

const MARK = '[redacted]';
/** Below this, a "key" would be part of ordinary words. */
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

/** The ways a key may be written, longest first: as it is, in JSON, in an address, in hex, and in Base64 whatever follows it. */
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
    // Groups of three bytes stand for four characters; those filled by the key alone are the same whatever follows.
    const sure = whole.slice(0, Math.floor(Buffer.byteLength(key) / 3) * 4);
    if (sure.length >= SHORTEST) forms.unshift(`${escaped(sure)}[A-Za-z0-9+/_=-]*`);
  }
  return forms;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
