import { openAdministrations, servicesOf } from '../../app.ts';
import { pollQueues } from '../../host/queues.ts';
import { readSettings } from '../../settings.ts';
import { openStorage } from '../../storage/storage.ts';
import { exportFunctions } from '../exports.ts';

/* What works on the queue of exports, as a process of its own that can be killed. Says when it has begun. */

const settings = readSettings(process.env);
const { exports } = servicesOf(await openAdministrations(settings), settings);
const { queues } = exportFunctions(async () => exports!);
pollQueues(queues, openStorage(settings.storage!), (line) => console.log(line));
console.log('ready');
