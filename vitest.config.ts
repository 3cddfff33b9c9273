import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'units',
          include: ['{shared,functions,addin,bench}/**/*.test.{ts,tsx}'],
          exclude: ['addin/e2e/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['addin/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file starts a real app and a real Chromium: two at a time is what two cores carry.
          maxWorkers: 2,
        },
      },
    ],
  },
});
