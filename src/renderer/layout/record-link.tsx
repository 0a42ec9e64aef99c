import type { ReactNode } from 'react';
import { Link } from '../controls/link.tsx';
import { openRecordLocation, type RecordLocation } from '../navigation/record-location.ts';

interface RecordLinkProps {
  readonly to: RecordLocation;
  readonly children: ReactNode;
  /** Accessible name of the link, for link texts that do not name the target. */
  readonly label?: string;
}

/** Link to the screen where a record is located. */
export function RecordLink({ to, ...link }: RecordLinkProps) {
  return <Link {...link} onPress={() => openRecordLocation(to)} />;
}
