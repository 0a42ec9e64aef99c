/** Definition of one line of a schedule. */
export interface ScheduleLineDefinition {
  /** Name of the line. The figure's id is the schedule's id, a dot and this name. */
  readonly name: string;
  readonly label: string;
  readonly role: 'source' | 'item' | 'subtotal' | 'total' | 'stated' | 'difference' | 'memo';
  readonly ticks: readonly string[];
  readonly note: string;
  /** Note that replaces the usual one if the amount is not 0. It says what to do. */
  readonly noteOfDifference?: string;
  /** Names of the lines that this line adds. A line with such names has no rows of its own. */
  readonly plus?: readonly string[];
  readonly minus?: readonly string[];
  /** True if the line is omitted when it has no rows. Other lines are shown with zero. */
  readonly rare?: true;
  /** True if rows of the line may be unexplained. */
  readonly open?: true;
}

export interface ScheduleDefinition {
  readonly id: 'S1' | 'S2' | 'S3';
  readonly title: string;
  readonly purpose: string;
  readonly lines: readonly ScheduleLineDefinition[];
}
