import { randomBytes } from 'node:crypto';
import { hashSecret, matchesDigest } from './access-control.ts';

/** Access tokens for one run of the browser host. Each token has 256 random bits and is never written to disk. */
export function createAccessTokens() {
  const createSecret = () => randomBytes(32).toString('base64url');
  const session = createSecret();
  const digest = hashSecret(session);
  let tickets: Buffer[] = [];
  const isSession = (secret: string): boolean => matchesDigest(secret, digest);
  return {
    /** Token that grants access as long as the host runs. The printed address contains this token after `#`. */
    session,
    isSession,
    /**
     * Creates a ticket that can be exchanged for the session token once. Every user of the computer can read a
     * browser's command line, so the ticket in it must be worthless after its first use.
     */
    createTicket(): string {
      const ticket = createSecret();
      tickets.push(hashSecret(ticket));
      return ticket;
    },
    /** Returns true for the session token or an unused ticket. A ticket is accepted only once. */
    redeem(secret: string): boolean {
      const unused = tickets.filter((ticket) => !matchesDigest(secret, ticket));
      const isTicket = unused.length < tickets.length;
      tickets = unused;
      return isTicket || isSession(secret);
    },
  };
}
