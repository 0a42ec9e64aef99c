/**
 * What the page may do, as headers: one constant for Electron and the browser host. Scripts, styles, workers and fonts are files
 * of the app; pictures may also be made by it; it talks to its own origin only; it frames nothing but statements' own `srcdoc`.
 */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'frame-src': ["'none'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
} as const;

/** The policy as a header; `socket` is the exact WebSocket origin a browser host adds. */
export function policyFor(socket?: string): string {
  return Object.entries(POLICY)
    .map(([name, sources]) =>
      [name, ...sources, ...(socket && name === 'connect-src' ? [socket] : [])].join(' '),
    )
    .join('; ');
}

/** Headers of every answer a page gets, whatever it asked for. */
export function pageHeaders(socket?: string): Record<string, string> {
  return {
    'content-security-policy': policyFor(socket),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=()',
  };
}
