import { inFolder, residentMegabytes, startApp } from './measure.ts';

type Start = { first: number; again: number; megabytes: number };

/** How long `npm start` takes to be ready, the first time (it makes the demo) and again, and what its process holds. */
export const measureStart = (): Promise<Start> =>
  inFolder(async (folder) => {
    const ready = async () => {
      const start = performance.now();
      const app = await startApp(folder, {}, /(Ledgerline is ready)/);
      const milliseconds = performance.now() - start;
      const megabytes = residentMegabytes(app.pid);
      await app.stop();
      return { milliseconds, megabytes };
    };
    const first = await ready();
    const again = await ready();
    return { first: first.milliseconds, again: again.milliseconds, megabytes: again.megabytes };
  });
