import { giveWay } from './give-way.ts';
import { openWriter } from './open-writer.ts';
import { runThread } from './thread.ts';

giveWay();
runThread(openWriter);
