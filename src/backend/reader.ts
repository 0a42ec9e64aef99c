import { openReader } from './openReader.ts';
import { runThread } from './thread.ts';

runThread(openReader);
