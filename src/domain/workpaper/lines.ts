/** What stands on the sheets: every line of every schedule, in its order. */
export interface LineDefinition {
  /** After the schedule's name and a dot, the figure's id. */
  readonly name: string;
  readonly label: string;
  readonly role: 'source' | 'item' | 'subtotal' | 'total' | 'stated' | 'difference' | 'memo';
  readonly ticks: readonly string[];
  readonly note: string;
  /** Instead of it, where the amount is not 0: what to do about that. */
  readonly noteOfDifference?: string;
  /** Names of the lines it is the sum of, and of those it is lessened by. Such a line has no rows of its own. */
  readonly plus?: readonly string[];
  readonly minus?: readonly string[];
  /** Left out where there is nothing of it: it is not usual. The others stand there at zero. */
  readonly rare?: true;
  /** Rows of it may want an explanation. */
  readonly open?: true;
}

export interface ScheduleDefinition {
  readonly id: 'S1' | 'S2' | 'S3';
  readonly title: string;
  readonly purpose: string;
  readonly lines: readonly LineDefinition[];
}
