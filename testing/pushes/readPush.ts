import { pushedNames } from '../../shared/api.ts';
import { atOnce } from '../../shared/inSteps.ts';
import { type PushedWrite, readPushInSteps } from '../../shared/resources/push.ts';

/** Reads all rows of a push. */
export const readPush = (body: unknown): PushedWrite[] => atOnce(readPushInSteps(body, pushedNames)).writes;
