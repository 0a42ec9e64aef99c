/** Formats a count with its noun, for example `1 line`, `1204 lines` or `2 matches`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;
