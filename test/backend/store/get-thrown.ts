/** Returns the error that a call throws. Fails if it throws none. */
export function getThrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}
