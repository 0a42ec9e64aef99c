/** What a call throws; fails where it throws nothing. */
export function caught(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}
