import { openReader } from './open-reader.ts';
import { runThread } from './thread.ts';

runThread(openReader);
