import { randomBytes } from 'node:crypto';
import { digestOf, isSecret } from './guard.ts';

/** The secrets of one run of the browser host: 256 bits each, never written anywhere. */
export interface Tokens {
  /** Opens everything, for as long as the host runs. It is printed in the address, behind `#`. */
  readonly session: string;
  isSession(given: string): boolean;
  /**
   * A ticket that is good for the session token once: what is handed to a browser stands in its command line, where every user of the
   * machine may read it, so it must be worth nothing by then.
   */
  ticket(): string;
  /** Whether this may be given the session token: the token itself, or a ticket, which is used up. */
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
