import { lookup } from 'node:dns';
import { lookup as lookupAsync } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { BillingError } from '../errors/billing-error.ts';

/** Networks of this computer, of local networks and without receivers on the internet (IANA special-purpose registries). */
const NOT_PUBLIC: readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // Unspecified, loopback and IPv4-compatible addresses.
  ['::', 96, 'ipv6'],
  // Translated and tunneled IPv4 addresses, which may be private.
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];
const notPublic = new BlockList();
for (const rule of NOT_PUBLIC) notPublic.addSubnet(...rule);

/** Returns true if an IP address belongs to the internet, not to this computer or a local network. */
export const isPublicAddress = (ip: string): boolean =>
  isIP(ip) !== 0 && !notPublic.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');

/**
 * Throws `validation` if a URL's host is this computer or in a local network. A page in the window, which might be compromised,
 * must not reach services there. An unknown host passes, because connecting fails.
 */
export async function requirePublicHost(hostname: string): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found =
    isIP(host) === 0 ? await lookupAsync(host, { all: true }).catch(() => []) : [{ address: host }];
  if (found.every(({ address }) => isPublicAddress(address))) return;
  throw new BillingError('validation', `${hostname} is this computer or in a local network.`, {
    hint: 'The window connects only to public addresses. Use the command line for this address.',
  });
}

/** Resolves names for connections. Fails for hosts that are not public, because a name may resolve differently each time. */
export const lookupPublicAddress: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const isPublic = found.length > 0 && found.every(({ address }) => isPublicAddress(address));
    if (!isPublic)
      return callback(Object.assign(new Error('not a public address'), { code: 'EHOSTUNREACH' }), []);
    if (options.all === true) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  });
};

/** `fetch` that connects only to public addresses. The caller checks an address without a name with `requirePublicHost`. */
export const fetchPublic: typeof fetch = async (input, init) => {
  const undici = await import('undici');
  const dispatcher = new undici.Agent({ connect: { lookup: lookupPublicAddress }, pipelining: 0 });
  return (await undici.fetch(input as string, { ...init, dispatcher } as object)) as unknown as Response;
};
