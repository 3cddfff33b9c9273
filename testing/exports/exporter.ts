import { openAdministrations, servicesOf } from '../../functions/app.ts';
import { exportFunctions } from '../../functions/exports/exports.ts';
import { pollQueues } from '../../functions/host/queues.ts';
import { readSettings } from '../../functions/settings.ts';
import { openStorage } from '../../functions/storage/storage.ts';

/* A worker for the queue of exports, as a process that can be killed. It prints when it has begun. */

const settings = readSettings(process.env);
const { exports } = servicesOf(await openAdministrations(settings), settings);
const { queues } = exportFunctions(exports!);
pollQueues(queues, openStorage(settings.storage!), (line) => console.log(line));
console.log('ready');
