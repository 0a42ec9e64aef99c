import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { trackPair } from '../../allocations/track.ts';
import type { WriterContext } from '../../writerContext.ts';

const on = implement(contract).allocations;

export function allocationCommands(context: WriterContext) {
  return {
    track: on.track.handler(({ input, signal }) => trackPair(context, input, signal)),
  };
}
