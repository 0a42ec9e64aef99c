import { openWriter } from './open-writer.ts';
import { lowerThreadPriority } from './shared/thread-priority.ts';
import { runThread } from './thread.ts';

lowerThreadPriority();
runThread(openWriter);
