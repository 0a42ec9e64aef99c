import { randomBytes } from 'node:crypto';
import { hashSecret, matchesDigest } from './access-control.ts';

/** Access tokens of one run of the browser host. Each has 256 random bits and is never written to disk. */
export interface AccessTokens {
  /** Token that grants access as long as the host runs. It is printed as part of the address, after `#`. */
  readonly session: string;
  isSession(secret: string): boolean;
  /**
   * Creates a ticket that can be exchanged for the session token once. A browser's command line can be read by every user
   * of the machine, so the ticket in it must be worthless after use.
   */
  createTicket(): string;
  /**
   * Returns true if the caller may receive the session token: it has the token itself, or an unused ticket. The ticket is
   * then used up.
   */
  redeem(secret: string): boolean;
}

export function createAccessTokens(): AccessTokens {
  const createSecret = () => randomBytes(32).toString('base64url');
  const session = createSecret();
  const digest = hashSecret(session);
  let tickets: Buffer[] = [];
  const isSession = (secret: string) => matchesDigest(secret, digest);
  return {
    session,
    isSession,
    createTicket() {
      const ticket = createSecret();
      tickets.push(hashSecret(ticket));
      return ticket;
    },
    redeem(secret) {
      const left = tickets.filter((ticket) => !matchesDigest(secret, ticket));
      const used = left.length < tickets.length;
      tickets = left;
      return used || isSession(secret);
    },
  };
}
