import { resolve } from 'node:path';
import type { BackendClient } from '../../../contract/contract.ts';
import type { PackReview } from '../../../contract/evidence-packs/pack-review.ts';
import { formatSigningKey } from '../../../domain/labels/periods.ts';
import { omitUndefined } from '../../input/options.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import {
  addCertificationOption,
  type CertificationOptions,
  findConfirmedTexts,
} from '../period/certification-options.ts';
import {
  addReviewOptions,
  addSignerOptions,
  type ReviewOptions,
  requireReviewVerdict,
} from '../period/review-options.ts';

interface PackReviewOptions extends ReviewOptions, CertificationOptions {
  readonly output: string;
  readonly replace?: true;
  readonly receipt?: string;
}

export const defineReviewCommand: DefineCommand = (command) => {
  command
    .argument('<pack>', 'evidence pack of the submitted period')
    .with(addReviewOptions)
    .with(addSignerOptions)
    .with(addCertificationOption)
    .requiredOption('-o, --output <file>', 'review file to write (JSON), for the preparer')
    .option('--replace', 'overwrite an existing file')
    .option(
      '--receipt <hash>',
      'receipt stored elsewhere, to verify that the audit log of the pack contains the state of this receipt',
    )
    .addHelpText(
      'after',
      '\nFor reviewers on another computer than the preparer’s: verifies the pack, signs the decision with your key and writes' +
        '\na small file. The preparer records it with: tieout period import-review FILE',
    )
    .run(async ({ session, output }, pack: string, options: PackReviewOptions) => {
      const verdict = requireReviewVerdict(options);
      const { selfReview: self_review, by, comment, receipt } = options;
      const client = await session.client();
      const path = resolve(pack);
      const confirmed = options.confirm && (await readConfirmedTexts(client, path, options));
      const review = await client.packs.review({
        ...{ path, output: resolve(options.output), verdict },
        ...{
          replace: options.replace === true,
          ...omitUndefined({ self_review, by, comment, receipt, confirmed }),
        },
      });
      await output.document(review, () => formatReview(review));
    });
};

/** Returns the texts of the pack's statements that the reviewer confirms by number. */
async function readConfirmedTexts(
  client: BackendClient,
  path: string,
  options: CertificationOptions,
): Promise<string[] | undefined> {
  const { pack } = await client.packs.verify({ path });
  return pack === null ? undefined : findConfirmedTexts(pack.certification, 'reviewed', options);
}

const formatReview = ({
  path,
  site,
  period,
  verdict,
  name,
  key,
  figures,
  receipt,
}: PackReview): TextLines => [
  `${period} of ${site}: ${verdict === 'approve' ? 'approved' : 'sent back'} by ${name}, with the key ${formatSigningKey(key)}.`,
  `Digest of the figures: ${figures}`,
  `Receipt: ${receipt.hash}`,
  `Send ${path} to the preparer, who records it with: tieout period import-review FILE`,
  'Keep the receipt. With it, “tieout verify” proves later that nothing you reviewed was changed.',
];
