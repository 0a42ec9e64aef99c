import { readBankFile } from '../../../src/domain/bankfiles/index.ts';

/** Reads a bank file as an import does and returns the payer of each line. */
export async function readPayers(csv: string): Promise<(string | null)[]> {
  const bytes = new TextEncoder().encode(csv);
  const payers: (string | null)[] = [];
  const source = {
    size: bytes.length,
    *chunks() {
      yield bytes;
    },
  };
  await readBankFile(
    source,
    {},
    {
      onLine: ({ counterparty }) => void payers.push(counterparty),
      onProblem: () => undefined,
    },
  );
  return payers;
}
