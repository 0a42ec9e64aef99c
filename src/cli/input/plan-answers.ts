import { createUsageError } from '../errors/cli-error.ts';

/** Parses `key=value` options, which answer the questions of an import plan. */
export function parsePlanAnswers(options: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    options.map((option) => {
      const separator = option.indexOf('=');
      if (separator < 1)
        throw createUsageError(`“${option}” is not a valid answer.`, 'Use --answer key=value.');
      return [option.slice(0, separator), option.slice(separator + 1)];
    }),
  );
}
