import { randomBytes } from 'node:crypto';
import { digestOf, isSecret } from './guard.ts';

/** Secrets of one run of the browser host: 256 bits each, never written anywhere. */
export interface Tokens {
  /** Grants access as long as the host runs. Printed in the address after `#`. */
  readonly session: string;
  isSession(given: string): boolean;
  /**
   * Returns a ticket that can be exchanged for the session token once. A browser's command line is readable by every user
   * of the machine, so what it contains must be worthless afterwards.
   */
  ticket(): string;
  /** Returns true if the session token may be returned: for the token itself, or for a ticket, which is then used up. */
  redeem(given: string): boolean;
}

export function createTokens(): Tokens {
  const make = () => randomBytes(32).toString('base64url');
  const session = make();
  const digest = digestOf(session);
  let tickets: Buffer[] = [];
  const isSession = (given: string) => isSecret(given, digest);
  return {
    session,
    isSession,
    ticket() {
      const ticket = make();
      tickets.push(digestOf(ticket));
      return ticket;
    },
    redeem(given) {
      const left = tickets.filter((ticket) => !isSecret(given, ticket));
      const used = left.length < tickets.length;
      tickets = left;
      return used || isSession(given);
    },
  };
}
