/** Facts about rows that the cache database does not contain. */
export interface RecordContext {
  /** Converts a local read time to the service's clock. */
  serviceTime(read_at: number): number;
  /** Returns true if every listed statement of a subscription is stored. */
  isComplete(subscription_id: number): boolean;
  /** True if webhook bodies are needed, for checking signatures. */
  bodies: boolean;
}
