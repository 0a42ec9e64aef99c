interface PaymentSide {
  readonly transaction_count: number;
  /** Payout that the match deposits. */
  readonly payout: number | null;
  /** Payment that the match reverses. */
  readonly reverses: number | null;
}

/** Returns true if a match names a payment: its own, a payout, or one that it reverses. No other match can be confirmed. */
export const namesPayment = ({ transaction_count, payout, reverses }: PaymentSide): boolean =>
  transaction_count > 0 || payout !== null || reverses !== null;
