import * as z from 'zod/mini';

/** The path of the demo administrations in the app of `npm start`; other apps return 404. */
export const DEMO_PATH = 'demo';

/** The credentials of the demo administrations that an app has, by their country. They are public. */
export const demoAdministrations = z.array(
  z.object({ country: z.enum(['NL', 'BE']), username: z.string(), apiKey: z.string() }),
);

export type DemoAdministration = z.infer<typeof demoAdministrations>[number];
