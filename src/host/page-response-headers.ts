/** Content security policy of the page. Everything must come from the app, except generated images. */
const CONTENT_SECURITY_POLICY = {
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

/** Formats the content security policy as a header. `socket` is the exact WebSocket origin of a browser host. */
export function formatContentSecurityPolicy(socket?: string): string {
  return Object.entries(CONTENT_SECURITY_POLICY)
    .map(([name, sources]) =>
      [name, ...sources, ...(socket && name === 'connect-src' ? [socket] : [])].join(' '),
    )
    .join('; ');
}

/** Returns the HTTP headers of every response to a page. */
export function createPageHeaders(socket?: string): Record<string, string> {
  return {
    'content-security-policy': formatContentSecurityPolicy(socket),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=()',
  };
}
