/** Things done one behind the other, of which only the newest counts. */
export interface Newest {
  /**
   * Does it once what is under way is over. Null where a newer one came meanwhile or it was forgotten: then it was not begun, or what
   * came of it, were it a failure, counts no more.
   */
  run<T>(act: () => Promise<T>): Promise<{ readonly done: T } | null>;
  /** What is under way counts no more. */
  forget(): void;
}

export function createNewest(): Newest {
  let current: object | null = null;
  let before: Promise<unknown> = Promise.resolve();
  return {
    async run(act) {
      const mine = {};
      current = mine;
      const doing = before.then(async () => (current === mine ? { done: await act() } : null));
      before = doing.catch(() => undefined);
      try {
        const came = await doing;
        return current === mine ? came : null;
      } catch (thrown) {
        if (current === mine) throw thrown;
        return null;
      }
    },
    forget() {
      current = null;
    },
  };
}
