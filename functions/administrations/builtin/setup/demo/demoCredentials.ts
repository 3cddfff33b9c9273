import type { Credential } from '../../../../../shared/client/client.ts';

/** How the demo administrations of `npm start` are opened. Everybody knows these keys: they open files of one's own only. */
export const demoCredentials = {
  NL: { apiKey: 'demo', username: 'demo@example.com' },
  BE: { apiKey: 'demo-be', username: 'demo-be@example.com' },
} as const;

export const isDemoCredential = ({ apiKey }: Credential): boolean =>
  Object.values(demoCredentials).some((demo) => demo.apiKey === apiKey);
