import { expect, it } from 'vitest';
import { appAddress } from './appAddress.ts';

it.each([
  ['https://host.example/taskpane/taskpane/index.html', 'https://host.example'],
  ['https://host.example/taskpane/simulator/pane.html', 'https://host.example'],
  ['https://host.example:8443/books/taskpane/taskpane/index.html?view=push', 'https://host.example:8443/books'],
  ['https://host.example/a/b/taskpane/taskpane/index.html', 'https://host.example/a/b'],
  ['http://localhost:7071/', 'http://localhost:7071'],
])('the pane at %s sends its requests to %s', (page, app) => {
  expect(appAddress(new URL(page))).toBe(app);
});
