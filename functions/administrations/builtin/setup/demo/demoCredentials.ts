import type { Credential } from '../../../../../shared/client/client.ts';

/** The credentials of the demo of `npm start`. The keys are public, and work in local files only. */
export const demoCredentials = {
  NL: { apiKey: 'demo', username: 'demo@example.com' },
  BE: { apiKey: 'demo-be', username: 'demo-be@example.com' },
} as const;

export const isDemoCredential = ({ apiKey }: Credential): boolean =>
  Object.values(demoCredentials).some((demo) => demo.apiKey === apiKey);
